import BridgeProtocol
import BridgeTransport
import CLinux
import Foundation
import Testing

/// Answers each frame with what a test says, and notes what it is told.
final class NotingHandler: ConnectionHandler {
    var answer: ([UInt8]) -> [UInt8] = { $0 }
    var opened = 0
    var frames: [[UInt8]] = []
    var faults: [String] = []
    var refusals: [BridgeError] = []
    var closed: [String] = []
    var waiting = false

    func connectionOpened(_ connection: Connection) { opened += 1 }

    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer) {
        frames.append(Array(bytes))
        append(answer(Array(bytes)), to: connection)
    }

    func connection(_ connection: Connection, refused error: BridgeError) {
        refusals.append(error)
        append(Array(error.message.utf8), to: connection)
    }

    func connection(_ connection: Connection, failed fault: FramingFault) {
        faults.append(fault.message)
        append(Array(fault.message.utf8), to: connection)
    }

    func hasPendingRequests(_ connection: Connection) -> Bool { waiting }

    func connectionClosed(_ connection: Connection, reason: String) { closed.append(reason) }

    func wakeUpEnded() {}

    var wantsAnotherTurn: Bool { false }

    private func append(_ bytes: [UInt8], to connection: Connection) {
        bytes.withUnsafeBytes { connection.writableOutput().append($0) }
    }
}

/// A loop that is turned by hand on the test's own thread.
final class LoopBench {
    let handler = NotingHandler()
    let loop: EventLoop
    /// What the loop takes for the time after `stopClock`.
    var nowNs: UInt64 = 0

    init(_ limits: Limits = Limits(), access: AccessRule = AccessRule()) throws {
        fb_ignore_sigpipe()
        loop = try EventLoop(
            limits: limits, access: access, handler: handler, timers: TimerQueue())
    }

    /// A connected peer.
    func connect() -> BenchPeer {
        var ends: [Int32] = [0, 0]
        fb_socket_pair(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        loop.adopt(fd: ends[0])
        return BenchPeer(fd: ends[1])
    }

    /// Turns the loop until something is so, for at most the time that all tests share.
    func turn(until isReached: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isReached() {
            guard ContinuousClock.now < end else { throw LoopTimeout() }
            loop.turn(waitMs: 10)
        }
    }

    /// Turns the loop while a span of time passes.
    func turn(for span: Duration, _ each: () -> Void = {}) {
        let end = ContinuousClock.now + span
        while ContinuousClock.now < end {
            each()
            loop.turn(waitMs: 5)
        }
    }
}

struct LoopTimeout: Error {}

/// The other end of a connection.
final class BenchPeer {
    private var fd: Int32

    init(fd: Int32) { self.fd = fd }

    deinit { close() }

    /// Returns how many bytes the kernel took.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { max(0, fb_send(fd, $0.baseAddress, $0.count)) }
    }

    func endInput() { fb_socket_shutdown_write(fd) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// What has come by now.
    func received() -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let count = fb_read(fd, &bytes, bytes.count), count > 0 {
            all += bytes[..<count]
        }
        return all
    }

    func close() {
        if fd >= 0 { fb_close(fd) }
        fd = -1
    }
}
