import BridgeProtocol
import CLinux
import Testing

@testable import BridgeTransport

/// A process that was stopped, or a machine that slept, for an hour: peers were not heard and could
/// not be answered for so long.
@Suite("A loop that stood still")
struct StandstillTests {
    private static let hourMs: UInt64 = 3_600_000

    @Test(
        "a frame of which the rest came meanwhile is read to its end", arguments: [0, 1, 100_000])
    func unfinishedFrame(sentBefore: Int) throws {
        let bench = try LoopBench()
        bench.stopClock()
        let peer = try greeted(bench)
        let frame = [0, 3, 0, 0] + [UInt8](repeating: 7, count: 3 << 16)
        var sent = peer.send(Array(frame[..<sentBefore]))
        for _ in 0..<20 { bench.advance(ms: 100) }
        sent += peer.send(Array(frame[sent...]))
        bench.advance(ms: Self.hourMs)
        while sent < frame.count {
            sent += peer.send(Array(frame[sent...]))
            bench.advance(ms: 1)
        }
        for _ in 0..<4 { bench.advance(ms: 100) }
        #expect(bench.handler.frames.map(\.count) == [1, 3 << 16])
        #expect(bench.handler.closed == [])
    }

    @Test("a reader over the soft limit that went on reading gets everything")
    func slowReader() throws {
        let bench = try LoopBench()
        bench.stopClock()
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: 3 << 20) }
        let peer = try greeted(bench)
        for _ in 0..<50 { bench.advance(ms: 100) }
        var received = peer.received().count
        bench.advance(ms: Self.hourMs)
        while received < 3 << 20, bench.handler.closed.isEmpty {
            received += peer.received().count
            bench.advance(ms: 1)
        }
        #expect(received == 3 << 20)
        #expect(bench.handler.closed == [])
    }

    @Test(
        "who is silent is cut when about the rest of its time has passed, not at once, not in an hour",
        arguments: [("firstByteMs", []), ("helloMs", [0, 0, 0, 9, 1])] as [(String, [UInt8])])
    func silent(limit: String, bytes: [UInt8]) throws {
        let bench = try LoopBench()
        bench.stopClock()
        let peer = bench.connect()
        peer.send(bytes)
        for _ in 0..<30 { bench.advance(ms: 100) }
        bench.advance(ms: Self.hourMs)
        // Another one that comes with the wake-up has its whole time, and no more.
        let late = bench.connect()
        late.send(bytes)
        let row = try #require(Limits.table.first { $0.name == limit })
        let leftMs = Limits()[row] - 3_000
        // Two steps of the sweep count, and one may pass before it looks.
        for _ in 0..<(leftMs / 100 - 11) { bench.advance(ms: 100) }
        #expect(bench.handler.faults == [])
        for _ in 0..<20 { bench.advance(ms: 100) }
        #expect(bench.handler.faults.count == 1)
        #expect(bench.handler.faults.first?.contains(limit) == true)
        for _ in 0..<30 { bench.advance(ms: 100) }
        #expect(bench.handler.faults.count == 2)
        withExtendedLifetime((peer, late)) {}
    }

    /// A peer whose first frame was served.
    private func greeted(_ bench: LoopBench) throws -> BenchPeer {
        let peer = bench.connect()
        peer.send([0, 0, 0, 1, 7])
        bench.advance(ms: 0)
        try #require(bench.loop.connections.values.first).greeted()
        return peer
    }
}
