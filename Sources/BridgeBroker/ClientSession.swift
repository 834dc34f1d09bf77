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
    var nextSubscriptionID: UInt32 = 1

    init(connection: Connection) {
        self.connection = connection
    }
}
