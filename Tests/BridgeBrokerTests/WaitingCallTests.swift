import BridgeProtocol
import Testing

@Suite("Requests that have to wait")
struct WaitingCallTests {
    private let flow: ClientFrame.Body = .getFlow(
        with(GetFlowRequest()) { $0.placementId = "onboarding" })

    private func start(_ wire: Wire, _ limits: Limits = Limits()) throws
        -> (TestBroker, TestClient)
    {
        let broker = TestBroker.start(wire, TestSetup(limits: limits))
        let client = try broker.client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        return (broker, client)
    }

    private func cancel(_ client: TestClient, _ id: UInt64) throws -> Bool {
        let reply = try client.call(.cancel(with(CancelRequest()) { $0.id = id }))
        guard case .cancel(let cancelled) = reply else { throw Unexpected(reply) }
        return cancelled.cancelled
    }

    @Test(
        "requests behind a waiting one are served, and advance_clock reaches it",
        arguments: Wire.allCases)
    func behind(wire: Wire) throws {
        let (broker, client) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try client.delay("get_flow", ms: 1_000)
        let waiting = try client.send(flow)
        try client.expectServed()
        #expect(try client.status().connections.flatMap(\.pending).map(\.method) == ["get_flow"])
        try client.advance(ms: 999)
        try client.waitForPending(1)
        let advanced = try client.send(.advanceClock(with(AdvanceClockRequest()) { $0.byMs = 1 }))
        // What the advance caused comes before its own answer.
        #expect(try client.nextFrame()?.id == waiting)
        #expect(try client.nextFrame()?.id == advanced)
    }

    @Test("a deadline is counted on the device's clock", arguments: Wire.allCases)
    func deadline(wire: Wire) throws {
        let (broker, client) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try client.delay("get_flow", ms: 1_000)
        let late = try client.send(flow, deadlineMs: 500)
        let inTime = try client.send(flow, deadlineMs: 1_001)
        try client.advance(ms: 499)
        try client.waitForPending(2)
        try client.advance(ms: 1)
        let error = try client.refusal(of: late)
        #expect(error.code == .deadlineExceeded)
        #expect(error.isRetryable)
        #expect(error.message.holds(["get_flow", "deadline_ms"]))
        try client.advance(ms: 500)
        guard case .getFlow = try client.answer(to: inTime) else { throw Unexpected("no flow") }
        try client.waitForPending(0)
    }

    @Test("a deadline is counted on a real clock too", arguments: [Wire.binarySocket, .lineSocket])
    func realDeadline(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        try client.openDevice("phone")
        try client.activate()
        try client.delay("get_flow", ms: 4_000)
        #expect(try client.refusal(flow, deadlineMs: 20).code == .deadlineExceeded)
        try client.delay("get_flow", ms: 20)
        guard case .getFlow = try client.call(flow) else { throw Unexpected("no flow") }
    }

    @Test("GEN-10 cancel ends a call of the SDK with 9000, once", arguments: Wire.allCases)
    func cancelled(wire: Wire) throws {
        let (broker, client) = try start(wire)
        try client.delay("get_flow", ms: 1_000)
        let waiting = try client.send(flow)
        let other = try broker.client(wire.mode)
        #expect(try !cancel(other, waiting))
        #expect(try cancel(client, waiting))
        let error = try client.refusal(of: waiting)
        #expect(error.code == .none)
        #expect(error.sdk?.code == 9000)
        #expect(error.sdk?.name == "operationInterrupted")
        #expect(!error.isRetryable)
        #expect(try !cancel(client, waiting))
        #expect(try !cancel(client, 12_345))
        try client.advance(ms: 5_000)
        try client.waitForPending(0)
        guard case .ping = try client.call(.ping(PingRequest())) else { throw Unexpected("") }
    }

    @Test("PRO-24 an update and the fetch behind it act as if awaited", arguments: Wire.allCases)
    func order(wire: Wire) throws {
        let (broker, client) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try client.delay("update_profile", ms: 1_000)
        let update = try client.send(.updateProfile(UpdateProfileRequest()))
        let fetch = try client.send(flow)
        try client.waitForPending(2)
        try client.advance(ms: 1_000)
        #expect(try client.nextFrame()?.id == update)
        #expect(try client.nextFrame()?.id == fetch)
    }

    @Test("pendingRequestsMax: as many as allowed, and not one more", arguments: Wire.allCases)
    func pendingMax(wire: Wire) throws {
        var limits = Limits()
        limits.pendingRequestsMax = 3
        let (broker, client) = try start(wire, limits)
        try client.delay("get_flow", ms: 1_000)
        let waiting = try (0..<3).map { _ in try client.send(flow) }
        let error = try client.refusal(flow)
        #expect(error.code == .limitExceeded)
        #expect(error.isRetryable)
        #expect(error.message.holds(["pendingRequestsMax", "3"]))
        // Others have their own count, and what does not wait is served.
        let other = try broker.client(wire.mode)
        try other.openDevice("phone")
        try other.send(flow)
        try client.expectServed()
        try client.advance(ms: 1_000)
        for id in waiting { _ = try client.answer(to: id) }
        try client.delay("get_flow", ms: 0)
        try client.call(flow)
    }

    @Test(
        "a connection that goes leaves nothing behind that waits",
        arguments: [Wire.binarySocket, .lineSocket])
    func gone(wire: Wire) throws {
        let (broker, client) = try start(wire)
        try client.delay("get_flow", ms: 1_000)
        var leaver: TestClient? = try broker.client(wire.mode)
        try leaver?.openDevice("phone")
        try leaver?.subscribe()
        for _ in 0..<3 { try leaver?.send(flow) }
        try client.waitForPending(3)
        leaver = nil
        try client.wait { $0.connections.count == 1 }
        try client.waitForPending(0)
        let info = try #require(try client.status().devices.first { $0.device == "phone" })
        #expect(info.connections == 1)
        try client.advance(ms: 10_000)
        try broker.expectServesOthers()
    }

    @Test(
        "what waited behind the call of a connection that goes starts at once",
        arguments: [Wire.binarySocket, .lineSocket], [true, false])
    func goneBefore(wire: Wire, isManual: Bool) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        try client.openDevice("phone", manualAtMs: isManual ? 0 : nil)
        try client.activate()
        try client.delay("update_profile", ms: 3_600_000)
        var leaver: TestClient? = try broker.client(wire.mode)
        try leaver?.openDevice("phone")
        try leaver?.send(.updateProfile(UpdateProfileRequest()))
        try client.waitForPending(1)
        let behind = try client.send(flow)
        try client.waitForPending(2)
        leaver = nil
        guard case .getFlow = try client.answer(to: behind) else { throw Unexpected("no flow") }
    }
}
