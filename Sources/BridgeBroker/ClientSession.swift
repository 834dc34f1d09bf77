import BridgeProtocol
import BridgeTransport
import FlowEngine
import SDKCore

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
    var pending: [PendingCall] = []
    var nextSubscriptionID: UInt32 = 1

    init(connection: Connection) {
        self.connection = connection
    }
}

/// A request that waits for the simulated service.
final class PendingCall {
    let call: CallID
    let device: Device
    let session: ClientSession
    let requestID: UInt64
    let methodIndex: Int
    let startedNs: UInt64
    /// On the device's clock.
    let deadline: Instant?
    var method: String { MethodTable.all[methodIndex].name }

    /// Turns the SDK's answer into the reply of the method.
    let reply: (SDKAnswer) -> ServerFrame.Body

    init(
        call: CallID, device: Device, session: ClientSession, requestID: UInt64, methodIndex: Int,
        startedNs: UInt64, deadline: Instant?, reply: @escaping (SDKAnswer) -> ServerFrame.Body
    ) {
        self.call = call
        self.device = device
        self.session = session
        self.requestID = requestID
        self.methodIndex = methodIndex
        self.startedNs = startedNs
        self.deadline = deadline
        self.reply = reply
    }
}
