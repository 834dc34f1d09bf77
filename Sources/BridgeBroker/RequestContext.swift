import BridgeProtocol
import SDKCore

/// What a handler gives back.
enum Reply {
    /// The answer itself.
    case now(ServerFrame.Body)
    /// The answer comes later, through the device.
    case later
}

/// One request on its way through a handler: who asks, and the broker that serves it.
struct RequestContext {
    let broker: Broker
    let session: ClientSession
    let requestID: UInt64
    let deadlineMs: UInt32
    /// The place of the method in `MethodTable.all`.
    let methodIndex: Int

    /// The method's name, such as `get_flow`.
    var method: String { MethodTable.all[methodIndex].name }

    /// The device of the connection: the one it opened, else `default`, which is made on demand.
    ///
    /// - Throws: LIMIT_EXCEEDED when there is no room for `default`.
    func device() throws(BridgeError) -> Device {
        if let device = session.device { return device }
        return try broker.defaultDevice()
    }

    /// The named device, or that of the connection when the name is empty.
    ///
    /// - Throws: NOT_FOUND naming the device and those there are.
    func device(named name: String) throws(BridgeError) -> Device {
        if name.isEmpty { return try device() }
        if let device = broker.devices[name] { return device }
        if name == Broker.defaultDeviceName { return try broker.defaultDevice() }
        throw broker.noDevice(name)
    }

    /// Starts a call of the SDK; its answer goes out when the device has it.
    func start(
        _ call: SDKCall, reply: @escaping (SDKAnswer) -> ServerFrame.Body
    ) throws(BridgeError) -> Reply {
        try broker.start(call, in: self, on: device(), reply: reply)
        return .later
    }
}
