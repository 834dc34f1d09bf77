import SDKCore

/// Looks for documents that no placement shows, and for products that no paywall brings.
struct UsageCheck {
    private let places: [PlacementScope.Place]
    private let placesByFlow: [String?: [PlacementScope.Place]]

    /// Makes the check from what `placements.json` says.
    init(scope: PlacementScope) {
        places = scope.places
        placesByFlow = Dictionary(grouping: scope.places, by: \.variation.flowVersionID)
    }

    /// Warns of flows and onboardings that no variation gives.
    func warnOfUnused(_ files: [CatalogFile], _ faults: FaultList) {
        let flows = Set(places.compactMap(\.variation.flowVersionID))
        let onboardings = Set(
            places.filter { $0.type == .onboarding }.map(\.variation.contentID))
        for file in files {
            let flow = file.id(under: CatalogFile.flowsPrefix)
            let onboarding = file.id(under: CatalogFile.onboardingsPrefix)
            let isUnused =
                flow.map { !flows.contains($0) } ?? onboarding.map { !onboardings.contains($0) }
                ?? false
            if isUnused {
                faults.add("no variation of a placement shows it", file: file.name, isWarning: true)
            }
        }
    }

    /// Warns where a flow names a product that a variation with this flow has in no paywall: there
    /// it is never loaded, and buying it fails (FC-20, ACT-27).
    func warnOfUnlistedProducts(
        flow: String, _ document: DocumentScope, among products: Set<String>
    ) {
        let places = placesByFlow[flow] ?? []
        for mention in document.mentions {
            guard case .product(let id) = mention.reference, products.contains(id) else { continue }
            let without = places.first { place in !place.products.contains { $0.id == id } }
            if let variation = without?.variation.variationID {
                mention.cursor.warn(
                    "the product \(id.shown) is in no paywall of the variation "
                        + "\(variation.shown): it is never loaded there (ACT-27)")
            }
        }
    }
}
