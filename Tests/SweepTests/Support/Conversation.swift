import BridgeBroker
import BridgeCatalog
import BridgeProtocol
import BridgeStore
import BridgeTransport
import CLinux
import CSystemFaults
import Foundation

/// The fixed conversation during which a system call fails: a broker starts, an app goes through
/// the sample flow while somebody else pings, both leave, a third one comes, the broker stops.
///
/// All of it on one thread, turn by turn, so that the same call is the n-th each time.
final class Conversation {
    /// What came of it.
    struct Outcome {
        /// The name of the call that failed; nil: it was not reached.
        var met: String?
        /// The start was refused with this text, and tried again.
        var refusal: String?
        /// The catalog could not be loaded, and the former one is served.
        var isCatalogRefused = false
        var appIsCut = false
        var otherIsCut = false
        /// What did not happen as it has to.
        var faults: [String] = []
    }

    private let path: String
    private let catalogFolder: String
    private var outcome = Outcome()
    private let timers = TimerQueue()
    private let limits: Limits
    private var broker: Broker?
    private var loop: EventLoop?
    /// What the broker keeps, in a file, and how well; nil: memory.
    private let durability: Durability?
    private var store: SQLiteStore?
    private let storePath: String
    /// The last event that the app has seen.
    private var lastSequence: UInt64 = 0
    private let turnsMax: Int

    static let catalog = CatalogLoader.sample().catalog

    init(folder: String, turnsMax: Int, durability: Durability?) {
        path = folder + "/s"
        storePath = folder + "/store.db"
        self.durability = durability
        self.turnsMax = turnsMax
        catalogFolder =
            URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../examples/catalog").standardized.path
        var limits = Limits()
        limits.acceptBackoffMs = 1
        limits.acceptBackoffMaxMs = 1
        self.limits = limits
    }

    /// Has it while the n-th call that can fail in this way, and the next ones, fail.
    static func run(
        _ kind: fb_fault_kind, _ n: UInt64, times: UInt64 = 1, in folder: String,
        without guards: fb_guard = FB_GUARD_NONE, turnsMax: Int = 2_000,
        durability: Durability? = nil
    ) -> Outcome {
        for name in ["", "-wal", "-shm", "-journal"] { unlink(folder + "/store.db" + name) }
        var seen: UInt64 = 0
        fb_faults_begin(kind, n, times)
        defer { fb_faults_end() }
        fb_faults_without(guards)
        var outcome = Outcome()
        do {
            let conversation = Conversation(
                folder: folder, turnsMax: turnsMax, durability: durability)
            conversation.go()
            outcome = conversation.outcome
            seen = conversation.lastSequence
        }
        outcome.met = fb_faults_met().map { String(cString: $0) }
        let left = fb_faults_descriptors()
        if left != 0 { outcome.faults.append("\(left) descriptors are left open") }
        // Where it cannot be told whose the file is it stays, and the next run starts over it.
        let mayStay = ["lstat", "unlink"].contains(outcome.met)
        if FileManager.default.fileExists(atPath: folder + "/s"), !mayStay {
            outcome.faults.append("the socket's file is left")
        }
        fb_faults_end()
        if durability != nil { outcome.faults += lost(folder + "/store.db", seen) }
        return outcome
    }

    /// What the app has seen has to be in the store.
    private static func lost(_ path: String, _ seen: UInt64) -> [String] {
        do throws(StoreFault) {
            let store = try SQLiteStore(path: path, durability: .process)
            defer { store.close() }
            let next = store.events.bounds(of: store.events.log(named: "phone")).nextSequence
            return next > seen ? [] : ["seen up to \(seen), saved before \(next)"]
        } catch {
            return ["the store is of no use after it: \(error.message)"]
        }
    }

    private func go() {
        do throws(TransportError) {
            try start()
        } catch {
            outcome.refusal = error.description
            (loop, broker, store) = (nil, nil, nil)
            do throws(TransportError) {
                try start()
            } catch {
                return fail("the second start failed: \(error)")
            }
        }
        let app = RawClient(path: path)
        let other = RawClient(path: path)
        // What has nothing to do with the store is tried without one.
        if durability == nil {
            ping(other, 1)
            loadCatalog(other)
        }
        driveFlow(app)
        if durability == nil { ping(other, 2) }
        for client in [app, other] { client.endInput() }
        wait("both to be let go", [app, other]) { app.isCut && other.isCut }
        serveThird()
        stop()
    }

    private func start() throws(TransportError) {
        guard let catalog = Self.catalog else { preconditionFailure("no sample catalog") }
        store = try openStore()
        let worker = try ThreadWorker(name: "sweep", piecesMax: 8)
        let broker = Broker(
            configuration: BrokerConfiguration(
                limits: limits, catalog: catalog, catalogName: "sample"),
            timers: timers, worker: worker, store: store, wallMs: { 1_750_000_000_000 },
            log: Log(level: .error, write: { _ in }))
        let loop = try EventLoop(
            limits: limits, access: AccessRule(), handler: broker, timers: timers)
        (self.broker, self.loop) = (broker, loop)
        try loop.attach(worker)
        do throws(StoreFault) {
            try broker.restore()
        } catch {
            throw TransportError(error.message, isConfiguration: true)
        }
        try broker.attachStore(to: loop)
        try loop.serve(Listener.open(at: SocketPath(path)))
    }

    private func openStore() throws(TransportError) -> SQLiteStore? {
        guard let durability else { return nil }
        do throws(StoreFault) {
            return try SQLiteStore(path: storePath, durability: durability)
        } catch {
            throw TransportError(error.message, isConfiguration: error.kind != .locked)
        }
    }

    /// Turns the loop and the clients until something holds; false for one that never does.
    private func wait(_ what: String, _ clients: [RawClient] = [], _ isDone: () -> Bool) {
        for _ in 0..<turnsMax {
            if isDone() { return }
            loop?.turn(waitMs: 1)
            for client in clients { client.turn() }
        }
        if !isDone() { fail("waited in vain for \(what)") }
    }

    private func fail(_ text: String) { outcome.faults.append(text) }

    // MARK: Who talks

    private func say(_ client: RawClient, _ id: UInt64, _ body: ClientFrame.Body) {
        var frame = ClientFrame()
        frame.id = id
        frame.body = body
        let buffer = ByteBuffer()
        _ = try? WireCoder().encode(frame, mode: .binary, into: buffer)
        client.say(Array(buffer.readable))
    }

    private static let hello = ClientFrame.Body.hello(
        with(HelloRequest()) { $0.protocolMajor = 1 })

    private func ping(_ client: RawClient, _ id: UInt64) {
        if id == 1 { say(client, 8, Self.hello) }
        // More than a socket's buffer holds, so that the broker has to wait for room.
        say(
            client, id,
            .ping(with(PingRequest()) { $0.payload = .init(repeating: 7, count: 400_000) }))
        wait("the other's ping \(id)", [client]) { client.answer(id) != nil || client.isCut }
        if client.answer(id) == nil { outcome.otherIsCut = true }
    }

    /// Work for another thread: files are read. A fault there is the answer's.
    private func loadCatalog(_ client: RawClient) {
        say(client, 9, .loadCatalog(with(LoadCatalogRequest()) { $0.path = catalogFolder }))
        wait("the catalog", [client]) { client.answer(9) != nil || client.isCut }
        guard case .error(let error)? = client.answer(9) else { return }
        if error.message.isEmpty || error.bridge == .internal {
            fail("load_catalog: \(error.bridge) \(error.message)")
        }
        outcome.isCatalogRefused = true
    }

    private func driveFlow(_ app: RawClient) {
        func ask(_ id: UInt64, _ body: ClientFrame.Body) -> ServerFrame.Body? {
            guard !outcome.appIsCut else { return nil }
            say(app, id, body)
            wait("answer \(id)", [app]) { app.answer(id) != nil || app.isCut }
            let answer = app.answer(id)
            if answer == nil { outcome.appIsCut = true }
            if case .error(let error) = answer { fail("answer \(id): \(error.message)") }
            return answer
        }
        _ = ask(1, Self.hello)
        _ = ask(
            2,
            .openDevice(
                with(OpenDeviceRequest()) {
                    $0.device = "phone"
                    $0.clock = with(DeviceClock()) {
                        $0.kind = .manual
                        $0.startMs = 5
                    }
                }))
        _ = ask(3, .subscribe(SubscribeRequest()))
        _ = ask(4, .activate(ActivateRequest()))
        _ = ask(5, .getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        guard case .getFlow(let reply)? = app.answer(5), let flow = reply.flow else { return }
        let made = ask(
            6,
            .getFlowConfiguration(
                with(GetFlowConfigurationRequest()) { $0.variationId = flow.variationId }))
        guard case .getFlowConfiguration(let configuration)? = made else { return }
        let view = ask(
            7,
            .createFlowController(
                with(CreateFlowControllerRequest()) {
                    $0.configurationId = configuration.configurationId
                }))
        guard case .createFlowController(let controller)? = view else { return }
        _ = ask(8, .present(with(PresentRequest()) { $0.viewId = controller.viewId }))
        _ = ask(9, .dismiss(with(DismissRequest()) { $0.viewId = controller.viewId }))
        lastSequence = app.events.last?.sequence ?? 0
        guard !outcome.appIsCut else { return }
        // The record has no gap and no double.
        let numbers = app.events.map(\.sequence)
        let first = numbers.first ?? 0
        if numbers.count < 4 || numbers != Array(first..<first + UInt64(numbers.count)) {
            fail("events \(numbers)")
        }
    }

    /// The listener is there for somebody who comes later; the fault may have been kept for them.
    private func serveThird() {
        for attempt in 1...4 {
            let third = RawClient(path: path)
            third.say(Array("{\"id\":1,\"ping\":{}}\n".utf8))
            wait("the third's ping", [third]) { third.answer(1) != nil || third.isCut }
            if third.answer(1) != nil { return }
            if attempt == 4 { fail("nobody is let in any more") }
        }
    }

    private func stop() {
        guard let loop else { return }
        loop.stop()
        loop.run()
        store?.close()
        (self.loop, broker, store) = (nil, nil, nil)
    }
}
