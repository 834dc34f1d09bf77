import BridgeClient
import BridgeProtocol
import Foundation
import TestSupport
import Testing

@Suite("A broker that is killed", .shared)
struct KilledBrokerTests {
    @Test("kill -9 in the middle of a call is UNAVAILABLE with the path, and a new broker serves")
    func killed() async throws {
        let folder = PrivateFolder()
        let path = folder.file("s")
        let first = try await start(path)
        let client = try await BridgeClient.connect(path: path, clientName: "test")
        try await client.openManualDevice()
        try await client.setConditions(
            with(SetConditionsRequest()) {
                $0.calls = [with(CallCondition()) { $0.latencyMs = 4_000 }]
            })
        async let thrown = error { () async throws(BridgeError) in
            try await client.getFlow(placementId: "onboarding")
        }
        while try await client.status().connections.allSatisfy(\.pending.isEmpty) {}
        kill(first.processIdentifier, SIGKILL)
        #expect(await thrown?.code == .unavailable)
        #expect(await thrown?.message.contains(path) == true)
        first.waitUntilExit()
        let gone = await error { () async throws(BridgeError) in
            try await client.reconnected()
        }
        #expect(gone?.message.contains("no broker listens there any more") == true)
        let second = try await start(path)
        try await client.reconnected().ping()
        second.terminate()
        second.waitUntilExit()
        #expect(second.terminationStatus == 0)
    }

    /// Starts flowbridged and waits until it says that it is ready.
    private func start(_ path: String) async throws -> Process {
        let process = Process()
        let folder = (Bridgectl.path as NSString).deletingLastPathComponent
        process.executableURL = URL(fileURLWithPath: folder + "/flowbridged")
        process.arguments = ["--socket", path, "--ephemeral", "--log-level", "error"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let ready = try #require(try output.fileHandleForReading.read(upToCount: 1))
        #expect(ready == Data("{".utf8))
        return process
    }
}
