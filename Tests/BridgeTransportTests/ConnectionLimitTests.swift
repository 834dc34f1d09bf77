import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

@testable import BridgeTransport

@Suite("Who is let in, and how many")
struct ConnectionLimitTests {
    @Test(
        "as many connections as allowed, and not one more",
        arguments: ["connectionsMax", "connectionsPerUidMax", "ungreetedConnectionsMax"])
    func counts(name: String) throws {
        var limits = Limits()
        try limits.set("\(name)=3")
        let bench = try LoopBench(limits)
        var peers = (0..<3).map { _ in bench.connect() }
        #expect(bench.handler.opened == 3)
        let extra = bench.connect()
        #expect(bench.handler.opened == 3)
        let refusal = try #require(bench.handler.refusals.first)
        #expect(refusal.code == .limitExceeded)
        #expect(refusal.isRetryable)
        #expect(refusal.message.contains(name))
        #expect(refusal.message.contains("3"))
        try bench.turn { bench.handler.closed.count == 1 }
        #expect(String(decoding: extra.received(), as: UTF8.self) == refusal.message)
        // One that goes makes room for another.
        peers.removeLast()
        try bench.turn { bench.handler.closed.count == 2 }
        let next = bench.connect()
        #expect(bench.handler.opened == 4)
        withExtendedLifetime((peers, next)) {}
    }

    @Test("a frame makes a connection greeted: it leaves room for others")
    func greetedLeavesRoom() throws {
        var limits = Limits()
        limits.ungreetedConnectionsMax = 1
        let bench = try LoopBench(limits)
        let first = bench.connect()
        first.send("{}\n")
        try bench.turn { bench.handler.frames.count == 1 }
        let second = bench.connect()
        #expect(bench.handler.opened == 2)
        let third = bench.connect()
        #expect(bench.handler.refusals.count == 1)
        withExtendedLifetime((first, second, third)) {}
    }

    @Test("another uid is refused with PERMISSION_DENIED, root and the named ones are not")
    func accessRule() throws {
        let bench = try LoopBench(access: AccessRule(own: 1_000, allowed: [1_001]))
        for (uid, isAdmitted) in [(1_000, true), (1_001, true), (0, true), (1_002, false)]
            as [(UInt32, Bool)]
        {
            let refusal = bench.loop.refusal(of: PeerCredentials(pid: 1, uid: uid))
            #expect((refusal == nil) == isAdmitted)
            guard let refusal else { continue }
            #expect(refusal.code == .permissionDenied)
            #expect(refusal.message.contains("--allow-uid 1002"))
        }
    }

    @Test("a peer of another uid gets one line and the end")
    func otherUser() throws {
        // As root every other user can be played; as somebody else the rule names another owner.
        let isRoot = geteuid() == 0
        let bench = try LoopBench(access: AccessRule(own: isRoot ? 0 : geteuid() + 1))
        let name = "fbtest-\(UUID().uuidString)"
        try bench.loop.serve(Listener.open(at: SocketPath("@\(name)")))
        let script = """
            import os, socket
            if os.getuid() == 0: os.setuid(65534)
            peer = socket.socket(socket.AF_UNIX)
            peer.connect("\\0\(name)")
            text = b""
            while part := peer.recv(4096): text += part
            print(text.decode())
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        try bench.turn { !bench.handler.closed.isEmpty }
        process.waitUntilExit()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(bench.handler.opened == 0)
        #expect(bench.handler.refusals.first?.code == .permissionDenied)
        #expect(text.contains("--allow-uid"))
    }
}
