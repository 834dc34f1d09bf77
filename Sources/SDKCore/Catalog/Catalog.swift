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

    /// Makes a catalog; the first of two placements with one id wins (the loader refuses that).
    public init(
        placements: [PlacementDocument], flows: [String: FlowContent],
        onboardings: [String: OnboardingContent], products: [String: ProductDocument]
    ) {
        self.placements = placements
        self.flows = flows
        self.onboardings = onboardings
        self.products = products
    }
}
