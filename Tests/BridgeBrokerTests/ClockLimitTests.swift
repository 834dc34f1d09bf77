import BridgeProtocol
import Testing

@Suite("What falls due in one advance of a clock is bounded")
struct ClockLimitTests {
    /// Each attempt to make the profile is one thing that falls due, every 100 ms (ID-20).
    private func failAttempts(_ client: TestClient, _ count: UInt32) throws {
        try client.call(
            .setConditions(
                with(SetConditionsRequest()) {
                    $0.calls = [
                        with(CallCondition()) {
                            $0.method = "activate"
                            $0.httpStatus = 500
                            $0.calls = count
                        }
                    ]
                }))
    }

    private func advance(_ client: TestClient, _ ms: Int64) throws -> Int64 {
        let reply = try client.call(
            .advanceClock(with(AdvanceClockRequest()) { $0.byMs = ms }))
        guard case .advanceClock(let advanced) = reply else { throw Unexpected(reply) }
        return advanced.timeMs
    }

    @Test("as many instants as the limit pass, one more stops the clock", arguments: Wire.allCases)
    func limit(wire: Wire) throws {
        var setup = TestSetup()
        setup.limits.dueInstantsMax = 5
        let broker = TestBroker.start(wire, setup)
        let app = try broker.client(wire.mode)
        try app.openDevice("phone", manualAtMs: 0)
        try failAttempts(app, 1_000)
        try app.activate()
        #expect(try advance(app, 500) == 500)
        let error = #expect(throws: BridgeError(.limitExceeded, "")) { try advance(app, 600) }
        #expect(error?.message.contains("dueInstantsMax") == true)
        #expect(error?.message.contains("1000") == true, "the clock stands where the fifth was due")
        #expect(try advance(app, 0) == 1_000)
    }

    @Test("a creation that fails for ever holds nobody up", arguments: Wire.allCases)
    func forEver(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let app = try broker.client(wire.mode)
        try app.openDevice("phone", manualAtMs: 0)
        try failAttempts(app, .max)
        try app.activate()
        #expect(throws: BridgeError(.limitExceeded, "")) {
            try advance(app, 10_000_000_000_000)
        }
        try app.call(.ping(PingRequest()))
    }
}
