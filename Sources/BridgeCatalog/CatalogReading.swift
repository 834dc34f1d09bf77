import FlowEngine
import SDKCore

/// One run of the loader over the files of a catalog.
struct CatalogReading {
    let faults: FaultList
    private var products = ProductReader()
    /// Nil when the file could not be parsed.
    private var knownProducts: Set<String>? = []
    private let placementScope = PlacementScope()
    private var flows: [String: FlowContent] = [:]
    private var flowScopes: [(id: String, scope: DocumentScope)] = []
    private var onboardings: [String: OnboardingContent] = [:]

    /// Starts a run that reports to that list.
    init(faults: FaultList) {
        self.faults = faults
    }

    /// Reads all files and checks what they say of each other.
    mutating func read(_ files: [CatalogFile]) -> CatalogReport {
        readProducts(files)
        let placements = readPlacements(files)
        let known = placements == nil ? nil : Set(placementScope.placements.keys)
        for file in files { readDocument(file, placements: known) }
        if placements != nil { checkPlacements(files) }
        let catalog = faults.hasErrors() ? nil : placements.map(makeCatalog)
        warnOfSilence(catalog)
        return CatalogReport(catalog: catalog, faults: faults.sorted)
    }

    private func makeCatalog(_ placements: [PlacementDocument]) -> Catalog {
        Catalog(
            placements: placements, flows: flows, onboardings: onboardings,
            products: products.products)
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

    private func readPlacements(_ files: [CatalogFile]) -> [PlacementDocument]? {
        guard let file = files.first(where: { $0.name == CatalogFile.placements }) else {
            let isReported =
                faults.hasErrors(in: CatalogFile.placements)
                || faults.hasErrors(in: CatalogFile.folder)
            if !isReported {
                faults.add(
                    "the file is missing; a catalog has at least this one, with {\"placements\": "
                        + "[…]}", file: CatalogFile.placements)
            }
            return nil
        }
        return parse(file).map { PlacementReader(scope: placementScope).placements($0) }
    }

    private mutating func readDocument(_ file: CatalogFile, placements: Set<String>?) {
        if let id = file.id(under: CatalogFile.flowsPrefix), let cursor = parse(file) {
            let scope = DocumentScope(isOnboarding: false)
            flows[id] = FlowReader(scope: scope).flow(cursor, id: id)
            flowScopes.append((id, scope))
            check(scope, placements)
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

    private func checkPlacements(_ files: [CatalogFile]) {
        let flows = Set(files.compactMap { $0.id(under: CatalogFile.flowsPrefix) })
        let onboardings = Set(files.compactMap { $0.id(under: CatalogFile.onboardingsPrefix) })
        PlacementCheck(
            scope: placementScope, products: knownProducts, flows: flows, onboardings: onboardings
        ).run()
        // With faults in that file nothing can be said of what it does not name.
        if faults.hasErrors(in: CatalogFile.placements) { return }
        let usage = UsageCheck(scope: placementScope)
        usage.warnOfUnused(files, faults)
        for (id, scope) in flowScopes {
            usage.warnOfUnlistedProducts(flow: id, scope, among: products.ids)
        }
    }

    /// Warns of silent groups, also in flows that have faults besides.
    private func warnOfSilence(_ catalog: Catalog?) {
        for (id, scope) in flowScopes {
            let document = catalog?.flowDocuments[id] ?? flows[id].map(FlowDocument.init)
            guard let groups = document?.silentGroups else { continue }
            SilentGroupCheck(elements: scope.elementCursors).run(groups)
        }
    }
}
