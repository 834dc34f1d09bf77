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
    }

    /// The placement of that id, compared exactly (PL-1), in constant time.
    public func placement(_ id: String) -> PlacementDocument? {
        preparedPlacement(id)?.document
    }

    func preparedPlacement(_ id: String) -> PreparedPlacement? {
        prepared[ExactText(id)]
    }
}
