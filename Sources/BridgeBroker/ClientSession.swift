import BridgeProtocol
import BridgeTransport

/// What the broker keeps about one connection.
final class ClientSession {
    let connection: Connection
    var clientName = ""
    /// Binary connections have to say `hello` first.
    var isGreeted = false
    /// The device that it opened last; nil: `default`.
    var device: Device?
    var subscriptions: [Subscription] = []
    /// Requests that wait, by the client's id; several may share one.
    var pending: [WaitingRequest] = []
    /// Whether it is among the broker's held ones.
    var isHeld = false
    /// Answers that wait for its own replays; nil: none does.
    var postponed: PostponedAnswers?
    var nextSubscriptionID: UInt32 = 1

    // What it did, for `status`.
    var requests: UInt64 = 0
    var errors: UInt64 = 0
    /// In `MethodTable.all`; nil: it asked for nothing yet.
    var lastMethod: Int?
    var eventsDelivered: UInt64 = 0
    var eventsDropped: UInt64 = 0
    /// The most requests that waited.
    var pendingHigh: UInt32 = 0
    /// Whether it was ended since answers of it could not be saved.
    var isCutByStore = false
    /// Whether it watches the others.
    var isMonitor = false

    init(connection: Connection) {
        self.connection = connection
    }

    /// Adds a request that waits for its answer.
    func wait(for request: WaitingRequest) {
        pending.append(request)
        pendingHigh = max(pendingHigh, UInt32(clamping: pending.count))
    }
}
