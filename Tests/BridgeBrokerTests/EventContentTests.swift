import BridgeProtocol
import Testing

/// What events are made of, whatever flow they come from.
@Suite("Events hold what the SDK's callbacks hold, and nothing else")
struct EventContentTests {
    private func start(_ wire: Wire) throws -> (TestBroker, TestClient) {
        let broker = TestBroker.start(wire)
        let app = try broker.client(wire.mode)
        try app.openDevice("phone", manualAtMs: 0, zone: "Asia/Kolkata")
        try app.activate()
        try app.subscribe()
        return (broker, app)
    }

    /// Goes through the sample flow with every kind of input; returns its view.
    private func walk(_ app: TestClient) throws -> String {
        let view = try app.makeFlowView("onboarding")
        try app.present(view)
        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.blur(view)
        try app.pickDate(view, "birthday", 1990, 6, 15)
        try app.tapButton(view, "next")
        try app.tapOption(view, "experience", "pro")
        try app.tapOption(view, "interests", "music")
        try app.tapToggle(view, "reminders")
        try app.tapButton(view, "next")
        return view
    }

    private func record(_ app: TestClient) throws -> [Event] {
        let reply = try app.call(.getEvents(GetEventsRequest()))
        guard case .getEvents(let page) = reply else { throw Unexpected(reply) }
        return page.events
    }

    @Test(
        "GEN-2 IN-89 nothing the app does changes an event or puts data into the flow",
        arguments: Wire.allCases)
    func unchanged(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let view = try walk(app)
        let before = try record(app)
        let screen = try app.screen(view)
        try app.update { $0.email = "other@example.com" }
        _ = try app.getFlow("onboarding")
        #expect(Array(try record(app).prefix(before.count)) == before)
        #expect(try app.screen(view) == screen)
    }

    @Test(
        "GEN-8 GEN-14 NAV-14 IN-3 params have the documented keys; the zone is in the envelope",
        arguments: Wire.allCases)
    func keys(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        _ = try walk(app)
        let shown: Set = [
            "name", "instanceId", "isCustomerEvent", "isBackendEvent", "screen_order",
            "is_last_screen",
        ]
        let input: Set = [
            "name", "instanceId", "isCustomerEvent", "isBackendEvent", "element_id",
            "element_type",
        ]
        var names: Set<String> = []
        for event in app.takeEvents() {
            #expect(event.timeZone == "Asia/Kolkata")
            guard case .didReceiveAnalyticEvent(let analytic) = event.kind else { continue }
            names.insert(analytic.name)
            let keys = analytic.params.map(\.key)
            #expect(Set(keys).count == keys.count)
            switch analytic.name {
            case "flow_screen_showed": #expect(Set(keys) == shown)
            default:
                let rest = Set(keys).subtracting(input)
                #expect(rest == ["value"] || rest == ["item_ids", "item_titles"])
                #expect(Set(keys).isSuperset(of: input))
            }
        }
        #expect(names == ["flow_screen_showed", "flow_user_input"])
    }

    @Test("NAV-6 the last screen closes nothing", arguments: Wire.allCases)
    func lastScreen(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let view = try walk(app)
        let story = app.takeStory()
        #expect(story.last == showed("scr_done", 2, true))
        #expect(!story.contains("flow_did_disappear"))
        #expect(try app.listViews().first?.state == .onTop)
        #expect(try app.screen(view).screens.last?.isLastScreen == true)
    }

    @Test(
        "IN-90 a handler's call to the SDK does not delay the next event", arguments: Wire.allCases)
    func notDelayed(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let view = try walk(app)
        try app.dismiss(view)
        try app.present(view)
        try app.delay("update_profile", ms: 5_000)
        _ = app.takeEvents()
        let update = try app.send(
            .updateProfile(with(UpdateProfileRequest()) { $0.firstName = "Jane" }))
        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.blur(view)
        #expect(app.takeStory() == [input("name", "text_input", "Jane")])
        try app.advance(ms: 5_000)
        _ = try app.answer(to: update)
        #expect(app.takeStory() == ["did_load_latest_profile"])
    }

    @Test("GEN-12 OB-1 the delegates have their callbacks, one event kind each")
    func delegates() {
        let flow = [
            "flow_did_appear", "flow_did_disappear", "did_perform_action", "did_select_product",
            "did_start_purchase", "did_finish_purchase", "did_fail_purchase", "did_start_restore",
            "did_finish_restore", "did_fail_restore", "did_receive_error",
            "did_fail_loading_products", "did_partially_load_products",
            "did_finish_web_payment_navigation", "did_receive_analytic_event",
        ]
        let onboarding = [
            "did_finish_loading", "on_close_action", "on_paywall_action", "on_custom_action",
            "on_state_updated_action", "on_analytics_event", "did_fail_with_error",
        ]
        #expect(flow.count == 15)
        #expect(onboarding.count == 7)
        let known = EventKindTable.names
        #expect(Array(known.prefix(23)) == flow + ["did_load_latest_profile"] + onboarding)
    }

    @Test("OB-33 the cases of onAnalyticsEvent are those of the SDK, with the names of OB-34")
    func onboardingAnalytics() {
        let cases: [OnAnalyticsEvent.Kind] = [
            .unknown, .onboardingStarted, .screenPresented, .screenCompleted,
            .secondScreenPresented, .userEmailCollected, .onboardingCompleted,
            .registrationScreenPresented, .productsScreenPresented,
        ]
        #expect(cases.map(\.rawValue) == Array(0...8))
    }

    @Test(
        "OB-4 events of an onboarding and of a flow stay with their delegates",
        arguments: Wire.allCases)
    func delegatesApart(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let flow = try walk(app)
        try app.dismiss(flow)
        let onboarding = try app.makeOnboardingView("legacy_onboarding")
        try app.present(onboarding)
        for event in app.takeEvents() where !event.viewId.isEmpty {
            let name = try #require(event.kind).name
            if name == "view_presented" { continue }
            let isOnboarding =
                name.hasPrefix("on_") || name == "did_finish_loading"
                || name == "did_fail_with_error"
            #expect(isOnboarding == (event.viewId == onboarding), "\(name)")
        }
    }

    @Test(
        "OB-8 OB-7 without network an onboarding fails with 4200 and stays until dismissed",
        arguments: Wire.allCases)
    func offline(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let view = try app.makeOnboardingView("legacy_onboarding")
        try app.call(.setConditions(with(SetConditionsRequest()) { $0.offline = true }))
        _ = app.takeEvents()
        try app.present(view)
        let events = app.takeEvents()
        #expect(events.map(\.story) == ["view_presented", "did_fail_with_error"])
        guard case .didFailWithError(let failed) = events.last?.kind else {
            throw Unexpected(events)
        }
        #expect(failed.error?.code == 4200)
        #expect(failed.error?.name == "webKit")
        #expect(try app.listViews().first?.state == .onTop)
        #expect(try app.dismiss(view) == view)
    }

    @Test(
        "OB-19 PL-3 ERR-3 an action id that is no placement: getFlow fails, nothing else happens",
        arguments: Wire.allCases)
    func noPlacement(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        _ = app.takeEvents()
        let error = try app.refusal(
            .getFlow(with(GetFlowRequest()) { $0.placementId = "allowNotifications" }))
        #expect(error.sdk?.code == 2003)
        #expect(error.sdk?.name == "badRequest")
        #expect(error.message.contains("allowNotifications"))
        #expect(app.takeEvents().isEmpty)
    }

    @Test(
        "PRO-1 every field of the builder reaches the backend", arguments: Wire.allCases)
    func fields(wire: Wire) throws {
        let (broker, app) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try app.update {
            $0.firstName = "Jane"
            $0.lastName = "Doe"
            $0.gender = "female"
            $0.birthday = "1990-06-15"
            $0.email = "jane@example.com"
            $0.phoneNumber = "+34600000000"
            $0.attStatus = .authorized
            $0.analyticsDisabled = true
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "plan"
                    $0.change = .string("pro")
                }
            ]
        }
        let stored = try app.inspectProfile()
        #expect(stored.firstName == "Jane")
        #expect(stored.lastName == "Doe")
        #expect(stored.gender == "f")
        #expect(stored.birthday == "1990-06-15")
        #expect(stored.email == "jane@example.com")
        #expect(stored.phoneNumber == "+34600000000")
        #expect(stored.attStatus == .authorized)
        #expect(stored.analyticsDisabled)
        #expect(stored.profile?.customAttributes.map(\.key) == ["plan"])
    }
}
