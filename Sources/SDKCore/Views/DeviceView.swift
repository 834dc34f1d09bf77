import FlowEngine

/// A view of a device (VW-1).
struct DeviceView: Sendable {
    let id: ViewID
    let configuration: ViewConfiguration
    /// Whether the SDK's default implementation acts on close and links (ACT-2, ACT-3, OB-16).
    let isHandledBySDK: Bool
    var state = ViewState.created
    /// Made at the first presentation, when timers and the network are known.
    var session: ViewSession?
    /// When something is due by itself in the session.
    private(set) var sessionDue: Instant?
    /// The products that the session was told; it keeps them (VW-20).
    var products: [PaywallProduct] = []
    /// How far it is with its products.
    var loading = ProductLoading.done
    /// A purchase or restore of it runs, or the app was asked for one (ACT-28).
    var isBuying = false

    var kind: ViewKind { configuration.kind }

    var isOnScreen: Bool { state == .onTop || state == .covered }

    init(id: ViewID, configuration: ViewConfiguration, handling: ActionHandling) {
        self.id = id
        self.configuration = configuration
        if case .flow(_, let source) = configuration.source { loading = .running(source.load) }
        switch handling {
        case .sdk: isHandledBySDK = true
        case .app: isHandledBySDK = false
        case .automatic: isHandledBySDK = configuration.kind == .flow
        }
    }

    /// Hands the session an input, as `ViewRuntime.handle` says; without one nothing happens.
    mutating func handle(
        _ input: consuming ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        sessionDue = try session?.handle(input, in: environment, effects: &effects) ?? nil
    }

    var summary: ViewSummary {
        let screens = isOnScreen ? session?.snapshot(elements: 0..<0) ?? [] : []
        return ViewSummary(
            id: id, kind: kind, state: state, placementID: configuration.placementID,
            variationID: configuration.variationID, screenID: screens.last?.screenID ?? "",
            locale: configuration.locale.id)
    }
}
