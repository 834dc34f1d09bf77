import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

@testable import BridgeTransport

/// A guard of the transport, and a trial that tells whether the promise held that it keeps.
struct PositiveControl: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Runs with the guard or without it; true when the promise held.
    let holds: @Sendable (_ isGuarded: Bool) throws -> Bool

    init(
        _ description: String, _ holds: @escaping @Sendable (_ isGuarded: Bool) throws -> Bool
    ) {
        testDescription = description
        self.holds = holds
    }
}

/// That a test sees a fault is shown by taking away the guard it is about.
@Suite("A test without its guard fails")
struct PositiveControlTests {
    @Test(
        "each promise holds with its guard, and does not without",
        arguments: byLimit + queues + listeners)
    func control(control: PositiveControl) throws {
        #expect(try control.holds(true))
        #expect(try !control.holds(false))
    }

    /// A peer that does so much and no more, and a clock that goes on for a minute.
    private static func deadline(
        _ name: String, _ bytes: [UInt8], isGreeted: Bool = false, answer: Int = 0
    ) -> PositiveControl {
        PositiveControl("\(name): who keeps it waiting is cut") { isGuarded in
            var limits = Limits()
            for other in ["firstByteMs", "helloMs", "unfinishedFrameMs", "queueSoftMs"] {
                if other != name || !isGuarded { try limits.set("\(other)=3600000") }
            }
            let bench = try LoopBench(limits)
            bench.stopClock()
            bench.handler.answer = { _ in [UInt8](repeating: 7, count: answer) }
            let peer = bench.connect()
            peer.send(bytes)
            bench.advance(ms: 0)
            if isGreeted { bench.loop.connections.values.first?.greeted() }
            if isGreeted, answer == 0 { peer.send([1]) }
            for _ in 0..<600 { bench.advance(ms: 100) }
            return withExtendedLifetime(peer) { bench.loop.connections.isEmpty }
        }
    }

    private static func count(_ name: String) -> PositiveControl {
        PositiveControl("\(name): the fourth of three is refused") { isGuarded in
            var limits = Limits()
            if isGuarded { try limits.set("\(name)=3") }
            let bench = try LoopBench(limits)
            let peers = (0..<4).map { _ in bench.connect() }
            return withExtendedLifetime(peers) { bench.handler.refusals.count == 1 }
        }
    }

    static let byLimit = [
        deadline("firstByteMs", []),
        deadline("helloMs", [0, 0, 0, 9, 1]),
        deadline("unfinishedFrameMs", [0, 0, 0, 1, 7, 0, 0, 0, 9, 1], isGreeted: true),
        deadline("queueSoftMs", [0, 0, 0, 1, 7], isGreeted: true, answer: 3 << 20),
        count("connectionsMax"), count("connectionsPerUidMax"), count("ungreetedConnectionsMax"),
        PositiveControl("frameBytesMax: a length over it is refused before its payload comes") {
            isGuarded in
            let fault = [UInt8]([0, 0xFF, 0xFF, 0xFF]).withUnsafeBytes { bytes -> FramingFault? in
                do throws(FramingFault) {
                    try FrameSplitter().feed(
                        bytes, limits: Limits(), frameBytesMax: isGuarded ? 1 << 20 : .max,
                        pool: BufferPool()
                    ) { _ in true }
                    return nil
                } catch {
                    return error
                }
            }
            return fault != nil
        },
        PositiveControl("leadingSpaceBytesMax: white space is no beginning without end") {
            isGuarded in
            var limits = Limits()
            if !isGuarded { limits.leadingSpaceBytesMax = 4_096 }
            let spaces = [UInt8](repeating: 0x20, count: 65) + [UInt8]("{}\n".utf8)
            return spaces.withUnsafeBytes { bytes -> Bool in
                do throws(FramingFault) {
                    try FrameSplitter().feed(
                        bytes, limits: limits, frameBytesMax: 1 << 20, pool: BufferPool()
                    ) { _ in true }
                    return false
                } catch {
                    return true
                }
            }
        },
        PositiveControl("readChunkBytes: one read ends, and it is others' turn") { isGuarded in
            var limits = Limits()
            limits.readChunkBytes = isGuarded ? 4_096 : 1 << 20
            let bench = try LoopBench(limits)
            let greedy = bench.connect()
            greedy.send((0..<4_000).flatMap { _ in [0, 0, 0, 1, 7] as [UInt8] })
            bench.loop.turn(waitMs: 10)
            return withExtendedLifetime(greedy) { bench.handler.frames.count < 4_000 }
        },
        PositiveControl("workQueueMax: the third piece of two is refused") { isGuarded in
            let bench = try LoopBench()
            let worker = try ThreadWorker(name: "test", piecesMax: isGuarded ? 2 : 1_000)
            try bench.loop.attach(worker)
            let gate = Gate()
            try worker.run({ gate.pass() }, deliver: { _ in })
            gate.waitUntilReached()
            defer { withExtendedLifetime(worker) { gate.open() } }
            try worker.run({}, deliver: {})
            do {
                try worker.run({}, deliver: {})
                return false
            } catch {
                return true
            }
        },
        PositiveControl("acceptBackoffMs: few accepts fail in ten seconds") { isGuarded in
            var limits = Limits()
            if !isGuarded { (limits.acceptBackoffMs, limits.acceptBackoffMaxMs) = (0, 0) }
            var backoff = AcceptBackoff()
            var (spentMs, failures) = (0 as UInt64, 0)
            while spentMs < 10_000, failures <= 100 {
                failures += 1
                spentMs += backoff.failed(limits)
            }
            return failures <= 100
        },
        PositiveControl("reservedDescriptors: a connection does not get the last descriptors") {
            isGuarded in
            var limits = Limits()
            if !isGuarded { limits.reservedDescriptors = 0 }
            let bench = try LoopBench(limits)
            bench.loop.descriptorsMax = 100
            return bench.loop.shortage(99) != nil
        },
        PositiveControl("the access rule: another uid is not let in") { isGuarded in
            let bench = try LoopBench(access: AccessRule(own: 1_000, allowed: isGuarded ? [] : [7]))
            return bench.loop.refusal(of: PeerCredentials(pid: 1, uid: 7)) != nil
        },
        PositiveControl("shutdownGraceMs: what waits without end holds no stop up") { isGuarded in
            let (bench, peer) = try ShutdownGraceTests.stopped(
                graceMs: isGuarded ? 10_000 : 3_600_000)
            bench.advance(ms: 60_000)
            return withExtendedLifetime(peer) { bench.loop.isFinished }
        },
        PositiveControl("shutdownFirstFrameMs: who was just let in is served") { isGuarded in
            var limits = Limits()
            if !isGuarded { limits.shutdownFirstFrameMs = 0 }
            let path = "@fbtest-\(UUID().uuidString)"
            let bench = try LoopBench(limits)
            try bench.loop.serve(Listener(passed: fb_socket_listen(path, 8), name: "web"))
            let peer = BenchPeer(fd: fb_socket_connect(path))
            try bench.turn { bench.handler.opened == 1 }
            bench.loop.stop()
            bench.loop.turn(waitMs: 0)
            peer.send("{}\n")
            try bench.turn { !bench.handler.closed.isEmpty }
            return bench.handler.frames.count == 1
        },
    ]

    /// Peers that ask for MiBs and read nothing.
    private static func unread(
        _ sizes: [UInt8], _ change: (inout Limits) -> Void
    ) throws -> LoopBench {
        var limits = Limits()
        change(&limits)
        let bench = try LoopBench(limits)
        bench.handler.answer = { [UInt8](repeating: 7, count: Int($0[0]) << 20) }
        let peers = sizes.map { _ in bench.connect() }
        for (peer, size) in zip(peers, sizes) { peer.send([0, 0, 0, 1, size]) }
        try bench.turn { bench.handler.frames.count == sizes.count }
        return withExtendedLifetime(peers) { bench }
    }

    static let queues = [
        PositiveControl("queueHardBytes: a queue is not larger") { isGuarded in
            let bench = try unread([12]) { if !isGuarded { $0.queueHardBytes = 1 << 32 } }
            return bench.loop.connections.isEmpty
        },
        PositiveControl("queuePerUidBytes: the queues of a user together are not larger") {
            isGuarded in
            let bench = try unread([6, 6, 6, 6]) {
                $0.queuePerUidBytes = isGuarded ? 16 << 20 : 1 << 34
            }
            let queued = bench.loop.connections.values.reduce(0) { $0 + $1.queuedBytes }
            return queued <= 16 << 20
        },
        PositiveControl("queueSoftBytes: over it there is no room for events") { isGuarded in
            var limits = Limits()
            if !isGuarded { limits.queueSoftBytes = 1 << 32 }
            let bench = try unread([4]) { $0 = limits }
            return bench.loop.connections.values.first?.hasRoom(limits) == false
        },
        PositiveControl("heldBytesMax: who has so much held is not read from") { isGuarded in
            var limits = Limits()
            limits.heldBytesMax = isGuarded ? 1_024 : 1 << 32
            let bench = try LoopBench(limits)
            let peer = bench.connect()
            bench.loop.connections.values.first?.hold(until: 1)
            bench.handler.answer = { _ in [UInt8](repeating: 7, count: 1_025) }
            peer.send([0, 0, 0, 1, 1])
            try bench.turn { bench.handler.frames.count == 1 }
            peer.send([0, 0, 0, 1, 2])
            for _ in 0..<3 { bench.loop.turn(waitMs: 0) }
            return bench.handler.frames.count == 1
        },
    ]

    /// A stale socket, as a killed broker leaves it.
    private static func stale(_ body: (SocketPath) throws -> Bool) throws -> Bool {
        let path = "/tmp/fbtest-\(UUID().uuidString)"
        defer { for name in [path, path + ".lock"] { unlink(name) } }
        fb_close(fb_socket_listen(path, 1))
        return try body(SocketPath(path))
    }

    static let listeners = [
        PositiveControl("the lock: of two starters at a stale socket one serves, and stays") {
            isGuarded in
            try stale { path in
                var other: Listener?
                var guards = ListenerGuards(takesLock: isGuarded)
                // The second comes when the first has found the socket stale.
                guards.beforeUnlink = {
                    other = try? Listener.open(
                        at: path, guards: ListenerGuards(takesLock: isGuarded))
                }
                let first = try? Listener.open(at: path, guards: guards)
                return withExtendedLifetime((first, other)) { (first != nil) != (other != nil) }
            }
        },
        PositiveControl("the kind of the file: what is no socket is not removed") { isGuarded in
            let path = "/tmp/fbtest-\(UUID().uuidString)"
            defer { for name in [path, path + ".lock"] { unlink(name) } }
            fb_close(Glibc.open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            let guards = ListenerGuards(looksAtKind: isGuarded)
            let listener = try? Listener.open(at: SocketPath(path), guards: guards)
            var info = fb_file_info()
            fb_file_look(path, &info)
            return withExtendedLifetime(listener) { info.kind == FB_FILE_REGULAR }
        },
    ]
}
