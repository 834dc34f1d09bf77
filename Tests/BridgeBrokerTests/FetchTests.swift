import BridgeProtocol
import Testing

@Suite("Fetching through the wire: policies, two servers, default audience, preloading")
struct FetchTests {
    /// A device at 0 ms whose user answered `pro`: `main` gives it `var_flow_pro`, All Users get
    /// `var_flow_all`.
    private func start(_ wire: Wire) throws -> TestClient {
        let client = try TestBroker.start(wire, TestSetup(catalog: TestCatalogs.quiz))
            .client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.update {
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "experience"
                    $0.change = .string("pro")
                }
            ]
        }
        return client
    }

    private func request(_ fill: (inout GetFlowRequest) -> Void = { _ in }) -> ClientFrame.Body {
        .getFlow(
            with(GetFlowRequest()) {
                $0.placementId = "main"
                fill(&$0)
            })
    }

    private func variation(_ client: TestClient, _ body: ClientFrame.Body) throws -> String {
        let reply = try client.call(body)
        switch reply {
        case .getFlow(let got): return got.flow?.variationId ?? ""
        case .getFlowForDefaultAudience(let got): return got.flow?.variationId ?? ""
        default: throw Unexpected(reply)
        }
    }

    @Test("PL-40 PL-41 PL-42 PL-43 policies as they travel", arguments: Wire.allCases)
    func policies(wire: Wire) throws {
        let client = try start(wire)
        #expect(try variation(client, request()) == "var_flow_pro")
        try client.update {
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "experience"
                    $0.change = .remove(true)
                }
            ]
        }
        try client.advance(ms: 1_999)
        let byAge = request {
            $0.fetchPolicy = "return_cache_data_if_not_expired_else_load"
            $0.maxAgeMs = 2_000
        }
        let cached = request { $0.fetchPolicy = "return_cache_data_else_load" }
        #expect(try variation(client, byAge) == "var_flow_pro")
        try client.advance(ms: 1)
        #expect(try variation(client, cached) == "var_flow_pro")
        #expect(try variation(client, byAge) == "var_flow_all")
        let withoutAge = request {
            $0.fetchPolicy = "return_cache_data_if_not_expired_else_load"
        }
        #expect(try client.refusal(withoutAge).sdk?.code == 2006)
        #expect(try variation(client, request { $0.fetchPolicy = "new" }) == "var_flow_all")
        try client.setOffline(true)
        #expect(try variation(client, request()) == "var_flow_all")
    }

    @Test(
        "PL-53 PL-56 the worked spans, with a clock that is moved behind the waiting fetch",
        arguments: Wire.allCases)
    func spans(wire: Wire) throws {
        let cases: [(main: UInt32, fallback: UInt32, at: Int64, gives: String)] = [
            (4_499, 0, 4_499, "var_flow_pro"), (4_500, 400, 4_900, "var_flow_all"),
            (4_500, 600, 5_000, "2005"),
        ]
        for expected in cases {
            let client = try start(wire)
            try client.delay("get_flow", ms: expected.main)
            try client.delay("get_flow", ms: expected.fallback, server: .fallback)
            let fetch = try client.send(request())
            try client.advance(ms: expected.at - 1)
            let pending = try client.status().connections.flatMap(\.pending)
            #expect(pending.map(\.method) == ["get_flow"])
            try client.advance(ms: 1)
            if expected.gives == "2005" {
                let error = try client.refusal(of: fetch)
                #expect(error.sdk?.code == 2005)
                #expect(error.isRetryable)
            } else {
                guard case .getFlow(let got) = try client.answer(to: fetch) else {
                    throw Unexpected("another answer")
                }
                #expect(got.flow?.variationId == expected.gives)
            }
        }
    }

    @Test(
        "PL-50 a time-out of 200 ms means 1 s: 0.5 s for the main backend", arguments: Wire.allCases
    )
    func shortest(wire: Wire) throws {
        let client = try start(wire)
        try client.delay("get_flow", ms: 500)
        let fetch = try client.send(request { $0.loadTimeoutMs = 200 })
        try client.advance(ms: 500)
        guard case .getFlow(let got) = try client.answer(to: fetch) else {
            throw Unexpected("another answer")
        }
        #expect(got.flow?.placement?.audienceName == "All Users")
    }

    @Test(
        "PL-57 PL-79 the default audience, of flows and onboardings", arguments: Wire.allCases)
    func defaultAudience(wire: Wire) throws {
        let client = try start(wire)
        let flow = ClientFrame.Body.getFlowForDefaultAudience(
            with(GetFlowForDefaultAudienceRequest()) { $0.placementId = "main" })
        #expect(try variation(client, flow) == "var_flow_all")
        try client.delay("get_flow_for_default_audience", ms: 0, status: 503)
        #expect(try variation(client, flow) == "var_flow_all", "from the cache")
        let onboarding = try client.refusal(
            .getOnboardingForDefaultAudience(
                with(GetOnboardingForDefaultAudienceRequest()) {
                    $0.placementId = "main"
                    $0.locale = "de"
                }))
        #expect(onboarding.sdk?.code == 2003)
        #expect(onboarding.message.contains("flow"))
    }

    @Test("PL-79 an onboarding for the default audience, as it travels", arguments: Wire.allCases)
    func onboarding(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let reply = try client.call(
            .getOnboardingForDefaultAudience(
                with(GetOnboardingForDefaultAudienceRequest()) {
                    $0.placementId = "legacy_onboarding"
                }))
        guard case .getOnboardingForDefaultAudience(let got) = reply else {
            throw Unexpected(reply)
        }
        #expect(got.onboarding?.placement?.id == "legacy_onboarding")
        #expect(got.onboarding?.hasViewConfiguration == true)
    }

    @Test("PL-59 preloading: one error with that of each placement", arguments: Wire.allCases)
    func preload(wire: Wire) throws {
        let client = try start(wire)
        let all = ClientFrame.Body.preloadFlows(
            with(PreloadFlowsRequest()) { $0.placementIds = [" main", "gone", "", "main", "q/~é"] })
        let error = try client.refusal(all)
        #expect(error.code == .none)
        #expect(error.sdk?.code == 2005)
        #expect(error.preloadErrors.map(\.placementID).sorted() == ["gone", "q/~é"])
        #expect(error.preloadErrors.allSatisfy { $0.error.code == 2003 })
        #expect(error.preloadErrors.allSatisfy { $0.error.name == "badRequest" })
        #expect(
            error.preloadErrors.first { $0.placementID == "gone" }?.error.message
                == "placement \"gone\" is not in the loaded catalog")
        try client.setOffline(true)
        #expect(try variation(client, request()) == "var_flow_pro")
        try client.call(.preloadFlows(PreloadFlowsRequest()))
    }

    @Test(
        "case 3 ID-18 ID-5: a fetch over a change of the profile is 3006 and leaves no trace",
        arguments: Wire.allCases)
    func profileChanged(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.quiz))
        let other = try broker.client(wire.mode)
        try other.openDevice("tablet", manualAtMs: 0)
        try other.activate(customerUserID: "known-user")
        // The device that activates itself can be activated once more, as another user (ID-34).
        let client = try broker.client(wire.mode)
        try client.openDevice("default", manualAtMs: 0)
        _ = try client.profile()
        try client.delay("get_flow", ms: 800)
        let fetch = try client.send(request())
        try client.advance(ms: 100)
        try client.activate(customerUserID: "known-user")
        try client.advance(ms: 700)
        let error = try client.refusal(of: fetch)
        #expect(error.sdk?.code == 3006)
        #expect(error.isRetryable)
        try client.setOffline(true)
        let cached = request { $0.fetchPolicy = "return_cache_data_else_load" }
        #expect(try client.refusal(cached).sdk?.code == 2005)
    }

    @Test(
        "case 3 ID-5 ID-21: no 3006 right behind an activate that finds its profile",
        arguments: Wire.allCases)
    func activatedAsKnown(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.quiz))
        let other = try broker.client(wire.mode)
        try other.openDevice("tablet", manualAtMs: 0)
        try other.activate(customerUserID: "known-user")
        let client = try broker.client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.delay("activate", ms: 300)
        try client.send(.activate(with(ActivateRequest()) { $0.customerUserId = "known-user" }))
        let fetch = try client.send(request())
        try client.advance(ms: 300)
        guard case .getFlow(let got) = try client.answer(to: fetch) else {
            throw Unexpected("another answer")
        }
        #expect(got.flow?.variationId == "var_flow_all")
    }
}
