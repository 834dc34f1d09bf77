/// What the next calls of one method meet at the simulated service.
public struct CallCondition: Sendable, Equatable, Codable {
    /// Which of the two simulated servers.
    public enum Server: String, Sendable, Hashable, Codable {
        case main, fallback

        /// As messages call it.
        var name: String { self == .main ? "backend" : "fallback server" }
    }

    /// The wire's method name, such as `get_flow`; empty: every method.
    public var method: String
    /// The server whose calls it holds for.
    public var server: Server
    /// How long the answer takes, on the clock of the device.
    public var latencyMs: UInt32
    /// 0: success (ERR-2 for the others).
    public var httpStatus: UInt32
    /// How many calls it holds for; 0: until changed.
    public var calls: UInt32

    /// Makes a condition.
    public init(
        method: String, server: Server = .main, latencyMs: UInt32 = 0, httpStatus: UInt32 = 0,
        calls: UInt32 = 0
    ) {
        self.method = method
        self.server = server
        self.latencyMs = latencyMs
        self.httpStatus = httpStatus
        self.calls = calls
    }
}

/// A change of the conditions that a device's calls meet.
public struct ConditionsChange: Sendable, Equatable {
    /// Drops every condition first.
    public var clear = false
    /// nil: stays as it is.
    public var offline: Bool?
    /// Replace those of the same method and server; several for one hold one after the other.
    public var calls: [CallCondition] = []
    /// Replace those of the same operation and product; several for one hold one after the other.
    public var store: [StoreCondition] = []
    /// nil: stays as it is (ACT-26).
    public var purchasesForbidden: Bool?
    /// nil: stays as it is (FC-21).
    public var storeUnreachable: Bool?
    /// Replaces `appliedAttributionSources` of the active profile; nil: stays.
    public var appliedAttributionSources: [String]?

    /// Makes a change that changes nothing.
    public init() {}
}
