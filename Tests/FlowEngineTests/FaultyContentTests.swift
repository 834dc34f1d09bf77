import Testing

@testable import FlowEngine

/// Content that the catalog loader refuses still makes sessions that do not fall over.
struct FaultyContentTests {
    @Test("A flow without locale, navigator or screen runs as far as it can")
    func emptyFlow() throws {
        var bare = Harness(
            FlowContent(
                id: "f", locales: [], defaultLocale: 3, screens: [.screen("s", .toggle("t"))],
                navigators: []))
        try bare.send(.appear)
        try bare.perform(.tapToggle("t"))
        #expect(bare.take() == ["showed s 0 true", "input s/t toggle true"])
        #expect(bare.session.shownLocale.id == "en")
        #expect(bare.session.snapshot(elements: 0..<9).map(\.navigatorID) == ["main"])
        var none = Harness(FlowContent(id: "f", screens: []))
        try none.send(.appear)
        #expect(none.take() == [])
        #expect(none.refusal(of: .tapOutside)?.reason == .wrongState)
    }

    @Test("An onboarding without screen or locale fails to load")
    func emptyOnboarding() throws {
        var view = Harness(
            OnboardingSession(
                document: OnboardingDocument(
                    OnboardingContent(id: "o", locales: [], defaultLocale: -1, screens: [])),
                locale: -1, opensExternalBrowser: false, isReachable: true))
        try view.send(.appear)
        #expect(view.take() == ["onboarding failed 4200 webKit"])
        #expect(view.session.shownLocale.id == "en")
    }

    @Test("Names given twice, empty groups and unknown presets change nothing else")
    func oddParts() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .single("empty"), .tabs("none"), .products("list", "p", "p", preselected: "q"),
                .multi("zero", .option("a"), max: 0), .toggle("t")), .screen("s", .toggle("u")),
            timers: [
                TimerDocument(id: "x", durationMs: .max), TimerDocument(id: "x", durationMs: -5),
            ])
        try flow.send(.productsLoaded(["p", "stranger"]))
        try flow.send(.appear)
        try flow.perform(.tapOption("zero", option: "a"), .selectProduct("list", product: "#1"))
        #expect(flow.take().last == "product p")
        #expect(flow.selection("zero") == [])
        #expect(flow.refusal(of: .tapOption("empty", option: "a"))?.reason == .notFound)
        #expect(flow.refusal(of: .switchTab("none", tab: "a"))?.reason == .notFound)
    }
}
