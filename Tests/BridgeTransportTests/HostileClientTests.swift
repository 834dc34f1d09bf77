import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

@testable import BridgeTransport

@Suite("A slow or hostile client harms itself alone")
struct HostileClientTests {
    /// How a client may keep the broker waiting, and the limit that ends it.
    struct Delay: CustomTestStringConvertible {
        let limit: String
        let bytes: [UInt8]
        var isGreeted = false
        var answer = 0
        var testDescription: String { limit }
    }

    static let delays = [
        Delay(limit: "firstByteMs", bytes: []),
        Delay(limit: "helloMs", bytes: [0, 0, 0, 9, 1]),
        Delay(limit: "unfinishedFrameMs", bytes: [0, 0, 0, 1, 7, 0, 0, 0, 9, 1], isGreeted: true),
        Delay(limit: "queueSoftMs", bytes: [0, 0, 0, 1, 7], isGreeted: true, answer: 3 << 20),
    ]

    @Test(
        "firstByteMs, helloMs, unfinishedFrameMs, queueSoftMs: until then it stays, then it is cut",
        arguments: delays)
    func deadlines(delay: Delay) throws {
        var limits = Limits()
        // Only the limit under test can end it.
        for name in Self.delays.map(\.limit) where name != delay.limit {
            try limits.set("\(name)=3600000")
        }
        let bench = try LoopBench(limits)
        bench.stopClock()
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: delay.answer) }
        let peer = bench.connect()
        peer.send(delay.bytes)
        bench.advance(ms: 0)
        if delay.isGreeted { bench.loop.connections.values.first?.greeted() }
        if delay.limit == "unfinishedFrameMs" {
            // The frame that was begun before the greeting is watched from the next byte on.
            peer.send([1])
            bench.advance(ms: 0)
        }
        let row = try #require(Limits.table.first { $0.name == delay.limit })
        var passed: UInt64 = 0
        while passed + 100 < limits[row] {
            bench.advance(ms: 100)
            passed += 100
        }
        bench.advance(ms: limits[row] - passed - 1)
        #expect(bench.handler.faults == [])
        #expect(bench.handler.closed == [])
        // Deadlines are looked at every half second at the latest.
        for _ in 0..<7 { bench.advance(ms: 100) }
        let reason = (bench.handler.faults + bench.handler.closed).first ?? ""
        #expect(reason.contains(delay.limit), "\(reason)")
        #expect(bench.loop.connections.isEmpty)
        withExtendedLifetime(peer) {}
    }

    @Test("a reader that stops for nine seconds and goes on stays, and gets everything")
    func slowReader() throws {
        let bench = try LoopBench()
        bench.stopClock()
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: 3 << 20) }
        let peer = bench.connect()
        peer.send([0, 0, 0, 1, 7])
        bench.advance(ms: 0)
        bench.loop.connections.values.first?.greeted()
        for _ in 0..<90 { bench.advance(ms: 100) }
        var received = 0
        while received < 3 << 20 {
            received += peer.received().count
            bench.advance(ms: 1)
        }
        for _ in 0..<120 { bench.advance(ms: 100) }
        #expect(received == 3 << 20)
        #expect(bench.handler.closed == [])
    }

    @Test("row 12: with both directions full neither side waits for the other")
    func bothFull() throws {
        var limits = Limits()
        limits.queueHardBytes = 1 << 30
        limits.queuePerUidBytes = 1 << 30
        let bench = try LoopBench(limits)
        bench.handler.answer = { $0.count == 1 ? $0 : [UInt8](repeating: 7, count: $0.count) }
        let (peer, other) = (bench.connect(), bench.connect())
        let payload = [UInt8](repeating: 9, count: 60_000)
        let frame = [0, 0, UInt8(60_000 >> 8), UInt8(60_000 & 0xFF)] + payload
        // The peer writes 6 MB and reads nothing: the broker reads on, and serves others.
        var sent = 0
        let all = (0..<100).flatMap { _ in frame }
        while sent < all.count {
            sent += peer.send(Array(all[sent..<min(sent + 200_000, all.count)]))
            other.send([0, 0, 0, 1, 5])
            let before = bench.handler.frames.count { $0.count == 1 }
            try bench.turn { bench.handler.frames.count { $0.count == 1 } > before }
        }
        try bench.turn { bench.handler.frames.count { $0.count > 1 } == 100 }
        #expect(other.received().allSatisfy { $0 == 5 })
        // What was answered meanwhile waits for it.
        var received = 0
        try bench.turn {
            received += peer.received().count
            return received == 100 * 60_000
        }
        #expect(bench.handler.closed == [])
    }

    @Test("row 14 row 15: a length that claims the cap costs what has arrived, and no more")
    func claimedLength() throws {
        var limits = Limits()
        limits.ungreetedConnectionsMax = 1_000
        limits.connectionsPerUidMax = 1_000
        let bench = try LoopBench(limits)
        let cap = UInt32(limits.frameBytesMax)
        let header = withUnsafeBytes(of: cap.bigEndian) { Array($0) }
        let peers = (0..<200).map { _ in bench.connect() }
        for peer in peers { peer.send(header + [1, 2, 3]) }
        try bench.turn {
            bench.loop.connections.values.allSatisfy { $0.splitter.isInsideFrame }
        }
        #expect(bench.loop.connections.count == 200)
        let kept = bench.loop.connections.values.compactMap { $0.splitter.partial?.capacity }
        #expect(kept.count == 200)
        #expect(kept.max() ?? 0 <= 4_096)
        // What arrives is kept, doubled at the most.
        peers[0].send([UInt8](repeating: 1, count: 50_000))
        try bench.turn {
            bench.loop.connections.values.contains { ($0.splitter.partial?.capacity ?? 0) > 50_000 }
        }
        let most = bench.loop.connections.values.compactMap { $0.splitter.partial?.capacity }.max()
        #expect(most ?? 0 <= 128 << 10)
    }

    @Test("one byte at a time gives the same answers", arguments: [WireMode.binary, .line])
    func oneByte(mode: WireMode) throws {
        let bench = try LoopBench()
        let peer = bench.connect()
        let frame: [UInt8] =
            mode == .binary ? [0, 0, 0, 3, 7, 8, 9] : Array("{\"a\":1}\n".utf8)
        let payload = mode == .binary ? Array(frame[4...]) : Array(frame.dropLast())
        for _ in 0..<3 {
            for byte in frame {
                peer.send([byte])
                bench.loop.turn(waitMs: 10)
            }
        }
        #expect(bench.handler.frames == [payload, payload, payload])
        #expect(peer.received() == payload + payload + payload)
    }

    @Test("row 29: a storm of connections takes 64 a wake-up, and who is there is served with them")
    func storm() throws {
        var limits = Limits()
        limits.ungreetedConnectionsMax = 1_000
        limits.connectionsPerUidMax = 1_000
        let bench = try LoopBench(limits)
        let path = "@fbtest-\(UUID().uuidString)"
        try bench.loop.serve(Listener.open(at: SocketPath(path)))
        let healthy = bench.connect()
        let storm = (0..<300).map { _ in BenchPeer(fd: fb_socket_connect(path)) }
        healthy.send([0, 0, 0, 1, 7])
        bench.loop.turn(waitMs: 10)
        #expect(bench.handler.opened == 1 + 64)
        #expect(healthy.received() == [7])
        try bench.turn { bench.handler.opened == 301 }
        withExtendedLifetime(storm) {}
    }

    @Test("readChunkBytes: as much in one read, and not one byte more; then it is others' turn")
    func chunk() throws {
        var limits = Limits()
        limits.readChunkBytes = 4_096
        let bench = try LoopBench(limits)
        let (greedy, other) = (bench.connect(), bench.connect())
        greedy.send((0..<4_000).flatMap { _ in [0, 0, 0, 1, 7] as [UInt8] })
        other.send([0, 0, 0, 1, 5])
        bench.loop.turn(waitMs: 10)
        #expect(bench.handler.frames.count { $0 == [7] } == 4_096 / 5)
        #expect(bench.handler.frames.count { $0 == [5] } == 1)
    }

    /// Peers that ask for so many MiB each and read nothing. Returns the bench and what waits.
    private func queues(
        _ sizes: [UInt8], perUid: UInt64
    ) throws -> (bench: LoopBench, peers: [BenchPeer], queued: Int) {
        var limits = Limits()
        limits.queuePerUidBytes = perUid
        let bench = try LoopBench(limits)
        bench.handler.answer = { [UInt8](repeating: 7, count: Int($0[0]) << 20) }
        let peers = sizes.map { _ in bench.connect() }
        for (peer, size) in zip(peers, sizes) { peer.send([0, 0, 0, 1, size]) }
        try bench.turn { bench.handler.frames.count == sizes.count }
        return (bench, peers, bench.loop.connections.values.reduce(0) { $0 + $1.queuedBytes })
    }

    @Test("queuePerUidBytes: as much as allowed cuts nobody, one byte more cuts the largest queue")
    func perUid() throws {
        let total = try queues([1, 3, 2], perUid: 1 << 30).queued
        let within = try queues([1, 3, 2], perUid: UInt64(total))
        #expect(within.bench.handler.closed == [])
        let over = try queues([1, 3, 2], perUid: UInt64(total) - 1)
        #expect(over.bench.handler.closed.count == 1)
        #expect(over.bench.handler.closed.first?.contains("queuePerUidBytes") == true)
        #expect(over.queued < total - 2 << 20)
        #expect(over.bench.loop.queuedPerUid.values.first == over.queued)
        withExtendedLifetime((within.peers, over.peers)) {}
    }

    @Test("row 9: of many who fill the user's queue so many go that the rest is within, at once")
    func manyCulprits() throws {
        let (bench, peers, queued) = try queues(
            [UInt8](repeating: 1, count: 12) + [7, 6], perUid: 4 << 20)
        #expect(queued <= 4 << 20)
        // The largest first, and no more than needed.
        #expect(bench.handler.closed.count < 14)
        #expect(queued > 2 << 20)
        peers[0].close()
        withExtendedLifetime(peers) {}
    }

    /// A connection whose queue has exactly so many bytes after one answer that is not read.
    private func queue(
        _ answer: Int, _ change: (inout Limits) -> Void
    ) throws -> (bench: LoopBench, peer: BenchPeer, limits: Limits) {
        var limits = Limits()
        change(&limits)
        let bench = try LoopBench(limits)
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: answer) }
        let peer = bench.connect()
        peer.send([0, 0, 0, 1, 7])
        try bench.turn { bench.handler.frames.count == 1 }
        return (bench, peer, limits)
    }

    @Test("queueHardBytes: as much as allowed stays, one byte more is cut")
    func hardLimit() throws {
        let queued = try queue(3 << 20) { _ in }.bench.loop.connections.values.first?.queuedBytes
        let most = try UInt64(#require(queued))
        let within = try queue(3 << 20) { $0.queueHardBytes = most }
        #expect(within.bench.handler.closed == [])
        let over = try queue(3 << 20) { $0.queueHardBytes = most - 1 }
        #expect(over.bench.handler.closed.first?.contains("queueHardBytes") == true)
    }

    @Test("queueSoftBytes: up to it there is room for events, one byte more and there is none")
    func softLimit() throws {
        let first = try queue(3 << 20) { _ in }
        let most = try #require(first.bench.loop.connections.values.first?.queuedBytes)
        for (limit, hasRoom) in [(most, true), (most - 1, false)] {
            let (bench, peer, limits) = try queue(3 << 20) { $0.queueSoftBytes = UInt64(limit) }
            #expect(bench.loop.connections.values.first?.hasRoom(limits) == hasRoom)
            withExtendedLifetime(peer) {}
        }
    }

    @Test("heldBytesMax: with so much held it is read from, with one byte more it is not")
    func heldLimit() throws {
        for (held, isRead) in [(2_048, true), (2_049, false)] {
            var limits = Limits()
            limits.heldBytesMax = 2_048
            let bench = try LoopBench(limits)
            let peer = bench.connect()
            let connection = try #require(bench.loop.connections.values.first)
            connection.hold(until: 1)
            bench.handler.answer = { _ in [UInt8](repeating: 7, count: held) }
            peer.send([0, 0, 0, 1, 1])
            try bench.turn { bench.handler.frames.count == 1 }
            bench.handler.answer = { _ in [] }
            peer.send([0, 0, 0, 1, 2])
            for _ in 0..<3 { bench.loop.turn(waitMs: 0) }
            #expect(bench.handler.frames.count == (isRead ? 2 : 1))
            // What is saved leaves, and reading goes on.
            connection.release(upTo: 1)
            bench.loop.turn(waitMs: 0)
            try bench.turn { bench.handler.frames.count == 2 }
            #expect(peer.received().count == held)
        }
    }
}
