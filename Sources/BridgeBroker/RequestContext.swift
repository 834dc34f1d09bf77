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
    /// - Throws: WRONG_STATE for one that is closed; `default` opens again by itself.
    ///   LIMIT_EXCEEDED when there is no room for `default`.
    func device() throws(BridgeError) -> Device {
        guard let device = session.device else { return try broker.defaultDevice() }
        return device.core.isOpen ? device : try opened(device)
    }

    /// The named device, or that of the connection when the name is empty.
    ///
    /// - Throws: NOT_FOUND naming the device and those there are; else as `device()`.
    func device(named name: String) throws(BridgeError) -> Device {
        if name.isEmpty { return try device() }
        let device = try deviceOpenOrClosed(named: name)
        return device.core.isOpen ? device : try opened(device)
    }

    /// As `device(named:)`, and closed devices too: their record can be read.
    ///
    /// - Throws: NOT_FOUND naming the device and those there are; LIMIT_EXCEEDED when there is no
    ///   room for `default`.
    func deviceOpenOrClosed(named name: String) throws(BridgeError) -> Device {
        if name.isEmpty, let device = session.device { return device }
        let wanted = name.isEmpty ? Broker.defaultDeviceName : name
        if let device = broker.devices[wanted] { return device }
        if wanted == Broker.defaultDeviceName { return try broker.defaultDevice() }
        throw broker.noDevice(name)
    }

    private func opened(_ closed: Device) throws(BridgeError) -> Device {
        if closed.name == Broker.defaultDeviceName { return try broker.defaultDevice() }
        throw BridgeError(
            .wrongState, "device \(closed.name) is closed; open it again with open_device",
            field: "device")
    }

    /// Has slow work done beside the loop; the answer goes out when it is done. See
    /// `Broker.start(_:in:reply:)`.
    func work<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value,
        reply: @escaping (Value) throws(BridgeError) -> ServerFrame.Body
    ) throws(BridgeError) -> Reply {
        try broker.start(work, in: self, reply: reply)
        return .later
    }

    /// Starts a call of the SDK; its answer goes out when the device has it.
    func start(
        _ call: SDKCall, reply: @escaping (SDKAnswer) -> ServerFrame.Body
    ) throws(BridgeError) -> Reply {
        let device = try device()
        try requireRoom(for: call, on: device)
        try broker.start(call, in: self, on: device, reply: reply)
        return .later
    }

    /// Refuses what would make one profile more than the backend may have.
    private func requireRoom(for call: SDKCall, on device: Device) throws(BridgeError) {
        let most = broker.limits.profilesMax
        guard broker.backend.profilesCount >= most, device.core.makesProfile(call) else { return }
        throw BridgeError(
            .limitExceeded,
            "profilesMax: the backend has \(most) profiles already; start on an empty store, or raise "
                + "it with --limit profilesMax=…")
    }
}
