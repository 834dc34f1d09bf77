import BridgeProtocol
import BridgeStore
import BridgeTransport
import CLinux
import FlowEngine
import Glibc

/// A broker on a loop, with the signals that end it.
public final class Server {
    /// Serves the requests.
    public let broker: Broker
    /// Carries the connections.
    public let loop: EventLoop
    private let worker: ThreadWorker
    private let log: Log
    private let store: (any Store)?
    private var service: ServiceManager?
    /// The code of the start stays resident for so long.
    private static let codeKeptNs: UInt64 = 1_000_000_000

    /// Makes a server that does not listen yet.
    ///
    /// - Parameter store: what the broker keeps, and what it finds; nil: memory.
    /// - Throws: when the system gives no descriptors, and when the store cannot be taken over.
    public init(
        configuration: BrokerConfiguration, access: AccessRule, log: Log,
        store: (any Store)? = nil
    ) throws(TransportError) {
        let timers = TimerQueue(nowNs: fb_monotonic_ns())
        worker = try ThreadWorker(
            name: "files", piecesMax: Int(clamping: configuration.limits.workQueueMax))
        broker = Broker(
            configuration: configuration, timers: timers, worker: worker, store: store,
            wallMs: { fb_wall_ms() }, log: log)
        loop = try EventLoop(
            limits: configuration.limits, access: access, handler: broker, timers: timers)
        try loop.attach(worker)
        self.log = log
        self.store = store
        do throws(StoreFault) {
            try broker.restore()
        } catch {
            throw TransportError(error.message, isConfiguration: true)
        }
        try broker.attachStore(to: loop)
    }

    /// Serves until SIGTERM or SIGINT; a second signal ends the grace. SIGHUP reads the catalog
    /// again.
    ///
    /// Says on standard output when it is ready: one line of JSON with the socket's path, the pid
    /// and the version.
    ///
    /// - Parameter service: the service manager that is told how it goes.
    /// - Parameter parent: with its end the broker ends as with SIGTERM.
    public func serve(
        _ listeners: [Listener], service: ServiceManager? = nil, parent: ParentProcess? = nil
    ) throws(TransportError) {
        let signals = fb_signal_descriptor()
        guard signals >= 0 else {
            throw TransportError("signalfd: \(errorText(signals))", isConfiguration: false)
        }
        defer { fb_close(signals) }
        raiseDescriptorLimit()
        self.service = service
        try loop.addSource(fd: signals) { [unowned self] in take(signals) }
        if let parent {
            try loop.addSource(fd: parent.descriptor) { [unowned self] in end(with: parent) }
        }
        let paths = listeners.map(\.path.path)
        for listener in listeners { try loop.serve(listener) }
        for path in paths {
            log(.notice, "listening", [("socket", path), ("pid", String(getpid()))])
        }
        sayReady(paths.first ?? "")
        tell(.ready("serving \(paths.joined(separator: ", "))"))
        service?.feedWatchdog(on: loop.timers)
        loop.timers.schedule(atNs: loop.nowNs + Self.codeKeptNs) { fb_release_code() }
        loop.run()
        store?.close()
        for path in paths { log(.notice, "stopped", [("socket", path)]) }
    }

    /// Takes all descriptors that the host gives, and says so when that is less than what the limits
    /// promise.
    private func raiseDescriptorLimit() {
        let most = fb_raise_descriptor_limit()
        guard most >= 0 else { return }
        loop.descriptorsMax = most
        let limits = broker.limits
        let wanted = limits.connectionsMax + limits.reservedDescriptors
        guard most < wanted else { return }
        log(
            .notice, "few_descriptors",
            [("limit", "connectionsMax"), ("wanted", String(wanted)), ("given", String(most))])
    }

    private func take(_ signals: Int32) {
        while case let number = fb_signal_next(signals), number > 0 {
            if number == SIGHUP { reload() } else { stop([("signal", String(number))]) }
        }
    }

    private func reload() {
        tell(.reloading)
        broker.reloadCatalog { [unowned self] in
            if !loop.isStopping { tell(.ready("serving the catalog \(broker.catalogName)")) }
        }
    }

    private func stop(_ cause: [(String, String)]) {
        log(.notice, "stopping", cause)
        if !loop.isStopping { tell(.stopping("\(loop.connections.count) connections to finish")) }
        loop.stop()
    }

    private func end(with parent: ParentProcess) {
        loop.removeSource(fd: parent.descriptor)
        if !loop.isStopping { stop([("parent", String(parent.pid))]) }
    }

    private func tell(_ state: ServiceState) {
        guard let fault = service?.tell(state) else { return }
        log(.error, "service_manager_untold", [("reason", fault.description)])
    }

    private func sayReady(_ path: String) {
        var line = PayloadWriter()
        line.beginObject()
        line.key("ready")
        line.bool(true)
        line.key("socket")
        line.string(path)
        line.key("pid")
        line.integer(Int64(getpid()))
        line.key("version")
        line.string(BrokerConfiguration.version)
        line.endObject()
        let bytes = line.bytes + [0x0A]
        fb_write_all(1, bytes, bytes.count)
    }
}
