import BridgeProtocol
import Foundation
import Testing

/// UC-12, UC-20 to UC-23: what a user answers decides what comes next.
@Suite("Use cases of profiles and targeting")
struct QuizUseCaseTests {
    private func start(_ wire: Wire, _ setup: TestSetup) throws -> TestClient {
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.subscribe()
        _ = client.takeEvents()
        return client
    }

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

    private func answer(_ client: TestClient, _ view: String, _ option: String) throws -> String {
        try client.tapOption(view, "experience", option)
        guard case .didReceiveAnalyticEvent(let event) = client.takeEvents().last?.kind,
            case .stringList(let ids) = event.params.first(where: { $0.key == "item_ids" })?.value
                .kind
        else { throw Unexpected("no answer") }
        return ids.values.joined(separator: ",")
    }

    @Test("UC-20 PL-45 PRO-23 the quiz decides the next flow", arguments: Wire.allCases)
    func quiz(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.quiz))
        let before = try client.getFlow("main")
        #expect(before.variationId == "var_flow_all")
        #expect(before.placement?.audienceName == "All Users")
        let view = try client.makeFlowView("quiz")
        try client.present(view)
        _ = client.takeEvents()
        for level in ["pro", "beginner"] {
            #expect(try answer(client, view, level) == level)
            try set(client, experience: level)
            guard case .didLoadLatestProfile(let loaded) = client.takeEvents().last?.kind else {
                throw Unexpected("no profile")
            }
            let attribute = loaded.profile?.customAttributes.first { $0.key == "experience" }
            #expect(attribute?.value.kind == .string(level))
            let flow = try client.getFlow("main")
            #expect(flow.variationId == "var_flow_\(level)")
            #expect(flow.placement?.audienceName == level)
            #expect(
                flow.paywalls.flatMap(\.products).map(\.vendorProductId) == ["product_\(level)"])
        }
        try set(client, experience: "pro")
        let cached = try client.call(
            .getFlow(
                with(GetFlowRequest()) {
                    $0.placementId = "main"
                    $0.fetchPolicy = "return_cache_data_else_load"
                }))
        guard case .getFlow(let got) = cached else { throw Unexpected(cached) }
        #expect(got.flow?.variationId == "var_flow_beginner", "PL-45: as it was fetched")
    }

    @Test("UC-20 PL-24 pipelined, the fetch sees the update before it", arguments: Wire.allCases)
    func pipelined(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.quiz))
        try client.send(
            .updateProfile(
                with(UpdateProfileRequest()) {
                    $0.customAttributes = [
                        with(CustomAttribute()) {
                            $0.key = "experience"
                            $0.change = .string("amateur")
                        }
                    ]
                }))
        #expect(try client.getFlow("main").variationId == "var_flow_amateur")
    }

    private func json(_ text: String) throws -> NSDictionary {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let dictionary = object as? NSDictionary else { throw Unexpected(text) }
        return dictionary
    }

    @Test("UC-12 OB-11 OB-55 enrich the profile from an onboarding", arguments: Wire.allCases)
    func enrich(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.enrichment))
        let view = try client.makeOnboardingView("welcome")
        try client.present(view)
        _ = client.takeEvents()
        try client.focus(view, "name")
        try client.enter(view, "name", "Jane")
        try client.focus(view, "email")
        guard case .onStateUpdatedAction(let name) = client.takeEvents().last?.kind else {
            throw Unexpected("no state update")
        }
        #expect(name.elementId == "name")
        #expect(name.params == .input(with(InputValue()) { $0.kind = .text("Jane") }))
        let meta =
            #""onboardingId":"onboarding_123","screenClientId":"profile_screen","screenIndex":0,"screensTotal":1"#
        #expect(
            try json(name.payloadJson)
                == json(
                    "{\"elementId\":\"name\",\"meta\":{\(meta)},\"params\":{\"type\":\"input\",\"value\":{\"type\":\"text\",\"value\":\"Jane\"}}}"
                ))
        #expect(name.spelling == .camelCase)
        #expect(name.payloadJsonOther.holds(["element_id", "screen_cid", "total_screens"]))
        try client.update { $0.firstName = "Jane" }
        #expect(client.takeStory() == ["did_load_latest_profile"])
        try client.enter(view, "email", "jane@example.com")
        try client.blur(view)
        let email = client.takeEvents()
        #expect(
            email.compactMap(\.kind?.name) == ["on_state_updated_action", "on_analytics_event"])
        try client.update { $0.email = "jane@example.com" }
        let record = try client.inspectProfile()
        #expect(record.firstName == "Jane")
        #expect(record.email == "jane@example.com")
    }

    @Test(
        "UC-23 OB-23 the quiz of an onboarding carries id, value and label",
        arguments: Wire.allCases)
    func onboardingQuiz(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.enrichment))
        let view = try client.makeOnboardingView("welcome")
        try client.present(view)
        _ = client.takeEvents()
        try client.tapOption(view, "experience", "option_3")
        guard case .onStateUpdatedAction(let event) = client.takeEvents().last?.kind,
            case .select(let chosen) = event.params
        else { throw Unexpected("no selection") }
        #expect(event.elementId == "experience")
        #expect([chosen.id, chosen.value, chosen.label] == ["option_3", "pro", "I am a pro"])
        try set(client, experience: chosen.value)
        let stored = try client.profile().customAttributes
        #expect(stored.map(\.key) == ["experience"])
        #expect(stored.first?.value.kind == .string("pro"))
    }
}

/// UC-31, UC-32, UC-40 to UC-43: onboardings.
@Suite("Use cases of onboardings")
struct OnboardingUseCaseTests {
    private func start(_ wire: Wire, _ setup: TestSetup) throws -> TestClient {
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.subscribe()
        return client
    }

    /// Short: the name of an analytics event with its screen, or the kind.
    private func line(_ event: Event) -> String {
        switch event.kind {
        case .onAnalyticsEvent(let analytics):
            "\(analytics.name) \(analytics.meta?.screenIndex ?? -1)"
        case .onStateUpdatedAction(let update): "state \(update.elementId)"
        case .onCloseAction(let action): "close \(action.actionId)"
        case .onPaywallAction(let action): "paywall \(action.actionId)"
        case .onCustomAction(let action): "custom \(action.actionId)"
        default: event.kind?.name ?? ""
        }
    }

    private func walk(_ wire: Wire, last: String) throws -> [String] {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.fourScreens(last: last)))
        let view = try client.makeOnboardingView("welcome")
        _ = client.takeEvents()
        try client.present(view)
        try client.tapButton(view, "next")
        try client.focus(view, "email")
        try client.enter(view, "email", "jane@example.com")
        try client.tapButton(view, "next")
        try client.tapButton(view, "next")
        return client.takeEvents().map(line)
    }

    private let walked = [
        "view_presented", "did_finish_loading", "onboarding_started 0", "screen_presented 0",
        "screen_completed 0", "screen_presented 1", "second_screen_presented 1", "state email",
        "user_email_collected 1", "screen_completed 1", "screen_presented 2", "screen_completed 2",
        "screen_presented 3",
    ]

    @Test(
        "UC-31 OB-42 OB-47 OB-48 analytics of four screens, the last named final",
        arguments: Wire.allCases)
    func final(wire: Wire) throws {
        #expect(try walk(wire, last: "final") == walked + ["onboarding_completed 3"])
    }

    @Test("UC-32 OB-43 another name of the last screen completes nothing", arguments: Wire.allCases)
    func finalScreen(wire: Wire) throws {
        #expect(try walk(wire, last: "final_screen") == walked)
    }

    /// The sample onboarding on the screen with the paywall button.
    private func atPricing(_ wire: Wire) throws -> (TestClient, String) {
        let client = try start(wire, TestSetup())
        let view = try client.makeOnboardingView("legacy_onboarding")
        try client.present(view)
        for button in ["start_button", "profile_form", "preferences_next", "interests_next"] {
            try client.tapButton(view, button)
        }
        _ = client.takeEvents()
        return (client, view)
    }

    @Test("UC-40 VW-12 the paywall in the advised order", arguments: Wire.allCases)
    func advisedOrder(wire: Wire) throws {
        let (client, onboarding) = try atPricing(wire)
        try client.tapButton(onboarding, "see_offer")
        let tapped = client.takeEvents()
        #expect(tapped.map(line) == ["paywall premium_offer_1"])
        guard case .onPaywallAction(let action) = tapped.last?.kind else {
            throw Unexpected(tapped)
        }
        #expect(action.spelling == .snakeCase)
        try client.dismiss(onboarding)
        #expect(client.takeEvents().isEmpty)
        let flow = try client.makeFlowView(action.actionId)
        try client.present(flow)
        #expect(
            client.takeStory()
                == ["view_presented", "flow_did_appear", showed("scr_offer", 0, true)])
        let shown = try client.listViews().filter { $0.state == .onTop || $0.state == .covered }
        #expect(shown.map(\.viewId) == [flow])
    }

    @Test("UC-41 VW-9 VW-10 the paywall on top, dismissed by mistake", arguments: Wire.allCases)
    func onTop(wire: Wire) throws {
        let (client, onboarding) = try atPricing(wire)
        try client.tapButton(onboarding, "see_offer")
        let flow = try client.makeFlowView("premium_offer_1")
        try client.present(flow)
        _ = client.takeEvents()
        #expect(try client.dismiss(onboarding) == flow)
        #expect(client.takeStory() == ["flow_did_disappear"])
        try client.tapButton(onboarding, "pricing_next")
        #expect(
            client.takeEvents().map(line)
                == ["screen_completed 4", "screen_presented 5", "onboarding_completed 5"])
        #expect(try client.dismiss(onboarding) == onboarding)
        #expect(try client.listViews().allSatisfy { $0.state == .dismissed })
    }

    @Test(
        "UC-42 OB-15 OB-49 the close of an onboarding is the app's to carry out",
        arguments: Wire.allCases)
    func close(wire: Wire) throws {
        let (client, view) = try atPricing(wire)
        try client.tapButton(view, "pricing_next")
        _ = client.takeEvents()
        try client.tapButton(view, "close_button")
        #expect(client.takeEvents().map(line) == ["screen_completed 5", "close close_button"])
        #expect(try client.listViews().map(\.state) == [.onTop])
        #expect(try client.dismiss(view) == view)
        #expect(client.takeEvents().isEmpty)
    }

    @Test("OB-16 the SDK closes an onboarding that was made so", arguments: Wire.allCases)
    func closedBySDK(wire: Wire) throws {
        let catalog = TestCatalogs.fourScreens(last: "final")
        let client = try start(wire, TestSetup(catalog: catalog))
        let view = try client.makeOnboardingView("welcome", handling: .sdk)
        try client.present(view)
        for _ in 0..<3 { try client.tapButton(view, "next") }
        _ = client.takeEvents()
        try client.tapButton(view, "bye")
        #expect(client.takeEvents().map(line) == ["screen_completed 3", "close close_button"])
        #expect(try client.listViews().map(\.state) == [.dismissed])
    }

    @Test("UC-43 OB-17 OB-20 a custom action, as documented", arguments: Wire.allCases)
    func custom(wire: Wire) throws {
        let catalog = TestCatalogs.onboardings([
            (
                "welcome", "onboarding_123",
                [
                    TestCatalogs.onboardingScreen(
                        "profile_screen",
                        TestCatalogs.actionButton(
                            "allow", "custom", actionID: "allowNotifications"),
                        TestCatalogs.toScreen("next", "two")),
                    TestCatalogs.onboardingScreen("two", TestCatalogs.toScreen("next", "three")),
                    TestCatalogs.onboardingScreen("three"),
                ].joined(separator: ",")
            )
        ])
        let client = try start(wire, TestSetup(catalog: catalog))
        let view = try client.makeOnboardingView("welcome")
        try client.present(view)
        let before = try client.screen(view)
        _ = client.takeEvents()
        try client.tapButton(view, "allow")
        let events = client.takeEvents()
        #expect(events.map(line) == ["custom allowNotifications"])
        guard case .onCustomAction(let action) = events.last?.kind else { throw Unexpected(events) }
        let documented = """
            {"actionId":"allowNotifications","meta":{"onboardingId":"onboarding_123",\
            "screenClientId":"profile_screen","screenIndex":0,"screensTotal":3}}
            """
        let got = try JSONSerialization.jsonObject(with: Data(action.payloadJson.utf8))
        let wanted = try JSONSerialization.jsonObject(with: Data(documented.utf8))
        #expect(got as? NSDictionary == wanted as? NSDictionary)
        #expect(try client.screen(view) == before)
    }
}
