import BridgeProtocol
import BridgeTransport
import FlowEngine
import SDKCore

/// A request whose answer comes later.
class WaitingRequest {
    let session: ClientSession
    let requestID: UInt64
    let methodIndex: Int
    let startedNs: UInt64
    var method: String { MethodTable.all[methodIndex].name }

    init(_ context: RequestContext) {
        session = context.session
        requestID = context.requestID
        methodIndex = context.methodIndex
        startedNs = context.broker.timers.nowNs
    }
}

/// A request that waits for the simulated service.
final class PendingCall: WaitingRequest {
    let call: CallID
    let device: Device
    /// On the device's clock.
    let deadline: Instant?

    /// Turns the SDK's answer into the reply of the method.
    let reply: (SDKAnswer) -> ServerFrame.Body

    init(
        _ context: RequestContext, call: CallID, device: Device, deadline: Instant?,
        reply: @escaping (SDKAnswer) -> ServerFrame.Body
    ) {
        self.call = call
        self.device = device
        self.deadline = deadline
        self.reply = reply
        super.init(context)
    }
}

/// A request that waits for slow work; its deadline is on the host's clock.
final class PendingWork: WaitingRequest {
    var token: WorkToken?
    var deadline: TimerQueue.Token?
}
