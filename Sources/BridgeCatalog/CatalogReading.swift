import FlowEngine
import SDKCore

/// One run of the loader over the files of a catalog.
struct CatalogReading {
    let faults: FaultList
    private var products = ProductReader()
    private var knownProducts: Set<String>? = []
    private var flows: [String: FlowContent] = [:]
    private var onboardings: [String: OnboardingContent] = [:]

    /// Starts a run that reports to that list.
    init(faults: FaultList) {
        self.faults = faults
    }

    /// Reads all files and checks what they say of each other.
    mutating func read(_ files: [CatalogFile]) -> CatalogReport {
        readProducts(files)
        let scope = PlacementScope()
        let placements = readPlacements(files, scope)
        let knownPlacements = placements == nil ? nil : Set(scope.placements.keys)
        for file in files { readDocument(file, placements: knownPlacements) }
        checkPlacements(files, scope)
        guard !faults.hasErrors(), let placements else {
            return CatalogReport(catalog: nil, faults: faults.sorted)
        }
        let catalog = Catalog(
            placements: placements, flows: flows, onboardings: onboardings,
            products: products.products)
        return CatalogReport(catalog: catalog, faults: faults.sorted)
    }

    private func parse(_ file: CatalogFile) -> JSONCursor? {
        JSONDocument.parse(file.bytes, file: file.name, faults: faults)
    }

    private mutating func readProducts(_ files: [CatalogFile]) {
        guard let file = files.first(where: { $0.name == CatalogFile.products }) else {
            if faults.hasErrors(in: CatalogFile.products) { knownProducts = nil }
            return
        }
        guard let cursor = parse(file) else {
            knownProducts = nil
            return
        }
        products.read(cursor)
        knownProducts = products.ids
    }

    private func readPlacements(
        _ files: [CatalogFile], _ scope: PlacementScope
    ) -> [PlacementDocument]? {
        guard let file = files.first(where: { $0.name == CatalogFile.placements }) else {
            if !faults.hasErrors(in: CatalogFile.placements),
                !faults.hasErrors(in: CatalogFile.folder)
            {
                faults.add(
                    "the file is missing; a catalog needs it: {\"placements\": […]}",
                    file: CatalogFile.placements)
            }
            return nil
        }
        return parse(file).map { PlacementReader(scope: scope).placements($0) }
    }

    private mutating func readDocument(_ file: CatalogFile, placements: Set<String>?) {
        if let id = file.id(under: CatalogFile.flowsPrefix), let cursor = parse(file) {
            let scope = DocumentScope(isOnboarding: false)
            flows[id] = FlowReader(scope: scope).flow(cursor, id: id)
            check(scope, placements)
            if let flow = flows[id], !faults.hasErrors(in: file.name) {
                SilentGroupCheck(elements: scope.elementCursors).run(flow)
            }
        } else if let id = file.id(under: CatalogFile.onboardingsPrefix), let cursor = parse(file) {
            let scope = DocumentScope(isOnboarding: true)
            onboardings[id] = OnboardingReader(scope: scope).onboarding(cursor, id: id)
            check(scope, placements)
        }
    }

    private func check(_ scope: DocumentScope, _ placements: Set<String>?) {
        ReferenceCheck(scope: scope, products: knownProducts, placements: placements).run()
        ReachabilityCheck(scope: scope, screens: scope.screenCursors).run()
    }

    private func checkPlacements(_ files: [CatalogFile], _ scope: PlacementScope) {
        let flows = Set(files.compactMap { $0.id(under: CatalogFile.flowsPrefix) })
        let onboardings = Set(files.compactMap { $0.id(under: CatalogFile.onboardingsPrefix) })
        PlacementCheck(
            scope: scope, products: knownProducts, flows: flows, onboardings: onboardings
        ).run()
    }
}
