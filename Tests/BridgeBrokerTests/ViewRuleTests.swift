import BridgeProtocol
import Testing

@Suite("Views coming on screen and leaving it")
struct ViewRuleTests {
    private func start(_ wire: Wire) throws -> TestClient {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.subscribe()
        _ = client.takeEvents()
        return client
    }

    private func present(_ view: String) -> ClientFrame.Body {
        .present(with(PresentRequest()) { $0.viewId = view })
    }

    private func dismissal(_ view: String) -> ClientFrame.Body {
        .dismiss(with(DismissRequest()) { $0.viewId = view })
    }

    private func destruction(_ view: String) -> ClientFrame.Body {
        .destroyView(with(DestroyViewRequest()) { $0.viewId = view })
    }

    private func states(_ client: TestClient) throws -> [ViewInfo.State] {
        try client.listViews().map(\.state)
    }

    @Test(
        "VW-1 VW-2 creating says nothing, and the view outlives its creator",
        arguments: Wire.allCases)
    func created(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let other = try broker.client(wire.mode)
        try other.openDevice("phone", manualAtMs: 0)
        try other.subscribe()
        var creator: TestClient? = try broker.client(wire.mode)
        try creator?.openDevice("phone")
        try creator?.activate()
        let view = try #require(try creator?.makeFlowView("onboarding"))
        creator = nil
        try other.expectServed()
        #expect(other.takeStory() == ["did_load_latest_profile"])
        let info = try #require(try other.listViews().first)
        #expect(info.viewId == view)
        #expect(info.state == .created)
        #expect(info.kind == .flow)
        #expect(info.placementId == "onboarding")
        #expect(info.variationId == "var_registration")
        #expect(info.screenId == "")
        #expect(info.locale == "en")
        try other.present(view)
        #expect(try other.listViews().first?.screenId == "scr_registration")
    }

    @Test(
        "VW-3 an unknown view is 3001 with its id, in present and dismiss", arguments: Wire.allCases
    )
    func unknown(wire: Wire) throws {
        let client = try start(wire)
        for id in ["00000000-0000-4000-8000-000000000000", "x", ""] {
            for body in [present(id), dismissal(id)] {
                let error = try client.refusal(body)
                #expect(error.sdk?.code == 3001)
                #expect(error.sdk?.name == "wrongParam")
                #expect(error.message.contains("\"\(id)\""))
            }
        }
        #expect(client.takeStory() == [])
    }

    @Test("VW-5 VW-7 what cannot come on top is 3001 and changes nothing", arguments: Wire.allCases)
    func notOnTop(wire: Wire) throws {
        let client = try start(wire)
        let flow = try client.makeFlowView("onboarding")
        let second = try client.makeFlowView("premium_offer_1")
        let onboarding = try client.makeOnboardingView("legacy_onboarding")
        try client.present(flow)
        _ = client.takeEvents()
        for view in [flow, second, onboarding] {
            let error = try client.refusal(present(view))
            #expect(error.sdk?.code == 3001)
            #expect(error.message.contains(flow))
        }
        #expect(client.takeStory() == [])
        #expect(try states(client) == [.onTop, .created, .created])
        try client.dismiss(flow)
        try client.present(onboarding)
        let again = try client.refusal(present(onboarding))
        #expect(again.sdk?.code == 3001)
    }

    @Test(
        "VW-6 VW-8 VW-9 VW-10 VW-11 a flow covers an onboarding, whose dismiss closes the flow",
        arguments: Wire.allCases, [false, true])
    func covered(wire: Wire, destroy: Bool) throws {
        let client = try start(wire)
        let onboarding = try client.makeOnboardingView("legacy_onboarding")
        let flow = try client.makeFlowView("premium_offer_1")
        try client.present(onboarding)
        _ = client.takeEvents()
        try client.present(flow)
        #expect(client.takeEvents().allSatisfy { $0.viewId == flow })
        #expect(try states(client) == [.covered, .onTop])
        let gesture = try client.refusal(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = onboarding
                    $0.gesture = .tapButton(
                        with(TapButtonGesture()) { $0.elementId = "start_button" })
                }))
        #expect(gesture.code == .wrongState)
        #expect(gesture.message.holds([onboarding, "covered"]))
        let destroying = try client.refusal(destruction(onboarding))
        #expect(destroying.code == .wrongState)
        #expect(try client.dismiss(onboarding, destroy: destroy) == flow)
        #expect(client.takeStory() == ["flow_did_disappear"])
        #expect(try states(client) == [.onTop, .dismissed])
        try client.tapButton(onboarding, "start_button")
        _ = client.takeEvents()
        #expect(try client.dismiss(onboarding) == onboarding)
        #expect(client.takeStory() == [])
        #expect(try states(client) == [.dismissed, .dismissed])
    }

    @Test(
        "VW-13 dismissed without destroy it can be shown again, with destroy it is forgotten",
        arguments: Wire.allCases)
    func destroyed(wire: Wire) throws {
        let client = try start(wire)
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        #expect(try client.dismiss(view) == view)
        try client.present(view)
        #expect(try client.dismiss(view, destroy: true) == view)
        #expect(try client.refusal(present(view)).sdk?.code == 3001)
        #expect(try client.listViews().isEmpty)
    }

    @Test("VW-14 dismissing what is not on screen succeeds silently", arguments: Wire.allCases)
    func notOnScreen(wire: Wire) throws {
        let client = try start(wire)
        let view = try client.makeFlowView("onboarding")
        #expect(try client.dismiss(view) == "")
        #expect(try client.dismiss(view, destroy: true) == "")
        #expect(client.takeStory() == [])
        #expect(try client.listViews().isEmpty)
    }

    @Test("VW-15 destroying the view on top dismisses it first", arguments: Wire.allCases)
    func destroyedOnTop(wire: Wire) throws {
        let client = try start(wire)
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        _ = client.takeEvents()
        try client.call(destruction(view))
        #expect(client.takeStory() == ["flow_did_disappear"])
        #expect(try client.listViews().isEmpty)
        #expect(try client.refusal(destruction(view)).code != .internal)
    }

    @Test("VW-17 at didDisappear the view is no longer on screen", arguments: Wire.allCases)
    func leftBefore(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        let watcher = try broker.client(wire.mode)
        try watcher.subscribe(device: "phone", kinds: ["flow_did_disappear"])
        try client.dismiss(view)
        #expect(try watcher.events(count: 1).map(\.viewId) == [view])
        #expect(try watcher.listViews(device: "phone").map(\.state) == [.dismissed])
    }

    @Test("VW-18 didDisappear comes alike, whoever closes the view", arguments: Wire.allCases)
    func alike(wire: Wire) throws {
        let client = try start(wire)
        let view = try client.makeFlowView("premium_offer_1")
        let ends: [([String], (TestClient) throws -> Void)] = [
            (["did_perform_action close"], { try $0.tapButton(view, "close") }),
            ([], { try $0.dismiss(view) }),
            ([], { try $0.perform(view, .dismissBySystem(DismissBySystemGesture())) }),
        ]
        for (before, end) in ends {
            try client.present(view)
            _ = client.takeEvents()
            try end(client)
            #expect(client.takeStory() == before + ["flow_did_disappear"])
            #expect(try states(client) == [.dismissed])
        }
    }

    @Test(
        "VW-21 VW-22 no presenting in the background, dismissing works there",
        arguments: Wire.allCases)
    func background(wire: Wire) throws {
        let client = try start(wire)
        let shown = try client.makeFlowView("onboarding")
        let other = try client.makeFlowView("premium_offer_1")
        try client.present(shown)
        _ = client.takeEvents()
        try client.call(.enterBackground(EnterBackgroundRequest()))
        #expect(client.takeStory() == [])
        #expect(try client.refusal(present(other)).code == .wrongState)
        let gesture = try client.refusal(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = shown
                    $0.gesture = .tapButton(with(TapButtonGesture()) { $0.elementId = "next" })
                }))
        #expect(gesture.code == .wrongState)
        #expect(gesture.message.contains("background"))
        #expect(try client.refusal(.enterBackground(EnterBackgroundRequest())).code == .wrongState)
        #expect(try client.dismiss(shown) == shown)
        #expect(client.takeStory() == ["flow_did_disappear"])
        try client.call(.enterForeground(EnterForegroundRequest()))
        #expect(try client.refusal(.enterForeground(EnterForegroundRequest())).code == .wrongState)
        try client.present(other)
    }

    @Test("ACT-2 ACT-4 VW-26 the app itself may act on close", arguments: Wire.allCases)
    func appActs(wire: Wire) throws {
        let client = try start(wire)
        let view = try client.makeFlowView("premium_offer_1", handling: .app)
        try client.present(view)
        _ = client.takeEvents()
        try client.tapButton(view, "close")
        #expect(client.takeStory() == ["did_perform_action close"])
        #expect(try states(client) == [.onTop])
        try client.dismiss(view)
        #expect(client.takeStory() == ["flow_did_disappear"])
    }

    @Test("views are listed in the order of their creation, in pages", arguments: Wire.allCases)
    func viewsPage(wire: Wire) throws {
        let client = try start(wire)
        let made = try (0..<5).map { _ in try client.makeFlowView("onboarding") }
        var seen: [String] = []
        var token = ""
        repeat {
            let reply = try client.call(
                .listViews(
                    with(ListViewsRequest()) {
                        $0.pageSize = 2
                        $0.pageToken = token
                    }))
            guard case .listViews(let page) = reply else { throw Unexpected(reply) }
            seen += page.views.map(\.viewId)
            token = page.nextPageToken
        } while token != ""
        #expect(seen == made)
    }
}
