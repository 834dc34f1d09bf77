import BridgeBroker
import BridgeCatalog
import BridgeProtocol
import BridgeStore
import CLinux
import Foundation
import SDKCore
import TestSupport
import Testing

@testable import BridgeTransport

/// The four ways to the same broker: both modes, without a socket and through a real one.
enum Wire: String, CaseIterable, CustomTestStringConvertible {
    case binaryInProcess, lineInProcess, binarySocket, lineSocket

    var mode: WireMode {
        self == .binaryInProcess || self == .binarySocket ? .binary : .line
    }

    var usesSocket: Bool { self == .binarySocket || self == .lineSocket }

    var testDescription: String { rawValue }
}

/// No test waits longer than this for anything, in milliseconds.
let sharedTimeoutMs: Int32 = 20_000

/// What a test broker is started with.
struct TestSetup: Sendable {
    var limits = Limits()
    var catalog: Catalog = TestCatalogs.sample
    var access = AccessRule()
    /// The host's clock, in Unix ms.
    var wallMs: @Sendable () -> Int64 = { 1_750_000_000_000 }
}

/// A broker for one test, reached in process or through a socket of its own.
class TestBroker {
    let setup: TestSetup

    fileprivate init(setup: TestSetup) {
        self.setup = setup
    }

    static func start(_ wire: Wire, _ setup: TestSetup = TestSetup()) -> TestBroker {
        wire.usesSocket ? SocketBroker(setup: setup) : InProcessBroker.make(setup)
    }

    /// A connection that has said nothing yet.
    func connect() throws -> any TestWire { preconditionFailure("abstract") }

    /// A client that speaks this mode and has been greeted.
    func client(_ mode: WireMode) throws -> TestClient {
        let client = TestClient(wire: try connect(), mode: mode)
        if mode == .binary { try client.hello() }
        return client
    }

    fileprivate static func makeBroker(
        _ setup: TestSetup, _ timers: TimerQueue, _ worker: any Worker, _ store: (any Store)?
    ) throws -> Broker {
        let broker = Broker(
            configuration: BrokerConfiguration(
                limits: setup.limits, catalog: setup.catalog, catalogName: "test"),
            timers: timers, worker: worker, store: store, wallMs: setup.wallMs,
            log: Log(level: .error, write: { _ in }))
        try broker.restore()
        return broker
    }
}

/// Bytes to the broker and back.
protocol TestWire: AnyObject {
    func send(_ bytes: [UInt8]) throws
    /// What has come, at least one byte; nil when the broker has closed.
    func receive() throws -> [UInt8]?
    func endInput() throws
}

struct TestTimeout: Error {}

// MARK: In process

final class InProcessBroker: TestBroker {
    let timers = TimerQueue()
    let worker = TestWorker()
    let broker: Broker
    let transport: InProcessTransport
    private let folder: String
    private let store: (any Store)?

    /// Over the store that `FLOWBRIDGE_TEST_STORE` names.
    static func make(_ setup: TestSetup) -> InProcessBroker {
        let folder = Daemon.makeFolder()
        do {
            let store = try TestStore.make(setup.limits, in: folder)
            return InProcessBroker(setup: setup, store: store, folder: folder)
        } catch {
            preconditionFailure("the test store did not open: \(error)")
        }
    }

    init(setup: TestSetup, store: (any Store)?, folder: String = "") {
        do {
            broker = try Self.makeBroker(setup, timers, worker, store)
        } catch {
            preconditionFailure("the test broker did not start: \(error)")
        }
        self.store = store
        self.folder = folder
        transport = InProcessTransport(limits: setup.limits, handler: broker)
        super.init(setup: setup)
    }

    deinit {
        store?.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    override func connect() -> any TestWire {
        InProcessWire(self)
    }

    /// A client of another user, that has said nothing yet.
    func client(_ mode: WireMode, uid: UInt32) -> TestClient {
        TestClient(wire: InProcessWire(self, uid: uid), mode: mode)
    }

    /// Lets host time pass.
    func pass(ms: UInt64) {
        timers.wake(atNs: timers.nowNs + ms * 1_000_000)
        timers.run()
    }

    /// What a connection gets, when the store has saved what it waits for.
    fileprivate func settle(_ connection: Connection, _ first: [UInt8]) -> [UInt8] {
        var bytes = first
        while broker.waitForStore() || connection.heldBytes > 0 {
            bytes += transport.takeOutput(of: connection)
        }
        return bytes
    }
}

private final class InProcessWire: TestWire {
    private let broker: InProcessBroker
    private let connection: Connection
    private var received: [UInt8] = []

    init(_ broker: InProcessBroker, uid: UInt32 = 0) {
        self.broker = broker
        connection = broker.transport.connect(peer: PeerCredentials(pid: 0, uid: uid))
    }

    func send(_ bytes: [UInt8]) {
        received += broker.settle(connection, broker.transport.exchange(bytes, on: connection))
    }

    func receive() throws -> [UInt8]? {
        received += broker.settle(
            connection, broker.transport.takeOutput(of: connection))
        defer { received = [] }
        if !received.isEmpty { return received }
        if connection.isClosing || !connection.isOpen { return nil }
        throw TestTimeout()
    }

    func endInput() {
        received += broker.settle(connection, broker.transport.endInput(of: connection))
    }
}

/// Works at once, or holds work back until a test lets it go on.
final class TestWorker: Worker {
    var isHolding = false
    var isFull = false
    private let direct = DirectWorker()
    private var held: [() -> Void] = []

    func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, deliver: @escaping (Value) -> Void
    ) throws(BridgeError) -> WorkToken {
        if isFull { throw BridgeError(.limitExceeded, "full") }
        guard isHolding else { return direct.run(work, deliver: deliver) }
        held.append { [direct] in direct.run(work, deliver: deliver) }
        return WorkToken(number: UInt64(held.count))
    }

    func withdraw(_ token: WorkToken) {
        guard isHolding else { return }
        held[Int(token.number) - 1] = {}
    }

    /// Does the work that was held back, in order.
    func letGo() {
        for work in held { work() }
        held = []
    }
}

// MARK: Through a socket

final class SocketBroker: TestBroker {
    private let live: LiveBroker

    override init(setup: TestSetup) {
        live = LiveBroker { _, serve in try Self.run(setup, serve) }
        super.init(setup: setup)
    }

    override func connect() throws -> any TestWire {
        try SocketWire(path: live.path, keeping: self)
    }

    private static func run(_ setup: TestSetup, _ serve: LiveBroker.Serving) throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try TestStore.make(setup.limits, in: folder)
        let timers = TimerQueue()
        let worker = try ThreadWorker(name: "test", piecesMax: Int(setup.limits.workQueueMax))
        let broker = try makeBroker(setup, timers, worker, store)
        let loop = try EventLoop(
            limits: setup.limits, access: setup.access, handler: broker, timers: timers)
        try loop.attach(worker)
        try broker.attachStore(to: loop)
        try serve(loop)
        store?.close()
    }
}

final class SocketWire: TestWire {
    let fd: Int32
    /// A test may hold on to a client alone; its broker lives as long.
    private let broker: TestBroker?

    init(path: String, keeping broker: TestBroker? = nil) throws {
        self.broker = broker
        fb_ignore_sigpipe()
        fd = fb_socket_connect(path)
        guard fd >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: -fd) ?? .EIO) }
    }

    deinit {
        fb_close(fd)
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                fb_send(fd, buffer.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            guard count > 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: Int32(-count)) ?? .EIO)
            }
            sent += count
        }
    }

    func receive() throws -> [UInt8]? {
        var ready = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, sharedTimeoutMs) > 0 else { throw TestTimeout() }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fb_read(fd, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    func endInput() {
        fb_socket_shutdown_write(fd)
    }
}
