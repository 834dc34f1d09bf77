import FlowEngine

/// The purchase or restore of a view: who is told of its end.
struct FlowAsker: Sendable {
    let view: ViewID
    /// The number by which the flow waits for its own result; 0: it does not.
    let request: Int32
    /// nil: a restore.
    let product: PaywallProduct?
}

/// What the store will have answered.
enum StoreReply: Sendable {
    case purchase(StoreOutcome, profileID: String)
    /// nil: the receipt was read, and the backend took it.
    case restore(AdaptyError?, profileID: String)
    case products(Result<LoadedProducts, AdaptyError>)
}

/// How the store ends a purchase.
enum StoreOutcome: Sendable {
    /// Bought at that instant; `unreported` is why the backend was not told.
    case bought(at: Instant, unreported: AdaptyError?)
    case cancelled
    case pending
    case failed(AdaptyError)
}
