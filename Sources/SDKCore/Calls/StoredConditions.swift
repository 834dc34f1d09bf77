/// The conditions that a device meets at the simulated service and store, as they are kept: a plain
/// value, with the calls that each still holds for.
///
/// They are of the world around the app, so they outlast its process and a fresh installation.
/// Limits: `SDKLimits.conditionsMax` each of `calls` and `store`.
public struct StoredConditions: Sendable, Equatable, Codable {
    /// The phone has no network.
    public var isOffline = false
    /// Of the main backend and the fallback server.
    public var calls: [CallCondition] = []
    /// Purchases are forbidden (ACT-26).
    public var isForbidden = false
    /// The store cannot be reached (FC-21).
    public var isUnreachable = false
    /// Of the store.
    public var store: [StoreCondition] = []

    /// Makes conditions under which everything succeeds at once.
    public init() {}
}

extension SDKDevice {
    /// The conditions as they stand.
    public var storedConditions: StoredConditions {
        var stored = StoredConditions()
        stored.isOffline = conditions.isOffline
        stored.calls = conditions.calls
        stored.isForbidden = store.conditions.isForbidden
        stored.isUnreachable = store.conditions.isUnreachable
        stored.store = store.conditions.conditions
        return stored
    }
}
