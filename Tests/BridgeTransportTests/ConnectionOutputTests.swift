import BridgeProtocol
import Testing

@testable import BridgeTransport

@Suite("What is written leaves, or is bounded")
struct ConnectionOutputTests {
    @Test("row 28: a peer that goes while its requests are answered harms nobody")
    func gone() throws {
        var limits = Limits()
        limits.queueSoftBytes = 1_024
        let bench = try LoopBench(limits)
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: 2_000) }
        let other = bench.connect()
        let peer = bench.connect()
        let frame: [UInt8] = [0, 0, 0, 2, 7, 7]
        peer.send(Array(frame[..<3]))
        bench.loop.turn(waitMs: 10)
        // The rest of a begun frame, more frames behind it, and the peer is gone.
        peer.send(Array(frame[3...]) + frame + frame + Array(frame[..<2]))
        peer.close()
        try bench.turn { bench.handler.closed.count == 1 }
        other.send(frame)
        let before = bench.handler.frames.count
        try bench.turn { bench.handler.frames.count == before + 1 }
        bench.loop.turn(waitMs: 10)
        #expect(other.received().count == 2_000)
    }

    @Test("row 11: over the hard limit no further request of the same read is served")
    func hardLimit() throws {
        var limits = Limits()
        limits.queueHardBytes = 1 << 20
        let bench = try LoopBench(limits)
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: 100_000) }
        let peer = bench.connect()
        peer.send((0..<1_000).flatMap { _ in [0, 0, 0, 1, 7] as [UInt8] })
        try bench.turn { !bench.handler.closed.isEmpty }
        #expect(bench.handler.frames.count < 20)
        #expect(bench.handler.closed.first?.contains("queueHardBytes") == true)
        withExtendedLifetime(peer) {}
    }

    @Test("a reader that reads has room, however much one wake-up makes")
    func room() throws {
        var limits = Limits()
        limits.queueSoftBytes = 1_024
        let bench = try LoopBench(limits)
        let peer = bench.connect()
        let connection = try #require(bench.loop.connections.values.first)
        for _ in 0..<20 {
            #expect(connection.hasRoom(limits))
            [UInt8](repeating: 7, count: 2_000).withUnsafeBytes {
                connection.writableOutput().append($0)
            }
        }
        #expect(peer.received().count >= 36_000)
    }

    @Test("row 22: what came before a hang-up is served")
    func hangUp() throws {
        let bench = try LoopBench()
        bench.handler.answer = { _ in [] }
        let peer = bench.connect()
        peer.send((0..<30_000).flatMap { _ in [0, 0, 0, 1, 7] as [UInt8] })
        peer.close()
        try bench.turn { !bench.handler.closed.isEmpty }
        #expect(bench.handler.frames.count == 30_000)
    }

    @Test("stopping serves what was sent before, then ends")
    func stopping() throws {
        let bench = try LoopBench()
        let peer = bench.connect()
        peer.send((0..<30_000).flatMap { _ in [0, 0, 0, 1, 7] as [UInt8] })
        bench.loop.stop()
        bench.loop.run()
        #expect(bench.handler.frames.count == 30_000)
        #expect(peer.received().count == 30_000)
        #expect(bench.handler.closed == ["the broker stopped"])
    }

    @Test("row 9: over the limit of a user the largest queue goes, and no other")
    func perUid() throws {
        var limits = Limits()
        limits.queuePerUidBytes = 4 << 20
        limits.unfinishedFrameMs = 50
        let bench = try LoopBench(limits)
        bench.handler.answer = { [UInt8](repeating: 7, count: Int($0[0]) << 20) }
        let peers = (0..<2).map { _ in bench.connect() }
        peers[0].send([0, 0, 0, 1, 2])
        peers[1].send([0, 0, 0, 1, 5])
        try bench.turn { !bench.handler.closed.isEmpty }
        bench.turn(for: .milliseconds(100))
        #expect(bench.handler.closed.count == 1)
        #expect(bench.handler.closed.first?.contains("queuePerUidBytes") == true)
        peers[0].send([0, 0, 0, 1, 1])
        try bench.turn { bench.handler.frames.count == 3 }
    }
}
