import BridgeProtocol
import FlowEngine
import SDKCore

/// `open_device`: makes a device, or attaches this connection to one that is there.
enum OpenDeviceHandler {
    /// A device's name is at most this long, in bytes of UTF-8.
    static let nameBytesMax = 128

    /// A closed device is opened again: it finds what it stored (GEN-11), and what the request
    /// leaves out stays as it was, the clock too.
    ///
    /// - Throws: INVALID_ARGUMENT for a name that is too long, a zone that the host's zone data
    ///   does not have, or a start outside the years 1 to 9999; LIMIT_EXCEEDED when there are too
    ///   many devices.
    static func handle(_ request: OpenDeviceRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let broker = context.broker
        let name = request.device.isEmpty ? Broker.defaultDeviceName : request.device
        let existing = broker.devices[name]
        let reopens = existing.map { !$0.core.isOpen } ?? false
        let device: Device
        if let existing {
            if reopens { try reopen(existing, request, broker) }
            device = existing
        } else {
            device = try make(name, request, broker)
        }
        attach(context.session, to: device)
        return .now(
            .openDevice(
                with(OpenDeviceReply()) {
                    $0.info = DeviceInfo(device, at: broker.now(of: device), broker)
                    $0.created = existing == nil
                    $0.reopened = reopens
                }))
    }

    private static func make(
        _ name: String, _ request: OpenDeviceRequest, _ broker: Broker
    ) throws(BridgeError) -> Device {
        guard name.utf8.count <= nameBytesMax else {
            throw BridgeError(
                .invalidArgument,
                "a device name of \(name.utf8.count) bytes, at most \(nameBytesMax)",
                field: "open_device.device")
        }
        let zone = try ZoneData.requiredRules(named: "UTC", field: "open_device.time_zone")
        var configuration = DeviceConfiguration(name: name, zone: zone)
        configuration.viewsMax = Int(clamping: broker.limits.viewsMax)
        try fill(&configuration, request)
        return try broker.makeDevice(
            configuration, clock: try clock(request.clock ?? .init(), broker))
    }

    private static func reopen(
        _ device: Device, _ request: OpenDeviceRequest, _ broker: Broker
    ) throws(BridgeError) {
        var configuration = device.core.configuration
        try fill(&configuration, request)
        var newClock: BridgeBroker.DeviceClock?
        if let given = request.clock { newClock = try clock(given, broker) }
        try broker.reopen(device, configuration, clock: newClock)
    }

    /// Takes over what the request says.
    private static func fill(
        _ configuration: inout DeviceConfiguration, _ request: OpenDeviceRequest
    ) throws(BridgeError) {
        if !request.timeZone.isEmpty {
            configuration.zone = try ZoneData.requiredRules(
                named: request.timeZone, field: "open_device.time_zone")
        }
        if !request.locale.isEmpty { configuration.locale = request.locale }
        if !request.platform.isEmpty { configuration.platform = request.platform }
        if !request.appVersion.isEmpty { configuration.appVersion = request.appVersion }
        if !request.osVersion.isEmpty { configuration.osVersion = request.osVersion }
        if let seed = request.randomSeed { configuration.seed = seed }
        if request.questionDeadlineMs != 0 {
            configuration.questionDeadlineMs = request.questionDeadlineMs
        }
    }

    private static func clock(
        _ clock: BridgeProtocol.DeviceClock, _ broker: Broker
    ) throws(BridgeError) -> BridgeBroker.DeviceClock {
        let start = clock.startMs ?? broker.wallMs()
        let range = BridgeBroker.DeviceClock.range
        guard range.contains(start) else {
            throw BridgeError(
                .invalidArgument,
                "start_ms \(start): \(range.lowerBound) to \(range.upperBound), the years 1 to 9999",
                field: "open_device.clock.start_ms")
        }
        return BridgeBroker.DeviceClock(
            isManual: clock.kind == .manual, start: Instant(ms: start),
            nowNs: broker.timers.nowNs)
    }

    private static func attach(_ session: ClientSession, to device: Device) {
        session.device?.attached -= 1
        session.device = device
        device.attached += 1
    }
}

extension DeviceInfo {
    init(_ device: Device, at now: Instant, _ broker: Broker) {
        self.init()
        let configuration = device.core.configuration
        self.device = device.name
        locale = configuration.locale
        timeZone = configuration.zone.name
        platform = configuration.platform
        appVersion = configuration.appVersion
        osVersion = configuration.osVersion
        clock = device.clock.isManual ? .manual : .real
        timeMs = now.ms
        randomSeed = configuration.seed
        activated = device.core.isActivated
        inBackground = device.core.isInBackground
        views = UInt32(clamping: device.core.views.count)
        lastSequence = broker.events.lastSequence(of: device)
        connections = UInt32(clamping: device.attached)
    }
}
