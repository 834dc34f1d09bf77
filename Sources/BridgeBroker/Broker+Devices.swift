import BridgeProtocol
import FlowEngine
import SDKCore

/// The devices of the broker: made, closed, opened again, reset (GEN-11).
extension Broker {
    /// Devices whose app's process runs.
    var openDevices: Int { devices.count - closed.count }

    /// The device that connections without one use; made, or opened again, on demand.
    ///
    /// - Throws: LIMIT_EXCEEDED when there is no room for it.
    func defaultDevice() throws(BridgeError) -> Device {
        if let device = devices[Self.defaultDeviceName] {
            if !device.core.isOpen { try reopen(device, device.core.configuration, clock: nil) }
            return device
        }
        guard let utc = ZoneData.rules(named: "UTC") else {
            throw BridgeError(.internal, "the host knows no UTC")
        }
        return try makeDevice(
            DeviceConfiguration(name: Self.defaultDeviceName, zone: utc),
            clock: DeviceClock(
                isManual: false, start: Instant(ms: wallMs()), nowNs: timers.nowNs))
    }

    /// Makes a fresh installation.
    ///
    /// - Throws: LIMIT_EXCEEDED beyond `devicesMax`.
    func makeDevice(
        _ configuration: DeviceConfiguration, clock deviceClock: DeviceClock
    ) throws(BridgeError) -> Device {
        try requireRoomForDevice()
        var outputs: [DeviceOutput] = []
        let core = SDKDevice(
            configuration: configuration, backend: backend,
            at: deviceClock.now(atNs: timers.nowNs), outputs: &outputs)
        let device = Device(
            log: events.log(named: configuration.name), core: core, clock: deviceClock)
        devices[device.name] = device
        touch(device)
        log(.notice, "device_opened", [("device", device.name)])
        settle(&outputs, of: device)
        return device
    }

    /// Begins the next process of the app of a closed device.
    ///
    /// - Parameter clock: nil: the clock goes on, a manual one from where it stood.
    /// - Throws: LIMIT_EXCEEDED beyond `devicesMax`.
    func reopen(
        _ device: Device, _ configuration: DeviceConfiguration, clock deviceClock: DeviceClock?
    ) throws(BridgeError) {
        try requireRoomForDevice()
        closed.remove(device)
        touch(device)
        if let deviceClock { device.clock = deviceClock }
        device.zoneName = configuration.zone.name
        var outputs: [DeviceOutput] = []
        device.core.reopen(configuration, at: now(of: device), outputs: &outputs)
        log(.notice, "device_opened", [("device", device.name)])
        settle(&outputs, of: device)
    }

    /// Ends the process of the app; its waiting calls are answered. Nothing happens to a device
    /// that is closed.
    func close(_ device: Device) throws(BridgeError) {
        guard device.core.isOpen else { return }
        touch(device)
        try endCalls(of: device, "closed")
        device.core.close()
        reschedule(device)
        closed.add(device)
        if closed.count > Int(limits.closedDevicesMax), let oldest = closed.oldestUnused {
            closed.remove(oldest)
            devices.removeValue(forKey: oldest.name)
            removeRecords(of: oldest)
        }
        log(.notice, "device_closed", [("device", device.name)])
    }

    /// Makes a fresh installation of a device; its record and its subscriptions go on.
    func reset(_ device: Device) throws(BridgeError) {
        touch(device)
        if device.core.isOpen { try endCalls(of: device, "reset") }
        device.core.reset()
        reschedule(device)
        log(.notice, "device_reset", [("device", device.name)])
    }

    func noDevice(_ name: String) -> BridgeError {
        let some = openNames.prefix(10).joined(separator: ", ")
        return BridgeError(
            .notFound,
            "no device \"\(name)\"; open it with open_device"
                + (some.isEmpty ? "" : "; there are \(some)"), field: "device")
    }

    /// The names of the open devices, sorted.
    var openNames: [String] {
        devices.values.lazy.filter(\.core.isOpen).map(\.name).sorted()
    }

    private func requireRoomForDevice() throws(BridgeError) {
        guard openDevices < Int(limits.devicesMax) else {
            throw BridgeError(
                .limitExceeded, "devicesMax: \(limits.devicesMax) devices are open; close some",
                field: "device")
        }
    }

    /// Lets happen what is due, and then ends what waits, in the order of its start.
    private func endCalls(of device: Device, _ done: String) throws(BridgeError) {
        try drive(device) { (core, now, outputs) throws(DeviceFault) in
            core.advance(to: now, outputs: &outputs)
        }
        for pending in device.pending.values.sorted(by: { $0.call.number < $1.call.number }) {
            forget(pending.call, of: device)
            let error = BridgeError(
                .cancelled, "\(pending.method): device \(device.name) was \(done) while it waited")
            respond(.error(ErrorReply(error)), to: pending)
        }
    }
}
