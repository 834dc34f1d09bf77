import BridgeProtocol
import BridgeStore
import BridgeTransport
import FlowEngine
import SDKCore

/// The broker: its devices, its connections, and the way of a request between them.
///
/// Lives on one thread, the loop's. It knows no rule of the SDK: requests go to `SDKCore`, and
/// what comes back is recorded, delivered and answered here.
public final class Broker {
    static let defaultDeviceName = "default"

    let configuration: BrokerConfiguration
    /// Those of the configuration; kept here, as a copy of them costs more than what asks for one.
    let limits: Limits
    let timers: TimerQueue
    let worker: any Worker
    let log: Log
    let backend: Backend
    let coder: WireCoder
    /// Keeps the record, the profiles and the devices.
    let store: any Store
    /// Whether the store outlives the process; kept here, as every event asks.
    let isLasting: Bool
    let events: EventRecorder
    let startedNs: UInt64
    /// Where what is served was read from: the absolute path of a folder, or `sample`.
    var catalogName: String
    var fallbackFiles: FallbackFiles
    /// Wall time in Unix milliseconds: data for new devices, never a timeout.
    let wallMs: () -> Int64

    /// Open and closed ones, by name.
    var devices: [String: Device] = [:]
    var closed = ClosedDevices()
    var sessions: [UInt64: ClientSession] = [:]
    /// Subscriptions that replay the record.
    var replaying: [Subscription] = []
    /// Sessions with answers that wait for their replays.
    var postponing: [ClientSession] = []
    /// Subscriptions that missed events and have not been told yet.
    var lagging: [Subscription] = []
    let analyticEvents = AnalyticEventWriter()
    /// Devices that were worked on in this wake-up, while the store outlives the process, each with
    /// the marks of what it was before: as its record says.
    var touched: [(device: Device, before: StoredMarks)] = []
    /// Sessions with output that waits for the store.
    var held: [ClientSession] = []
    /// The fault of the store that was told last; nil: it had none then.
    var toldFault: StoreFault?
    /// Whether the operator was told of a large journal.
    var isJournalLarge = false
    let counters = BrokerCounters()
    var closedConnections = ClosedConnections()
    /// Connections that watch the others.
    var monitors: [Monitor] = []
    /// The method, in `MethodTable.all`, whose time is counted now; nil: none.
    var timedMethod: Int?
    /// Until when the time of requests has been counted.
    var timedUntilNs: UInt64 = 0
    /// An empty list whose room was made before, for what a device hands over next.
    private var roomForOutputs: [DeviceOutput] = []

    /// The table of limits, made once: every `welcome` and `status` has it.
    private(set) lazy var limitRows = Limit.rows(limits)

    /// Makes a broker that serves the configured catalog.
    ///
    /// - Parameters:
    ///   - timers: the queue of the loop that drives it.
    ///   - worker: takes what would hold that loop up.
    ///   - store: what it keeps; nil: memory. One that lasts is taken over by `restore`.
    public init(
        configuration: BrokerConfiguration, timers: TimerQueue, worker: any Worker,
        store: (any Store)? = nil, wallMs: @escaping () -> Int64, log: Log
    ) {
        self.configuration = configuration
        limits = configuration.limits
        self.wallMs = wallMs
        self.timers = timers
        self.worker = worker
        self.log = log
        startedNs = timers.nowNs
        backend = Backend(catalog: configuration.catalog)
        catalogName = configuration.catalogName
        fallbackFiles = FallbackFiles(limits: configuration.limits)
        coder = WireCoder()
        self.store = store ?? MemoryStore(limits: configuration.limits.store.events)
        isLasting = self.store.isLasting
        events = EventRecorder(self.store.events, coder: coder)
    }

    /// The instant on the clock of a device.
    func now(of device: Device) -> Instant {
        device.clock.now(atNs: timers.nowNs)
    }

    // MARK: Effects

    /// Runs work on a device and then records, delivers and answers all that it caused, in order.
    func drive<Result>(
        _ device: Device,
        _ work: (inout SDKDevice, Instant, inout [DeviceOutput]) throws(DeviceFault) -> Result
    ) throws(BridgeError) -> Result {
        let now = now(of: device)
        if store.fault == nil {
            touch(device)
            if let timer = device.timer, timer.due <= now { advance(device, to: now) }
        }
        defer { reschedule(device) }
        do {
            return try settling(device) { outputs throws(DeviceFault) in
                try work(&device.core, now, &outputs)
            }
        } catch {
            throw BridgeError(error)
        }
    }

    /// Runs work on a device, then settles what it handed over.
    @inline(__always)
    private func settling<Result, Fault: Error>(
        _ device: Device, _ work: (inout [DeviceOutput]) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        var outputs: [DeviceOutput] = []
        swap(&outputs, &roomForOutputs)
        defer {
            settle(&outputs, of: device)
            swap(&outputs, &roomForOutputs)
        }
        return try work(&outputs)
    }

    func start(
        _ call: SDKCall, in context: RequestContext, on device: Device,
        reply: @escaping (SDKAnswer) -> ServerFrame.Body
    ) throws(BridgeError) {
        let pending = try note(in: context, on: device, reply: reply)
        try drive(device) { (core, now, outputs) throws(DeviceFault) in
            core.start(call, id: pending.call, at: now, outputs: &outputs)
        }
    }

    /// Notes that a request waits for an answer of a device.
    ///
    /// - Throws: LIMIT_EXCEEDED when too many requests of the connection wait.
    func note(
        in context: RequestContext, on device: Device,
        reply: @escaping (SDKAnswer) -> ServerFrame.Body
    ) throws(BridgeError) -> PendingCall {
        try requireRoom(in: context.session)
        let now = now(of: device)
        let pending = PendingCall(
            context, call: device.makeCallID(), device: device,
            deadline: context.deadlineMs == 0
                ? nil : now.advanced(byMs: Int64(context.deadlineMs)),
            reply: reply)
        device.pending[pending.call] = pending
        context.session.wait(for: pending)
        return pending
    }

    /// - Throws: LIMIT_EXCEEDED when too many requests of the connection wait.
    func requireRoom(in session: ClientSession) throws(BridgeError) {
        guard session.pending.count < Int(limits.pendingRequestsMax) else {
            throw BridgeError(
                .limitExceeded,
                "pendingRequestsMax: \(limits.pendingRequestsMax) requests of this connection wait; "
                    + "await some answers first", isRetryable: true)
        }
    }

    /// Records, delivers and answers what a device handed over, in order, and empties the list.
    func settle(_ outputs: inout [DeviceOutput], of device: Device) {
        if outputs.count == 1 {
            settle(outputs.removeLast(), of: device)  // as most gestures cause: moved, not copied
        } else {
            for output in outputs { settle(output, of: device) }
            outputs.removeAll(keepingCapacity: true)
        }
    }

    @inline(__always)
    private func settle(_ output: consuming DeviceOutput, of device: Device) {
        switch consume output {
        case .callback(let callback): publish(callback, of: device)
        case .answer(let call, let result): finish(call, result, of: device)
        }
    }

    private func finish(
        _ call: CallID, _ result: Result<SDKAnswer, DeviceFault>, of device: Device
    ) {
        guard let pending = forget(call, of: device) else { return }
        switch result {
        case .success(let answer): respond(pending.reply(answer), to: pending)
        case .failure(let fault): respond(.error(ErrorReply(BridgeError(fault))), to: pending)
        }
    }

    /// Takes a waiting request out of both books.
    @discardableResult
    func forget(_ call: CallID, of device: Device) -> PendingCall? {
        guard let pending = device.pending.removeValue(forKey: call) else { return nil }
        if device.pending.isEmpty { device.pending = [:] }  // an idle one keeps no room
        pending.session.pending.removeAll { $0 === pending }
        return pending
    }

    func respond(_ body: ServerFrame.Body, to pending: WaitingRequest) {
        let session = pending.session
        countAnswer(body, to: pending)
        if pending.requestID != 0 {
            write(body, id: pending.requestID, methodIndex: pending.methodIndex, to: session)
        }
        session.connection.settled()
        if log.level >= .info {
            logRequest(pending.method, session, body, sinceNs: pending.startedNs)
        }
    }

    // MARK: Time

    /// Arms the timer of a device for what is due next, if its clock runs by itself.
    func reschedule(_ device: Device) {
        guard !device.clock.isManual else { return }
        // While nothing can be saved nothing happens by itself; it does when the store resumes.
        let due = store.fault == nil ? device.nextDue : nil
        if device.timer?.due == due { return }
        if let timer = device.timer { timers.cancel(timer.token) }
        device.timer = due.map { due in
            let token = timers.schedule(atNs: device.clock.monotonicNs(of: due)) {
                [unowned self, unowned device] in
                endTime()
                device.timer = nil
                guard store.fault == nil else { return }
                advance(device, to: now(of: device))
            }
            return (token, due)
        }
    }

    /// Lets everything happen that is due up to an instant, in the order of its due time.
    ///
    /// Stops after `dueInstantsMax` instants, so that a timer that starts itself anew holds nobody
    /// up; what is left of a real clock's time comes with the next wake-up.
    /// - Returns: Whether the instant was reached.
    @discardableResult
    func advance(_ device: Device, to target: Instant) -> Bool {
        var instants: UInt64 = 0
        touch(device)
        defer { reschedule(device) }
        while let due = device.nextDue, due <= target {
            guard instants < limits.dueInstantsMax else { return false }
            instants += 1
            device.clock.set(to: due)
            settling(device) { device.core.advance(to: due, outputs: &$0) }
            for pending in device.expired(at: due) { expire(pending) }
        }
        device.clock.set(to: target)
        return true
    }

    private func expire(_ pending: PendingCall) {
        guard forget(pending.call, of: pending.device) != nil else { return }
        _ = pending.device.core.expire(pending.call)
        let error = BridgeError(
            .deadlineExceeded, "\(pending.method) had no answer within its deadline_ms",
            isRetryable: true)
        respond(.error(ErrorReply(error)), to: pending)
    }
}
