import BridgeProtocol
import Testing

@testable import BridgeTransport

@Suite("The grace of a stop")
struct ShutdownGraceTests {
    @Test(
        "shutdownGraceMs: a millisecond before its end what waits is served, at its end nothing is",
        arguments: [1, 10_000, 3_600_000] as [UInt64])
    func grace(ms: UInt64) throws {
        let (bench, peer) = try Self.stopped(graceMs: ms)
        bench.advance(ms: ms - 1)
        #expect(!bench.loop.isFinished)
        peer.send("[]\n")
        bench.advance(ms: 0)
        #expect(peer.received() == Array("[]".utf8))
        #expect(bench.handler.closed == [])
        bench.advance(ms: 1)
        #expect(bench.loop.isFinished)
        peer.send("[]\n")
        bench.loop.run()
        #expect(bench.handler.closed == [CloseReason.stopped])
        #expect(peer.received() == [])
    }

    @Test("shutdownGraceMs: with none the end is at once")
    func noGrace() throws {
        let (bench, peer) = try Self.stopped(graceMs: 0)
        #expect(bench.loop.isFinished)
        bench.loop.run()
        #expect(bench.handler.closed == [CloseReason.stopped])
        withExtendedLifetime(peer) {}
    }

    /// A loop that was told to stop while a request waits that nothing answers.
    static func stopped(graceMs: UInt64) throws -> (LoopBench, BenchPeer) {
        var limits = Limits()
        try limits.set("shutdownGraceMs=\(graceMs)")
        let bench = try LoopBench(limits)
        bench.stopClock()
        let peer = bench.connect()
        peer.send("{}\n")
        bench.advance(ms: 0)
        _ = peer.received()
        bench.handler.waiting = true
        bench.loop.stop()
        return (bench, peer)
    }
}
