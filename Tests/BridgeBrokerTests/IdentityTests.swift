import BridgeProtocol
import CLibMD
import SDKCore
import Testing

@Suite("Users who sign in and out")
struct IdentityTests {
    private func start(
        _ wire: Wire, _ catalog: Catalog = TestCatalogs.quiz, user: String = ""
    ) throws -> TestClient {
        let client = try TestBroker.start(wire, TestSetup(catalog: catalog)).client(wire.mode)
        try client.openDevice("other", manualAtMs: 0)
        try client.activate(customerUserID: "known")
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate(customerUserID: user)
        try client.subscribe()
        return client
    }

    private func identify(_ userID: String) -> ClientFrame.Body {
        .identify(with(IdentifyRequest()) { $0.customerUserId = userID })
    }

    private let logout: ClientFrame.Body = .logout(LogoutRequest())
    private let main: ClientFrame.Body = .getFlow(
        with(GetFlowRequest()) { $0.placementId = "main" })

    private func setOffline(_ client: TestClient, _ offline: Bool) throws {
        try client.call(.setConditions(with(SetConditionsRequest()) { $0.offline = offline }))
    }

    @Test(
        "ID-14 ID-15 ID-21 identify attaches or switches; one did_load_latest_profile before its answer",
        arguments: Wire.allCases)
    func identify(wire: Wire) throws {
        let client = try start(wire)
        let anonymous = try client.profile()
        let attaching = try client.send(identify(" new\n"))
        guard case .identify = try client.answer(to: attaching) else { throw Unexpected("") }
        #expect(client.eventsBefore[attaching] == 1)
        #expect(client.takeStory() == ["did_load_latest_profile"])
        let named = try client.profile()
        #expect(named.profileId == anonymous.profileId)
        #expect(named.customerUserId == "new")
        try client.call(identify("new"))
        #expect(client.takeEvents().isEmpty, "ID-12")
        try client.call(identify("known"))
        guard case .didLoadLatestProfile(let loaded) = client.takeEvents().last?.kind else {
            throw Unexpected("no profile")
        }
        #expect(loaded.profile?.customerUserId == "known")
        #expect(loaded.profile?.profileId != named.profileId)
    }

    @Test("ID-11 the backend refuses an empty user ID", arguments: Wire.allCases)
    func emptyID(wire: Wire) throws {
        let client = try start(wire)
        let error = try client.refusal(identify("  "))
        #expect(error.sdk?.code == 2003)
        #expect(error.sdk?.name == "badRequest")
        #expect(!error.isRetryable)
        #expect(client.takeEvents().isEmpty)
    }

    @Test(
        "ID-18 ERR-4 field case 3: identify succeeds once, the fetch under way gets 3006",
        arguments: Wire.allCases)
    func fetchInFlight(wire: Wire) throws {
        let client = try start(wire)
        try client.delay("get_flow", ms: 800)
        let fetch = try client.send(main)
        try client.advance(ms: 100)
        let switching = try client.send(identify("known"))
        guard case .identify = try client.answer(to: switching) else { throw Unexpected("") }
        #expect(client.takeStory() == ["did_load_latest_profile"])
        try client.advance(ms: 700)
        let error = try client.refusal(of: fetch)
        #expect(error.sdk?.code == 3006)
        #expect(error.sdk?.name == "profileWasChanged")
        #expect(error.isRetryable)
        #expect(client.takeEvents().isEmpty)
        #expect(
            try client.refusal(
                .getFlowConfiguration(
                    with(GetFlowConfigurationRequest()) { $0.variationId = "var_flow_all" })
            ).code == .notFound)
        try setOffline(client, true)
        let cached = with(GetFlowRequest()) {
            $0.placementId = "main"
            $0.fetchPolicy = "return_cache_data_else_load"
        }
        #expect(try client.refusal(.getFlow(cached)).sdk?.code == 2005, "nothing is in the cache")
    }

    @Test("ID-5 field case 3: no 3006 behind activate with a user ID", arguments: Wire.allCases)
    func pipelinedActivate(wire: Wire) throws {
        let client = try TestBroker.start(wire, TestSetup(catalog: TestCatalogs.quiz)).client(
            wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.delay("activate", ms: 100)
        try client.send(.activate(with(ActivateRequest()) { $0.customerUserId = "u1" }))
        let fetch = try client.send(main)
        try client.advance(ms: 100)
        guard case .getFlow = try client.answer(to: fetch) else { throw Unexpected("no flow") }
    }

    @Test("ID-19 the second identify wins, an equal one joins", arguments: Wire.allCases)
    func races(wire: Wire) throws {
        let client = try start(wire)
        try client.delay("identify", ms: 100)
        let first = try client.send(identify("a"))
        let second = try client.send(identify("b"))
        let joined = try client.send(identify("b"))
        let error = try client.refusal(of: first)
        #expect(error.sdk?.code == 3006)
        try client.waitForPending(2)
        try client.advance(ms: 100)
        for id in [second, joined] {
            guard case .identify = try client.answer(to: id) else { throw Unexpected("") }
        }
        #expect(client.takeStory() == ["did_load_latest_profile"])
        #expect(try client.profile().customerUserId == "b")
    }

    @Test(
        "ID-20 ID-31 identify waits out failures; its deadline ends only the waiting",
        arguments: Wire.allCases)
    func retries(wire: Wire) throws {
        let client = try start(wire)
        try client.delay("identify", ms: 0, status: 404)
        let waiting = try client.send(identify("a"), deadlineMs: 250)
        try client.waitForPending(1)
        try client.advance(ms: 250)
        #expect(try client.refusal(of: waiting).code == .deadlineExceeded)
        let cancelled = try client.send(identify("a"))
        try client.call(.cancel(with(CancelRequest()) { $0.id = cancelled }))
        #expect(try client.refusal(of: cancelled).sdk?.code == 9000)
        #expect(client.takeEvents().isEmpty)
        try client.delay("identify", ms: 0)
        try client.advance(ms: 50)
        #expect(client.takeStory() == ["did_load_latest_profile"])
        #expect(try client.profile().customerUserId == "a")
    }

    @Test(
        "ID-20 on a real clock identify is answered when the network is back",
        arguments: Wire.allCases)
    func backOnline(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.quiz))
        let client = try broker.client(wire.mode)
        try client.openDevice("phone")
        try client.activate()
        try setOffline(client, true)
        let waiting = try client.send(identify("a"))
        try client.waitForPending(1)
        try setOffline(client, false)
        if let broker = broker as? InProcessBroker { broker.pass(ms: 100) }
        guard case .identify = try client.answer(to: waiting) else { throw Unexpected("") }
        #expect(try client.profile().customerUserId == "a")
    }

    @Test("ID-22 ID-23 ID-24 logout, and back", arguments: Wire.allCases)
    func logout(wire: Wire) throws {
        let client = try start(wire, user: "u1")
        let named = try client.profile()
        _ = client.takeEvents()
        try client.call(logout)
        #expect(client.takeStory() == ["did_load_latest_profile"])
        let anonymous = try client.profile()
        #expect(anonymous.customerUserId == "")
        #expect(anonymous.profileId != named.profileId)
        let error = try client.refusal(logout)
        #expect(error.sdk?.code == 3020)
        #expect(error.sdk?.name == "unidentifiedUserLogout")
        #expect(!error.isRetryable)
        try client.call(identify("u1"))
        #expect(try client.profile() == named)
    }

    @Test(
        "ID-33 ID-30 offline logout has forgotten at once, and is answered when it is created",
        arguments: Wire.allCases)
    func offlineLogout(wire: Wire) throws {
        let client = try start(wire, user: "u1")
        _ = client.takeEvents()
        try setOffline(client, true)
        let leaving = try client.send(logout)
        let reading = try client.send(.getProfile(GetProfileRequest()))
        try client.waitForPending(2)
        #expect(try client.refusal(.inspectProfile(InspectProfileRequest())).code == .notFound)
        try client.advance(ms: 60_000)
        try setOffline(client, false)
        try client.advance(ms: 100)
        guard case .logout = try client.answer(to: leaving),
            case .getProfile(let read) = try client.answer(to: reading)
        else { throw Unexpected("no answers") }
        #expect(read.profile?.customerUserId == "")
        #expect(client.takeStory() == ["did_load_latest_profile"])
    }
}

/// UC-24 and UC-52.
@Suite("Use cases of identity")
struct IdentityUseCaseTests {
    private func set(_ client: TestClient, experience: String) throws {
        try client.update {
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "experience"
                    $0.change = .string(experience)
                }
            ]
        }
    }

    @Test("UC-52 signed out All Users, signed in again the flow of pro", arguments: Wire.allCases)
    func signOut(wire: Wire) throws {
        let setup = TestSetup(catalog: TestCatalogs.quiz)
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate(customerUserID: "u1")
        try client.subscribe()
        let view = try client.makeFlowView("quiz")
        try client.present(view)
        try client.tapOption(view, "experience", "pro")
        try set(client, experience: "pro")
        #expect(try client.getFlow("main").placement?.audienceName == "pro")
        _ = client.takeEvents()
        try client.call(.logout(LogoutRequest()))
        #expect(try client.getFlow("main").placement?.audienceName == "All Users")
        try client.call(.identify(with(IdentifyRequest()) { $0.customerUserId = "u1" }))
        #expect(try client.getFlow("main").placement?.audienceName == "pro")
        #expect(
            client.takeStory() == ["did_load_latest_profile", "did_load_latest_profile"])
    }

    /// PL-23 for a test of two variations, 50 to 50.
    private func drawn(_ profileID: String) -> String {
        let text = Array("pav_pro-\(profileID)".utf8)
        var digest = [UInt8](repeating: 0, count: 16)
        var context = MD5_CTX()
        MD5Init(&context)
        MD5Update(&context, text, text.count)
        MD5Final(&digest, &context)
        let number = digest[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 100 < 50 ? "var_pro_a" : "var_pro_b"
    }

    @Test(
        "UC-24 PL-23 PL-27 a thousand devices draw by their profiles, the same after a restart",
        arguments: Wire.allCases)
    func thousandDevices(wire: Wire) throws {
        let setup = TestSetup(catalog: TestCatalogs.testedQuiz)
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        var variations: Set<String> = []
        for seed in 1...1_000 as ClosedRange<UInt64> {
            try client.openDevice("device \(seed)", manualAtMs: 0, seed: seed)
            try client.activate()
            try set(client, experience: "pro")
            let variation = try client.getFlow("main").variationId
            let profileID = try client.profile().profileId
            #expect(variation == drawn(profileID), "seed \(seed)")
            variations.insert(variation)
            try client.closeDevice()
            try client.openDevice("device \(seed)", seed: seed)
            try client.activate()
            #expect(try client.profile().profileId == profileID)
            #expect(try client.getFlow("main").variationId == variation)
            try client.closeDevice()
        }
        #expect(variations.count == 2)
    }
}

@Suite("Flows that the app counts by itself")
struct ShownFlowTests {
    @Test("VW-27 log_show_flow makes one flow_showed a call", arguments: Wire.allCases)
    func logged(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.subscribe()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        _ = client.takeEvents()
        func log(_ id: String) -> ClientFrame.Body {
            .logShowFlow(with(LogShowFlowRequest()) { $0.variationId = id })
        }
        for _ in 0..<2 { try client.call(log("var_registration")) }
        #expect(client.takeEvents().isEmpty)
        guard
            case .listBackendEvents(let list) = try client.call(
                .listBackendEvents(ListBackendEventsRequest()))
        else { throw Unexpected("no list") }
        let showed = list.events.filter { $0.name == "flow_showed" }
        #expect(showed.count == 2)
        #expect(showed.allSatisfy { $0.properties.map(\.key) == ["variation_id"] })
        #expect(showed.first?.properties.first?.value.kind == .string("var_registration"))
        let error = try client.refusal(log("var_none"))
        #expect(error.code == .notFound)
        #expect(error.message.holds(["var_none", "get_flow"]))
    }
}
