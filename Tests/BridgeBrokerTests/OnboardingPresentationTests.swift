import BridgeProtocol
import Testing

@Suite("Onboardings: locale, loading, links, presenting again")
struct OnboardingPresentationTests {
    private func start(_ wire: Wire, _ setup: TestSetup = TestSetup()) throws -> TestClient {
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0, locale: "de-DE")
        try client.activate()
        try client.subscribe()
        _ = client.takeEvents()
        return client
    }

    private func onboarding(_ locale: String, _ client: TestClient) throws -> Onboarding {
        let reply = try client.call(
            .getOnboarding(
                with(GetOnboardingRequest()) {
                    $0.placementId = "legacy_onboarding"
                    $0.locale = locale
                }))
        guard case .getOnboarding(let got) = reply, let onboarding = got.onboarding else {
            throw Unexpected(reply)
        }
        return onboarding
    }

    private func setOffline(_ offline: Bool, _ client: TestClient) throws {
        try client.call(.setConditions(with(SetConditionsRequest()) { $0.offline = offline }))
    }

    @Test(
        "PL-6 the locale that is asked for decides what is shown, never the device's",
        arguments: Wire.allCases)
    func locale(wire: Wire) throws {
        let client = try start(wire)
        let shown = [
            ("", "Welcome"), ("en", "Welcome"), ("de", "Willkommen"), ("DE_at", "Willkommen"),
            ("de-CH-1996", "Willkommen"), ("fr", "Welcome"), ("fr-DE", "Welcome"),
        ]
        for (locale, text) in shown {
            let got = try onboarding(locale, client)
            let view = try client.makeOnboardingView(of: got)
            try client.present(view)
            #expect(
                try client.screen(view).screens.last?.elements.first?.title == text, "\(locale)")
            try client.dismiss(view, destroy: true)
        }
    }

    @Test(
        "OB-7 OB-56 a failure to load is 4200, once and for good; another view loads again",
        arguments: Wire.allCases)
    func failure(wire: Wire) throws {
        let client = try start(wire)
        let got = try onboarding("", client)
        let view = try client.makeOnboardingView(of: got, handling: .sdk)
        try setOffline(true, client)
        try client.present(view)
        let events = client.takeEvents()
        #expect(events.map(\.story) == ["view_presented", "did_fail_with_error"])
        let gesture = try client.refusal(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = view
                    $0.gesture = .goBack(GoBackGesture())
                }))
        #expect(gesture.code == .wrongState)
        #expect(try client.dismiss(view) == view)
        try setOffline(false, client)
        try client.present(view)
        #expect(client.takeStory() == ["view_presented"])
        #expect(try client.dismiss(view) == view)
        let another = try client.makeOnboardingView(of: got)
        try client.present(another)
        #expect(client.takeEvents().dropFirst().first?.kind?.name == "did_finish_loading")
    }

    @Test(
        "OB-56 presented again it stands where it stood, with what was entered, and sends nothing",
        arguments: Wire.allCases)
    func again(wire: Wire) throws {
        let client = try start(wire)
        let view = try client.makeOnboardingView("legacy_onboarding")
        try client.present(view)
        try client.tapButton(view, "start_button")
        try client.focus(view, "name_input")
        try client.enter(view, "name_input", "Jane")
        try client.blur(view)
        let before = try client.screen(view)
        try client.dismiss(view)
        // Offline no longer matters: nothing is loaded anew.
        try setOffline(true, client)
        _ = client.takeEvents()
        try client.present(view)
        #expect(client.takeStory() == ["view_presented"])
        #expect(try client.screen(view) == before)
    }

    @Test(
        "OB-57 a link opens in the app unless the configuration says otherwise, without a callback",
        arguments: Wire.allCases, [false, true])
    func links(wire: Wire, external: Bool) throws {
        let link =
            #"{"type":"button","element_id":"terms","actions":[{"type":"open_url","url":"https://example.com"}]}"#
        let catalog = TestCatalogs.onboardings([
            ("legacy_onboarding", "links", TestCatalogs.onboardingScreen("only", link))
        ])
        let client = try start(wire, TestSetup(catalog: catalog))
        let got = try onboarding("", client)
        let view = try client.makeOnboardingView(
            of: got, urls: external ? .externalBrowser : .inAppBrowser)
        try client.present(view)
        _ = client.takeEvents()
        try client.tapButton(view, "terms")
        let events = client.takeEvents()
        guard events.count == 1, case .urlOpened(let opened) = events[0].kind else {
            throw Unexpected(events)
        }
        #expect(opened.url == "https://example.com")
        #expect(opened.target == (external ? .browserOutApp : .browserInApp))
        #expect(try client.listViews().map(\.state) == [.onTop])
    }

    @Test(
        "PL-4 PL-3 getOnboarding of a flow or of nothing is 2003 and says so",
        arguments: Wire.allCases)
    func wrongPlacement(wire: Wire) throws {
        let client = try start(wire)
        for (placement, texts) in [
            ("onboarding", ["flow", "onboarding"]), ("nothing", ["nothing"]),
        ] {
            let error = try client.refusal(
                .getOnboarding(with(GetOnboardingRequest()) { $0.placementId = placement }))
            #expect(error.sdk?.code == 2003)
            #expect(error.message.holds(texts))
        }
    }
}
