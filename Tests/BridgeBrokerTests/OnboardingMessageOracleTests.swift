import Foundation
import Testing

/// Generated messages against a reading of the rules in Python, which shares no code with the
/// broker. `FLOWBRIDGE_MESSAGES` sets how many (2 000), `FLOWBRIDGE_MESSAGES_SEED` repeats a run.
@Suite("Messages of onboardings, and an outside opinion on them")
struct OnboardingMessageOracleTests {
    private static let python = URL(fileURLWithPath: "/usr/bin/python3")
    private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Oracles/onboarding_messages.py")

    @Test("OB-13 OB-14 OB-52 OB-53 OB-54 every verdict and every event is as the rules read")
    func agree() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["FLOWBRIDGE_MESSAGES"] ?? "2000"
        let seed =
            environment["FLOWBRIDGE_MESSAGES_SEED"] ?? String(UInt32.random(in: 0...UInt32.max))
        let daemon = try Daemon()
        let result = try run(Self.python, [Self.program.path, daemon.socket, count, seed])
        print(result.output)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("\(count) verdicts and contents agree"))
        #expect(daemon.process.isRunning)
    }
}
