import FlowEngine

/// The products that the store gave for a flow.
struct LoadedProducts: Sendable, Equatable {
    /// In the order of the catalog (FC-20).
    var products: [PaywallProduct]
    /// Vendor product ids that the store does not know, each once, in catalog order (FC-24).
    var missing: [String] = []
}

/// A request to the store for the products of a flow; what it will answer is settled.
struct ProductLoad: Sendable {
    /// When the store answers.
    let readyAt: Instant
    let result: Result<LoadedProducts, AdaptyError>
}

/// How far a view is with its products (FC-22 to FC-25, ACT-40, ACT-41).
indirect enum ProductLoading: Sendable {
    /// Nothing more comes: they are given or loaded, or the view is an onboarding.
    case done
    /// The store was asked; told once the view is on screen, and in the foreground.
    case running(ProductLoad)
    /// The app was asked whether to try again.
    case asked
    /// The next attempt comes then.
    case pausing(until: Instant)
    /// No product came, and this presentation makes no further attempt; the next one does.
    case failed

    /// When something happens by itself, as long as the view is in control.
    var due: Instant? {
        switch self {
        case .running(let load): load.readyAt
        case .pausing(let until): until
        case .done, .asked, .failed: nil
        }
    }
}
