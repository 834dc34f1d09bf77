import BridgeProtocol
import SDKCore
import Testing

/// Trouble that people had with the SDKs, as small trials.
@Suite("Cases from the field")
struct FieldCaseTests {
    private func start(
        _ wire: Wire, _ catalog: Catalog = TestCatalogs.sample, zone: String = "UTC"
    ) throws -> TestClient {
        let client = try TestBroker.start(wire, TestSetup(catalog: catalog)).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0, zone: zone)
        try client.activate()
        try client.subscribe()
        _ = client.takeEvents()
        return client
    }

    @Test(
        "case 1 OB-17 OB-18: actions carry the builder's ids, in every field",
        arguments: Wire.allCases)
    func actionIDs(wire: Wire) throws {
        let catalog = TestCatalogs.onboardings([
            (
                "welcome", "onboarding_123",
                TestCatalogs.onboardingScreen(
                    "only", TestCatalogs.actionButton("one", "custom", actionID: "ask_push"),
                    TestCatalogs.actionButton("two", "custom", actionID: "skip_push"),
                    TestCatalogs.actionButton("three", "open_paywall", actionID: "offer_a"))
            )
        ])
        let client = try start(wire, catalog)
        let view = try client.makeOnboardingView("welcome")
        try client.present(view)
        _ = client.takeEvents()
        for button in ["one", "two", "three"] { try client.tapButton(view, button) }
        let events = client.takeEvents()
        let texts = events.flatMap { event -> [String] in
            switch event.kind {
            case .onCustomAction(let action):
                ["custom \(action.actionId)", action.payloadJson, action.payloadJsonOther]
            case .onPaywallAction(let action):
                ["paywall \(action.actionId)", action.payloadJson, action.payloadJsonOther]
            default: ["\(event)"]
            }
        }
        #expect(texts.count == 9)
        #expect(
            [texts[0], texts[3], texts[6]] == [
                "custom ask_push", "custom skip_push", "paywall offer_a",
            ])
        #expect(texts[1].contains(#""actionId":"ask_push""#))
        #expect(texts[2].contains(#""action_id":"ask_push""#))
        #expect(texts[7].contains(#""action_id":"offer_a""#))
        #expect(texts[8].contains(#""actionId":"offer_a""#))
        #expect(!texts.contains { $0.contains("onboarding_on_") })
    }

    private func attribute(_ key: String, _ value: String?) -> CustomAttribute {
        with(CustomAttribute()) {
            $0.key = key
            $0.change = value.map { .string($0) } ?? .remove(true)
        }
    }

    @Test(
        "case 5 PRO-15 PRO-16 PRO-20: the limit of 30 is counted after the merge",
        arguments: Wire.allCases)
    func attributeLimit(wire: Wire) throws {
        let client = try start(wire)
        let keys = (1...30).map { $0 < 10 ? "k0\($0)" : "k\($0)" }
        func set(_ attributes: CustomAttribute...) -> ClientFrame.Body {
            .updateProfile(with(UpdateProfileRequest()) { $0.customAttributes = attributes })
        }
        try client.update { $0.customAttributes = keys.map { attribute($0, "v") } }
        try client.call(set(attribute("k07", "new")))
        let one = try client.refusal(set(attribute("k31", "x")))
        #expect(one.sdk?.code == 3001)
        #expect(one.message.contains("at most 30 custom attributes with a value, got 31"))
        try client.call(set(attribute("k01", nil), attribute("k31", "x")))
        let more = try client.refusal(
            set(
                attribute("k02", nil), attribute("k03", nil), attribute("k32", "x"),
                attribute("k33", "x"), attribute("k34", "x")))
        #expect(more.sdk?.code == 3001)
        #expect(more.message.contains("31"))
        let stored = try client.profile().customAttributes
        #expect(stored.count == 30)
        #expect(stored.contains { $0.key == "k02" })
        #expect(stored.first { $0.key == "k07" }?.value.kind == .string("new"))
        #expect(!stored.contains { $0.key == "k01" })
    }

    @Test("case 9 PRO-10 PRO-11: keys that are refused are named", arguments: Wire.allCases)
    func attributeKeys(wire: Wire) throws {
        let client = try start(wire)
        func set(_ key: String) -> ClientFrame.Body {
            .updateProfile(
                with(UpdateProfileRequest()) { $0.customAttributes = [attribute(key, "x")] })
        }
        try client.call(set("user.plan"))
        try client.call(set("  plan  "))
        for (key, shown) in [
            ("$email", "\"$email\""), ("user plan", "\"user plan\""), ("plan\u{200B}", "200B"),
            ("", "\"\""),
        ] {
            let error = try client.refusal(set(key))
            #expect(error.sdk?.code == 3001)
            #expect(
                error.message.uppercased().holds([shown.uppercased(), "1 TO 30 CHARACTERS"]),
                "\(error.message)")
        }
        #expect(try client.profile().customAttributes.map(\.key) == ["plan", "user.plan"])
    }

    @Test("case 11 PRO-2 PRO-20 PRO-22: a later update resets nothing", arguments: Wire.allCases)
    func laterUpdates(wire: Wire) throws {
        let client = try start(wire)
        try client.update {
            $0.firstName = "Ann"
            $0.customAttributes = [attribute("a", "1")]
        }
        try client.update {
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "b"
                    $0.change = .double(2)
                }
            ]
        }
        #expect(client.takeStory() == ["did_load_latest_profile", "did_load_latest_profile"])
        try client.update { _ in }
        try client.update { $0.firstName = "   " }
        #expect(client.takeStory() == [])
        let record = try client.inspectProfile()
        #expect(record.firstName == "Ann")
        let attributes = try client.profile().customAttributes
        #expect(attributes.map(\.key) == ["a", "b"])
        #expect(attributes.map(\.value.kind) == [.string("1"), .double(2)])
    }

    @Test(
        "case 17 PL-8 FC-1: a flow without view configuration makes no view",
        arguments: Wire.allCases)
    func noConfiguration(wire: Wire) throws {
        let catalog = TestCatalogs.load([
            (
                "placements.json",
                "{\"placements\":[\(TestCatalogs.placement("main", "flow", #"{"variation_id":"v","flow_id":"f"}"#))]}"
            )
        ])
        let client = try start(wire, catalog)
        #expect(try !client.getFlow("main").hasViewConfiguration)
        let error = try client.refusal(
            .getFlowConfiguration(with(GetFlowConfigurationRequest()) { $0.variationId = "v" }))
        #expect(error.sdk?.code == 3001)
        #expect(error.message.contains("view configuration"), "\(error.message)")
        let none = try client.refusal(
            .createFlowController(with(CreateFlowControllerRequest()) { $0.configurationId = "v" }))
        #expect(none.code == .notFound || none.sdk?.code == 3001)
        #expect(try client.listViews().isEmpty)
    }

    @Test(
        "case 19 FC-3 FC-4: a flow in English alone looks the same on every device",
        arguments: Wire.allCases)
    func englishAlone(wire: Wire) throws {
        let text =
            #"{"locales":["en"],"screens":[{"id":"scr","elements":[{"type":"text","text":"Hello"}]}]}"#
        let broker = TestBroker.start(
            wire, TestSetup(catalog: TestCatalogs.flows([("main", text)])))
        var shown: [[Screen]] = []
        for locale in ["en-US", "de-DE", "ar-EG", "zh-Hant-TW"] {
            let client = try broker.client(wire.mode)
            try client.openDevice("in \(locale)", manualAtMs: 0, locale: locale)
            try client.activate()
            let view = try client.makeFlowView("main", locale: locale)
            try client.present(view)
            let screen = try client.screen(view)
            #expect(!screen.isRightToLeft)
            #expect(screen.locale == "en")
            shown.append(screen.screens)
        }
        #expect(shown.first?.first?.elements.map(\.title) == ["Hello"])
        #expect(shown.allSatisfy { $0 == shown.first })
    }

    @Test(
        "case 21 VW-13 VW-20: shown again it starts anew; destroyed it is 3001",
        arguments: Wire.allCases)
    func shownAgain(wire: Wire) throws {
        let client = try start(wire)
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        try client.focus(view, "name")
        try client.enter(view, "name", "Jane")
        try client.tapButton(view, "next")
        try client.tapOption(view, "experience", "pro")
        try client.tapButton(view, "next")
        try client.tapButton(view, "done")
        try client.present(view)
        let screen = try #require(try client.screen(view).screens.first)
        #expect(screen.screenId == "scr_registration")
        #expect(screen.elements[1].value?.kind == .string(""))
        try client.dismiss(view, destroy: true)
        let error = try client.refusal(.present(with(PresentRequest()) { $0.viewId = view }))
        #expect(error.sdk?.code == 3001)
        #expect(error.message.contains(view))
    }

    @Test(
        "case 41 IN-40 OB-28 PRO-5: a birthday is a day, in any zone", arguments: Wire.allCases,
        ["Asia/Kolkata", "America/New_York", "UTC", "Pacific/Kiritimati"])
    func birthday(wire: Wire, zone: String) throws {
        let client = try start(wire, zone: zone)
        let flow = try client.makeFlowView("onboarding")
        try client.present(flow)
        _ = client.takeEvents()
        try client.pickDate(flow, "birthday", 1990, 6, 15)
        let event = try #require(client.takeEvents().last)
        #expect(event.timeZone == zone)
        if zone == "Asia/Kolkata" { #expect(event.story.contains("\"value\":645388200000")) }
        try client.dismiss(flow)
        let onboarding = try client.makeOnboardingView("legacy_onboarding")
        try client.present(onboarding)
        try client.tapButton(onboarding, "start_button")
        _ = client.takeEvents()
        try client.pickDate(onboarding, "birthday_picker", 1990, 6, 15)
        guard case .onStateUpdatedAction(let update) = client.takeEvents().last?.kind,
            case .datePicker(let picked) = update.params
        else { throw Unexpected("no date") }
        #expect(picked.day == 15)
        #expect(picked.month == 6)
        #expect(picked.year == 1990)
        try client.update { $0.birthday = "1990-06-15" }
        #expect(try client.inspectProfile().birthday == "1990-06-15")
    }

    @Test(
        "case 43 IN-13 IN-45: picks are whole milliseconds, far in the past and future",
        arguments: Wire.allCases)
    func farPicks(wire: Wire) throws {
        let picks: [(zone: String, year: Int32, month: Int32, day: Int32, ms: Int64)] = [
            ("UTC", 2038, 1, 20, 2_147_558_400_000), ("UTC", 1901, 12, 1, -2_148_595_200_000),
            ("UTC", 1970, 1, 1, 0), ("UTC", 1970, 1, 25, 2_073_600_000),
            ("Asia/Tokyo", 2100, 1, 1, 4_102_412_400_000),
            ("Asia/Tokyo", 1970, 1, 1, -32_400_000),
        ]
        for pick in picks {
            let client = try start(wire, zone: pick.zone)
            let view = try client.makeFlowView("onboarding")
            try client.present(view)
            _ = client.takeEvents()
            try client.pickDate(view, "birthday", pick.year, pick.month, pick.day)
            guard case .didReceiveAnalyticEvent(let event) = client.takeEvents().last?.kind else {
                throw Unexpected("no event")
            }
            let value = event.params.first { $0.key == "value" }?.value.kind
            #expect(value == .int64(pick.ms))
            #expect(event.payloadJson.hasSuffix("\"value\":\(pick.ms)}"))
        }
    }

    @Test(
        "case 43 PRO-5: a birthday that is no day is INVALID_ARGUMENT and says YYYY-MM-DD",
        arguments: Wire.allCases,
        ["645408000000", "1990-6-15", "1990-02-30", "15.06.1990", "1990-06-15T00:00:00Z"])
    func badBirthday(wire: Wire, text: String) throws {
        let client = try start(wire)
        let error = try client.refusal(
            .updateProfile(with(UpdateProfileRequest()) { $0.birthday = text }))
        #expect(error.code == .invalidArgument)
        #expect(error.field.hasSuffix("birthday"))
        #expect(error.message.contains("YYYY-MM-DD"), "\(error.message)")
        // Before the profile was touched: GEN-7 keeps the value out of the text.
        #expect(!error.message.contains(text))
    }

    @Test(
        "case 47 OB-59 OB-11: a button without Action ID calls back with an empty text",
        arguments: Wire.allCases)
    func noActionID(wire: Wire) throws {
        let catalog = TestCatalogs.onboardings([
            (
                "welcome", "onboarding_123",
                TestCatalogs.onboardingScreen(
                    "only", TestCatalogs.actionButton("bare", "close", actionID: nil),
                    TestCatalogs.actionButton("blank", "close", actionID: "   "))
            )
        ])
        let client = try start(wire, catalog)
        let view = try client.makeOnboardingView("welcome")
        try client.present(view)
        _ = client.takeEvents()
        try client.tapButton(view, "bare")
        try client.tapButton(view, "blank")
        let actions = client.takeEvents().compactMap { event -> OnCloseAction? in
            guard case .onCloseAction(let action) = event.kind else { return nil }
            return action
        }
        #expect(actions.map(\.actionId) == ["", "   "])
        #expect(actions.first?.payloadJson.contains(#""action_id":"""#) == true)
        #expect(actions.last?.payloadJson.contains(#""action_id":"   ""#) == true)
        guard wire.mode == .line else { return }
        let sequence = try client.lastSequence()
        try client.wire.send(
            Array("{\"id\":500,\"getEvents\":{\"kinds\":[\"on_close_action\"]}}\n".utf8))
        let line = String(decoding: try client.wire.receive() ?? [], as: UTF8.self)
        #expect(line.contains(#""onCloseAction":{"actionId":"""#), "\(sequence): \(line)")
    }
}
