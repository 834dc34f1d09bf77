import BridgeProtocol
import Testing

@testable import BridgeTransport

@Suite("Connections keep their deadlines")
struct ConnectionDeadlineTests {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        limits.firstByteMs = 3_600_000
        limits.helloMs = 3_600_000
        limits.unfinishedFrameMs = 3_600_000
        change(&limits)
        return limits
    }

    @Test("a peer that sends nothing is closed in time", arguments: ["", " ", "\n\n", "{"])
    func firstByte(bytes: String) throws {
        let bench = try LoopBench(limits { $0.firstByteMs = 30 })
        let peer = bench.connect()
        peer.send(bytes)
        try bench.turn { !bench.handler.closed.isEmpty }
        #expect(bench.handler.faults.count == 1)
        #expect(
            bench.handler.faults.first?.contains("sent nothing within 30 ms (firstByteMs)") == true)
        #expect(!peer.received().isEmpty)
    }

    @Test("a binary peer that says no hello is closed in time")
    func hello() throws {
        let bench = try LoopBench(limits { $0.helloMs = 30 })
        let peer = bench.connect()
        peer.send([0, 0, 0, 9, 1])
        try bench.turn { !bench.handler.closed.isEmpty }
        #expect(
            bench.handler.faults.first?.contains("sent no hello within 30 ms (helloMs)") == true)
    }

    @Test(
        "greeted or in line mode, neither deadline holds any more",
        arguments: [WireMode.binary, .line])
    func greeted(mode: WireMode) throws {
        let bench = try LoopBench(
            limits {
                $0.helloMs = 30
                $0.firstByteMs = 30
            })
        let peer = bench.connect()
        peer.send(mode == .binary ? [0, 0, 0, 1, 7] : Array("{}\n".utf8))
        try bench.turn { bench.handler.frames.count == 1 }
        bench.loop.connections.values.first?.greeted()
        bench.turn(for: .milliseconds(90))
        #expect(bench.handler.closed.isEmpty)
        #expect(!peer.received().isEmpty)
    }

    @Test(
        "row 18: a frame that does not end is closed in time, in both modes",
        arguments: [WireMode.binary, .line])
    func unfinished(mode: WireMode) throws {
        let bench = try LoopBench(limits { $0.unfinishedFrameMs = 30 })
        let peer = bench.connect()
        peer.send(mode == .binary ? [0, 0, 0, 1, 7] : Array("{}\n".utf8))
        try bench.turn { bench.handler.frames.count == 1 }
        bench.loop.connections.values.first?.greeted()
        peer.send(mode == .binary ? [0, 0, 0, 9, 7] : Array("{\"id\"".utf8))
        try bench.turn { !bench.handler.closed.isEmpty }
        #expect(
            bench.handler.faults.first?.contains(
                "did not finish a frame within 30 ms (unfinishedFrameMs)") == true)
        withExtendedLifetime(peer) {}
    }

    @Test("the first line has the time of a line, not that of the first byte")
    func firstLine() throws {
        let bench = try LoopBench(
            limits {
                $0.firstByteMs = 30
                $0.unfinishedFrameMs = 150
            })
        let peer = bench.connect()
        peer.send("{\"id\"")
        try bench.turn { !bench.handler.closed.isEmpty }
        #expect(bench.handler.faults.first?.contains("unfinishedFrameMs") == true)
        withExtendedLifetime(peer) {}
    }

    @Test(
        "each frame has its own time: a busy peer whose reads end within frames stays",
        arguments: [WireMode.binary, .line])
    func busy(mode: WireMode) throws {
        let bench = try LoopBench(limits { $0.unfinishedFrameMs = 60 })
        let peer = bench.connect()
        let frame: [UInt8] = mode == .binary ? [0, 0, 0, 2, 7, 7] : Array("{\"a\":1}\n".utf8)
        peer.send(frame + Array(frame[..<3]))
        try bench.turn { bench.handler.frames.count == 1 }
        bench.loop.connections.values.first?.greeted()
        bench.turn(for: .milliseconds(250)) {
            peer.send(Array(frame[3...] + frame[..<3]))
            _ = peer.received()
        }
        #expect(bench.handler.faults == [])
        #expect(bench.handler.frames.count > 10)
    }

    @Test("a peer that does not read its last frame is let go in time")
    func closing() throws {
        let bench = try LoopBench(limits { $0.unfinishedFrameMs = 30 })
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: 4 << 20) }
        let peer = bench.connect()
        peer.send([0, 0, 0, 1, 7])
        try bench.turn { bench.handler.frames.count == 1 }
        bench.loop.connections.values.first?.close(reason: "enough")
        try bench.turn { !bench.handler.closed.isEmpty }
        #expect(bench.handler.closed == ["enough"])
        withExtendedLifetime(peer) {}
    }
}
