import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

@testable import BridgeTransport

@Suite("The listener outlives failed accepts")
struct AcceptBackoffTests {
    @Test(
        "acceptBackoffMs, acceptBackoffMaxMs: waits double from the one to the other, and start again"
    )
    func doubling() {
        var limits = Limits()
        limits.acceptBackoffMs = 3
        limits.acceptBackoffMaxMs = 20
        var backoff = AcceptBackoff()
        #expect((0..<6).map { _ in backoff.failed(limits) } == [3, 6, 12, 20, 20, 20])
        backoff.succeeded()
        #expect(backoff.failed(limits) == 3)
    }

    @Test("row 24: in ten seconds without descriptors at most 100 accepts fail")
    func tenSeconds() {
        var backoff = AcceptBackoff()
        var (spentMs, failures) = (0 as UInt64, 0)
        while spentMs < 10_000 {
            failures += 1
            spentMs += backoff.failed(Limits())
        }
        #expect(failures <= 100)
        #expect(failures == 16)
    }

    @Test("row 25: after a failed accept the listener waits its time, then serves")
    func recovers() throws {
        let bench = try LoopBench()
        bench.stopClock()
        let path = "@fbtest-\(UUID().uuidString)"
        try bench.loop.serve(Listener.open(at: SocketPath(path)))
        let listening = try #require(bench.loop.listeners.keys.first)
        bench.loop.backOff(listening)
        let peer = BenchPeer(fd: fb_socket_connect(path))
        bench.advance(ms: 9)
        #expect(bench.handler.opened == 0)
        bench.advance(ms: 1)
        bench.advance(ms: 0)
        #expect(bench.handler.opened == 1)
        withExtendedLifetime(peer) {}
    }

    @Test("a stop while the listener waits leaves nothing to wake")
    func stopped() throws {
        let bench = try LoopBench()
        bench.stopClock()
        try bench.loop.serve(Listener.open(at: SocketPath("@fbtest-\(UUID().uuidString)")))
        bench.loop.backOff(try #require(bench.loop.listeners.keys.first))
        bench.loop.stop()
        bench.advance(ms: 2_000)
        #expect(bench.loop.isFinished)
    }

    @Test("reservedDescriptors: as many connections as leave them, and not one more")
    func reserved() throws {
        let bench = try LoopBench()
        let path = "@fbtest-\(UUID().uuidString)"
        try bench.loop.serve(Listener.open(at: SocketPath(path)))
        let peer = PeerCredentials(pid: 1, uid: 0)
        #expect(bench.loop.shortage(1_000_000) == nil)
        bench.loop.descriptorsMax = 100
        #expect(bench.loop.shortage(100 - 32 - 1) == nil)
        let refusal = try #require(bench.loop.shortage(100 - 32))
        #expect(refusal.code == .limitExceeded && refusal.isRetryable)
        #expect(refusal.message.contains("reservedDescriptors"))
        #expect(refusal.message.contains("32") && refusal.message.contains("100"))
        // The peer is told, and the connection closes.
        bench.loop.descriptorsMax = 0
        let one = BenchPeer(fd: fb_socket_connect(path))
        try bench.turn { bench.handler.closed.count == 1 }
        #expect(String(decoding: one.received(), as: UTF8.self).contains("reservedDescriptors"))
        #expect(bench.loop.refusal(of: peer) == nil)
    }
}

extension LoopBench {
    /// From now on time passes only by `advance`.
    func stopClock() {
        nowNs = fb_monotonic_ns()
        loop.clock = { [unowned self] in nowNs }
    }

    /// Lets time pass, and turns the loop once.
    func advance(ms: UInt64) {
        nowNs += ms * 1_000_000
        loop.turn(waitMs: 0)
    }
}
