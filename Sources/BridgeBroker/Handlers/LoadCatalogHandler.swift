import BridgeCatalog
import BridgeProtocol

/// `load_catalog`: serves another catalog from now on, or refuses it with every fault.
///
/// The folder is read on the worker thread; requests behind it are served with the catalog before
/// it. Several load one after the other, in the order of arrival.
enum LoadCatalogHandler {
    /// - Throws: INVALID_ARGUMENT for a path that is not absolute, and later for a catalog with
    ///   faults, which the error lists; then nothing changes.
    static func handle(_ request: LoadCatalogRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let folder = request.path
        try check(folder)
        let broker = context.broker
        let bytesMax = context.session.connection.frameBytesMax / 2
        return try context.work {
            CatalogLoader.load(folder: folder)
        } reply: { (report) throws(BridgeError) in
            guard let catalog = report.catalog else {
                throw refusal(report, folder, bytesMax: bytesMax)
            }
            broker.serve(catalog, from: folder, warnings: report.warnings.count)
            return .loadCatalog(
                with(LoadCatalogReply()) {
                    $0.placements = UInt32(clamping: catalog.placements.count)
                    $0.flows = UInt32(clamping: catalog.flows.count)
                    $0.onboardings = UInt32(clamping: catalog.onboardings.count)
                    $0.warnings = list(report.warnings, bytesMax: bytesMax)
                    $0.warningsLeftOut = UInt32(
                        clamping: report.warnings.count - $0.warnings.count)
                })
        }
    }

    private static let field = "load_catalog.path"
    /// Linux takes no longer path.
    private static let pathBytesMax = 4_095

    private static func check(_ folder: String) throws(BridgeError) {
        guard folder.utf8.count <= pathBytesMax else {
            throw BridgeError(
                .invalidArgument, "a path of \(folder.utf8.count) bytes, at most \(pathBytesMax)",
                field: field)
        }
        guard folder.utf8.first == UInt8(ascii: "/") else {
            throw BridgeError(
                .invalidArgument,
                "the path \"\(folder)\" is not absolute; give the folder that holds placements.json "
                    + "from / on, as the broker sees it", field: field)
        }
    }

    /// Says how many faults there are and the first one; lists the faults and then the warnings.
    private static func refusal(
        _ report: CatalogReport, _ folder: String, bytesMax: Int
    ) -> BridgeError {
        let faults = report.errors
        var error = BridgeError(
            .invalidArgument,
            "the catalog in \(folder) has \(faults.count) faults, the first is "
                + "\(faults.first?.line ?? ""); what was served before stays",
            field: field)
        error.catalogFaults = list(faults + report.warnings, bytesMax: bytesMax)
        if error.catalogFaults.count < faults.count {
            error.message +=
                "; \(error.catalogFaults.count) fit this answer, flowbridged --check-catalog "
                + "prints all"
        }
        return error
    }

    /// As many as fit, from the first on.
    private static func list(
        _ faults: [BridgeCatalog.CatalogFault], bytesMax: Int
    ) -> [BridgeProtocol.CatalogFault] {
        var bytes = 0
        return faults.prefix(Int(Limits().elementsMax)).prefix { fault in
            bytes +=
                fault.file.utf8.count + fault.pointer.utf8.count + fault.message.utf8.count + 16
            return bytes <= bytesMax
        }.map { BridgeProtocol.CatalogFault($0) }
    }
}

extension BridgeProtocol.CatalogFault {
    fileprivate init(_ fault: BridgeCatalog.CatalogFault) {
        self.init()
        file = fault.file
        pointer = fault.pointer
        message = fault.message
        isWarning = fault.isWarning
    }
}
