import BridgeProtocol
import Foundation
import Testing

@Suite("the log of ended connections")
struct CutLogTests {
    private func line(_ event: String, in log: String) -> String? {
        log.split(separator: "\n").first { $0.contains(" event=\(event) ") }.map(String.init)
    }

    @Test(
        "row 10: a cut reader is named, with its process, the limit and its last method")
    func cut() throws {
        let daemon = try Daemon([
            "--limit", "queueSoftBytes=65536", "--limit", "queueHardBytes=131072",
        ])
        let client = try daemon.client(.binary)
        let slow = try daemon.client(.binary)
        for _ in 0..<200 { _ = try? slow.send(.describe(DescribeRequest())) }
        try client.wait { $0.connectionsOpen == 1 }
        let line = try #require(self.line("cut", in: daemon.log))
        let pid = ProcessInfo.processInfo.processIdentifier
        for part in [
            "level=notice ", " conn=2 ", " pid=\(pid) ", " uid=\(getuid()) ", " client=test ",
            " kind=limit ", " limit=queueHardBytes ", " method=describe ", "at most 131072",
        ] {
            #expect(line.contains(part), "\(line)")
        }
        #expect(daemon.log.components(separatedBy: "event=cut").count == 2)
    }

    @Test("an end that is nobody's fault is told at info alone")
    func quiet() throws {
        for (level, isTold) in [("notice", false), ("info", true)] {
            let daemon = try Daemon(["--log-level", level])
            let client = try daemon.client(.line)
            let other = try daemon.client(.line)
            try other.call(.ping(PingRequest()))
            try other.wire.endInput()
            _ = try other.untilClosed()
            try client.wait { $0.connectionsOpen == 1 }
            let line = self.line("disconnected", in: daemon.log)
            #expect((line != nil) == isTold)
            if let line { #expect(line.contains(" kind=peer_closed limit=none ")) }
        }
    }
}
