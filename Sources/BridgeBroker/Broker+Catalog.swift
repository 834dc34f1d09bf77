import BridgeCatalog
import BridgeProtocol
import SDKCore
import Synchronization

/// The catalog that the simulated backend serves, and another one in its place.
extension Broker {
    /// Serves another catalog from now on. Views and configurations keep the documents they were
    /// made from; profiles and recorded variations stay (PL-28).
    func serve(_ catalog: Catalog, from folder: String, warnings: Int) {
        let former = FormerCatalog(backend.catalog)
        backend.replaceCatalog(catalog)
        free(former)
        catalogName = folder
        log(
            .notice, "catalog_loaded",
            [
                ("folder", folder), ("placements", String(catalog.placements.count)),
                ("warnings", String(warnings)),
            ])
    }

    /// Reads the folder of the catalog again, for SIGHUP; a catalog with faults changes nothing.
    /// The log tells what came of it.
    ///
    /// Blocking: no; the worker reads, and `ended` is called when all is done.
    func reloadCatalog(ended: @escaping () -> Void) {
        guard let folder = catalogFolder else {
            log(.notice, "catalog_kept", [("reason", "it was not read from a folder")])
            return ended()
        }
        do {
            try worker.run {
                CatalogLoader.load(folder: folder)
            } deliver: { [unowned self] report in
                if let catalog = report.catalog {
                    serve(catalog, from: folder, warnings: report.warnings.count)
                } else {
                    tellRefused(report, folder)
                }
                ended()
            }
        } catch {
            log(.error, "catalog_kept", [("reason", error.message)])
            ended()
        }
    }

    /// Has the catalog before freed beside the loop: a large one takes a tenth of a second.
    private func free(_ former: FormerCatalog) {
        do {
            try worker.run({ former.free() }, deliver: {})
        } catch {
            former.free()
        }
    }

    private func tellRefused(_ report: CatalogReport, _ folder: String) {
        log(
            .error, "catalog_refused",
            [
                ("folder", folder), ("faults", String(report.errors.count)),
                ("first", report.errors.first?.line ?? ""),
            ])
    }

    /// The folder that the catalog was read from; nil for the built-in sample.
    private var catalogFolder: String? {
        catalogName.utf8.first == UInt8(ascii: "/") ? catalogName : nil
    }
}

/// The last hold on a catalog, to be let go of on another thread.
private final class FormerCatalog: Sendable {
    private let catalog: Mutex<Catalog?>

    init(_ catalog: Catalog) {
        self.catalog = Mutex(catalog)
    }

    func free() {
        catalog.withLock { $0 = nil }
    }
}

extension BridgeCatalog.CatalogFault {
    /// Its description, cut where a path in a file is so long that nobody reads it.
    var line: String {
        let description = description
        let cut = description.prefix(1_000)
        return cut.endIndex < description.endIndex ? cut + "…" : description
    }
}
