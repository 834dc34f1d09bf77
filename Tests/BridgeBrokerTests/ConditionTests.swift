import BridgeProtocol
import Testing

@Suite("Conditions of the simulated service")
struct ConditionTests {
    private func start(_ wire: Wire) throws -> TestClient {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        return client
    }

    private func set(_ fill: (inout SetConditionsRequest) -> Void) -> ClientFrame.Body {
        .setConditions(with(SetConditionsRequest(), fill))
    }

    private let flow: ClientFrame.Body = .getFlow(
        with(GetFlowRequest()) { $0.placementId = "onboarding" })

    @Test("what is not simulated is refused by its name", arguments: Wire.allCases)
    func refused(wire: Wire) throws {
        let client = try start(wire)
        func call(_ fill: (inout CallCondition) -> Void) -> ClientFrame.Body {
            let condition = with(CallCondition(), fill)
            return set { $0.calls = [CallCondition(), condition] }
        }
        let cases: [(ClientFrame.Body, String, String)] = [
            (call { $0.method = "get_flows" }, "set_conditions.calls[1].method", "get_flow"),
            (
                call {
                    $0.method = "update_profile"
                    $0.server = .fallback
                }, "set_conditions.calls[1].method", "preload_flows"
            ),
        ]
        for (body, field, says) in cases {
            let error = try client.refusal(body)
            #expect(error.code == .invalidArgument)
            #expect(error.field == field)
            #expect(error.message.contains(says), "\(error.message)")
        }
    }

    @Test(
        "ERR-2 ERR-4 a status gives its code, for as many calls as said", arguments: Wire.allCases)
    func statuses(wire: Wire) throws {
        let client = try start(wire)
        let cases: [(status: UInt32, code: Int32, name: String, isRetryable: Bool)] = [
            (401, 2002, "notActivated", false), (403, 2002, "notActivated", false),
            (404, 2003, "badRequest", false), (429, 2004, "serverError", true),
            (500, 2004, "serverError", true), (503, 2004, "serverError", true),
        ]
        for expected in cases {
            try client.delay("update_profile", ms: 0, status: expected.status, calls: 1)
            let error = try client.refusal(.updateProfile(UpdateProfileRequest()))
            #expect(error.code == .none)
            #expect(error.sdk?.code == expected.code, "\(expected.status)")
            #expect(error.sdk?.name == expected.name)
            #expect(error.isRetryable == expected.isRetryable)
            try client.update { _ in }
        }
    }

    @Test(
        "PL-55 PRO-26 ID-25 offline: 2005, and the stored profile",
        arguments: Wire.allCases)
    func offline(wire: Wire) throws {
        let client = try start(wire)
        let profile = try client.profile()
        try client.call(set { $0.offline = true })
        let error = try client.refusal(.updateProfile(UpdateProfileRequest()))
        #expect(error.sdk?.code == 2005)
        #expect(error.isRetryable)
        #expect(try client.profile() == profile)
        let other = try client.refusal(
            .getFlow(with(GetFlowRequest()) { $0.placementId = "premium_offer_1" }))
        #expect(other.sdk?.code == 2005)
        try client.call(set { $0.clear = true })
        try client.update { _ in }
    }
}
