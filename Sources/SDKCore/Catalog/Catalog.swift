import FlowEngine

/// All that the simulated backend serves. Built by the catalog loader, which has checked it.
public struct Catalog: Sendable {
    /// In the order of the files.
    public let placements: [PlacementDocument]
    /// By flow version id.
    public let flows: [String: FlowContent]
    /// By onboarding id.
    public let onboardings: [String: OnboardingContent]
    /// By vendor product id.
    public let products: [String: ProductDocument]
    /// The flows made ready to run, once for all views; by flow version id.
    public let flowDocuments: [String: FlowDocument]
    /// The onboardings made ready to run, once for all views; by onboarding id.
    public let onboardingDocuments: [String: OnboardingDocument]

    private let prepared: [ExactText: PreparedPlacement]
    /// What variations offer, by variation id.
    private let offers: [ExactText: PaywallOffer]

    /// Makes a catalog; the first of two placements with one id wins (the loader refuses that).
    public init(
        placements: [PlacementDocument], flows: [String: FlowContent],
        onboardings: [String: OnboardingContent], products: [String: ProductDocument]
    ) {
        self.placements = placements
        self.flows = flows
        self.onboardings = onboardings
        self.products = products
        self.flowDocuments = flows.mapValues(FlowDocument.init)
        self.onboardingDocuments = onboardings.mapValues(OnboardingDocument.init)
        self.prepared = Dictionary(
            placements.map { (ExactText($0.id), PreparedPlacement($0)) },
            uniquingKeysWith: { first, _ in first })
        self.offers = Dictionary(
            placements.lazy.flatMap(\.audiences).flatMap(\.variations)
                .filter { !$0.paywalls.isEmpty }
                .map {
                    let offer = PaywallOffer($0.paywalls) { Self.product($0, among: products) }
                    return (ExactText($0.variationID), offer)
                },
            uniquingKeysWith: { first, _ in first })
    }

    /// The placement of that id, compared exactly (PL-1), in constant time.
    public func placement(_ id: String) -> PlacementDocument? {
        preparedPlacement(id)?.document
    }

    /// The product of that id, compared exactly; nil: the store sells no such thing.
    public func product(_ vendorProductID: String) -> ProductDocument? {
        Self.product(vendorProductID, among: products)
    }

    private static func product(
        _ id: String, among products: [String: ProductDocument]
    ) -> ProductDocument? {
        products[id].flatMap { $0.vendorProductID.isExactly(id) ? $0 : nil }
    }

    /// What a variation offers: shared by all who load it, unless it is not this catalog's own.
    func offer(of variation: VariationDocument) -> PaywallOffer {
        if variation.paywalls.isEmpty { return .nothing }
        let shared = offers[ExactText(variation.variationID)]
        if let shared, shared.paywalls == variation.paywalls { return shared }
        return PaywallOffer(variation.paywalls, products: product)
    }

    func preparedPlacement(_ id: String) -> PreparedPlacement? {
        prepared[ExactText(id)]
    }
}
