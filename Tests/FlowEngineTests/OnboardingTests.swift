import Testing

@testable import FlowEngine

/// The rules of onboardings (OB-1 to OB-7, OB-15 to OB-18, OB-21 to OB-31, OB-33 to OB-50,
/// OB-56 to OB-58).
struct OnboardingTests {
    private typealias View = Harness<OnboardingSession>

    private func go(_ screen: String) -> ActionDocument { .openScreen(screen, navigator: nil) }

    @Test("OB-2 OB-3 every callback carries where it stood")
    func meta() throws {
        var view = View(
            .screen("a", .button("go", go("b"))), .screen("b", .button("x", .close)), .screen("c"))
        try view.send(.appear)
        try view.perform(.tapButton("go"))
        let metas = view.takeEffects().compactMap { effect -> OnboardingMeta? in
            if case .onboarding(_, let meta) = effect { meta } else { nil }
        }
        #expect(metas.count == 6)
        #expect(metas.allSatisfy { $0.onboardingID == "onboarding_123" && $0.screensTotal == 3 })
        #expect(metas.map(\.screenIndex) == [0, 0, 0, 0, 1, 1])
        #expect(metas.map(\.screenClientID) == ["a", "a", "a", "a", "b", "b"])
    }

    @Test("OB-5 OB-6 OB-35 OB-47 loading comes first, once, at the first appearance")
    func loading() throws {
        var view = View(.screen("final"))
        #expect(view.take() == [])
        try view.send(.appear)
        #expect(
            view.take() == [
                "didFinishLoading @0", "onboarding_started @0", "screen_presented @0",
                "backend new_onboarding_screen_showed", "onboarding_completed @0",
            ])
    }

    @Test("OB-7 OB-56 a load failure is 4200 and nothing else, also when presented again")
    func unreachable() throws {
        var view = View(.screen("a", .field("f")), isReachable: false)
        try view.send(.appear)
        #expect(view.take() == ["onboarding failed 4200 webKit"])
        #expect(view.refusal(of: .focus("f"))?.reason == .wrongState)
        #expect(view.session.snapshot(elements: 0..<9).isEmpty)
        try view.send(.disappear)
        view.session.isReachable = true
        try view.send(.appear)
        #expect(view.take() == [])
        #expect(view.refusal(of: .focus("f"))?.reason == .wrongState)
    }

    @Test("OB-5 what counts is whether it can be fetched when it appears")
    func reachableLater() throws {
        var view = View(.screen("a"), isReachable: false)
        view.session.isReachable = true
        try view.send(.appear)
        #expect(view.take().first == "didFinishLoading @0")
    }

    @Test("OB-56 presented again it shows where it stood and sends nothing")
    func again() throws {
        var view = View(.screen("a", .button("go", go("b"))), .screen("b", .field("f")))
        try view.present()
        try view.perform(.tapButton("go"), .focus("f"), .type("x"))
        _ = view.take()
        try view.send(.disappear)
        #expect(view.refusal(of: .focus("f"))?.reason == .wrongState)
        try view.send(.appear)
        #expect(view.take() == [])
        #expect(view.screenID == "b")
        #expect(view.value("f") == .text("x"))
        try view.perform(.focus("f"), .blur)
        #expect(view.take() == [])
    }

    @Test("OB-15 OB-17 OB-18 field case 1: actions carry the Action ID of their button")
    func actions() throws {
        var view = View(
            .screen(
                "a", .button("1", .custom(""), actionID: "ask_push"),
                .button("2", .custom("skip_push")),
                .button("3", .openPaywall(""), actionID: "offer_a"),
                .button("4", .openPaywall("offer_b"), actionID: "offer_b"),
                .button("5", .close, actionID: "   "), .button("6", .close)))
        try view.present()
        for name in ["1", "2", "3", "4"] { try view.perform(.tapButton(name)) }
        #expect(
            view.take() == [
                "onCustom ask_push @0", "onCustom skip_push @0", "onPaywall offer_a @0",
                "onPaywall offer_b @0",
            ])
        try view.perform(.tapButton("5"), .tapButton("6"))
        #expect(
            view.take() == [
                "screen_completed 5 - @0", "onClose     @0", "screen_completed 6 - @0",
                "onClose  @0",
            ])
    }

    @Test("OB-21 OB-23 OB-29 a select reports id, value and label at each tap")
    func select() throws {
        var view = View(
            .screen(
                "a",
                .single(
                    "preference_selector",
                    .option("option_1", text: "Premium Plan", value: "premium"),
                    .option("option_2", text: "Basic"))))
        try view.present()
        try view.perform(
            .tapOption("preference_selector", option: "option_1"),
            .tapOption("preference_selector", option: "option_2"),
            .tapOption("preference_selector", option: "option_2"))
        #expect(
            view.take() == [
                "state preference_selector select option_1/premium/Premium Plan @0",
                "state preference_selector select option_2/option_2/Basic @0",
                "state preference_selector select option_2/option_2/Basic @0",
            ])
    }

    @Test("OB-24 OB-30 a multi-select lists all in builder order, defaults too, and none as empty")
    func multiSelect() throws {
        var view = View(
            .screen("a", .multi("m", .option("1"), .option("2", isDefault: true), .option("3"))))
        try view.send(.appear)
        #expect(!view.take().contains { $0.hasPrefix("state") })
        try view.perform(
            .tapOption("m", option: "1"), .tapOption("m", option: "2"), .tapOption("m", option: "1")
        )
        #expect(
            view.take() == [
                "state m multi [\"1\", \"2\"] @0", "state m multi [\"1\"] @0",
                "state m multi [] @0",
            ])
    }

    @Test(
        "OB-25 OB-26 OB-29 OB-31 a field reports by its type when it loses the focus",
        arguments: [
            (FieldKind.text, "John Doe", ["state f text \"John Doe\" @0"]),
            (.text, "", []), (.email, "no address", ["state f email \"no address\" @0"]),
            (.number, "25", ["state f number 25.0 @0"]), (.password, "secret", []),
        ])
    func fields(kind: FieldKind, text: String, lines: [String]) throws {
        var view = View(.screen("a", .field("f", kind), .field("g")))
        try view.present()
        try view.perform(.focus("f"), .type(text), .focus("g"))
        #expect(view.take() == lines)
    }

    @Test(
        "OB-27 OB-58 a number is a JSON number with white space around it ignored",
        arguments: [
            ("25", 25), (" 25\u{A0}", 25), ("-0", -0.0), ("1.50", 1.5), ("1e3", 1000),
            ("1E+3", 1000), ("-2.5e-1", -0.25), ("", nil), (" ", nil), ("1,000", nil),
            ("1 000", nil), ("0x10", nil), ("1e400", nil), ("007", nil), ("+1", nil), (".5", nil),
            ("5.", nil), ("1e", nil), ("nan", nil), ("inf", nil), ("--1", nil), ("1.2.3", nil),
            ("٣", nil), ("1e+", nil), ("0", 0), ("0.0", 0), ("-", nil),
        ] as [(String, Double?)])
    func numbers(text: String, value: Double?) throws {
        #expect(NumberText.value(of: text) == value)
        var view = View(.screen("a", .field("f", .number, text: "7")))
        try view.present()
        try view.perform(.focus("f"), .type(text), .blur)
        #expect(view.take() == (value.map { ["state f number \($0) @0"] } ?? []))
    }

    @Test(
        "OB-41 an e-mail of the form x@y is collected, once per field and presentation",
        arguments: [
            ("x@y", true), ("jane@example.com", true), ("é@ü", true), ("x@", false), ("@y", false),
            ("x@y@z", false), ("x y@z", false), ("x@y ", false), ("xy", false), ("@", false),
            ("x\u{A0}@y", false), ("", false),
        ])
    func emails(text: String, isCollected: Bool) throws {
        #expect(EmailForm.matches(text) == isCollected)
        var view = View(.screen("a", .field("f", .email), .field("g", .email)))
        try view.present()
        for field in ["f", "f", "g"] {
            try view.perform(.focus(field), .clearText(nil), .type(text), .blur)
        }
        let collected = view.take().filter { $0 == "user_email_collected @0" }
        #expect(collected.count == (isCollected ? 2 : 0))
    }

    @Test("OB-41 OB-56 a new presentation collects again")
    func emailAgain() throws {
        var view = View(.screen("a", .field("f", .email)))
        for text in ["a@b", "c@d"] {
            try view.present()
            try view.perform(.focus("f"), .type(text), .blur)
            try view.send(.disappear)
            #expect(view.take() == ["state f email \"\(text)\" @0", "user_email_collected @0"])
        }
    }

    @Test("OB-28 OB-29 field case 41: a date has its parts, and no zone plays a part")
    func dates() throws {
        for zone in ["Asia/Kolkata", "America/New_York", "Pacific/Apia"] {
            var view = View(.screen("a", .picker("d")))
            view.zone = .named(zone)
            try view.present()
            try view.perform(.openPicker("d"), .pick(1990, 6, 15), .closePicker)
            try view.perform(.openPicker("d"), .pick(1990, 6, 15), .closePicker)
            try view.perform(.openPicker("d"), .pick(0, 6, 0), .pick(2011, 12, 30), .closePicker)
            try view.perform(.openPicker("d"), .pick(0, 2, 29), .closePicker)
            #expect(
                view.take() == [
                    "state d date 15.6.1990 @0", "state d date 30.12.2011 @0",
                    "state d date 29.2.0 @0",
                ])
            #expect(view.value("d") == .date(day: 29, month: 2, year: nil))
        }
    }

    @Test(
        "OB-28 dates that no calendar has are refused",
        arguments: [
            (1990, 2, 29), (0, 2, 30), (1990, 13, 0), (0, 0, 32), (10_000, 0, 0), (0, 0, 0),
            (-1, 0, 0),
        ] as [(Int32, Int32, Int32)])
    func impossibleDates(year: Int32, month: Int32, day: Int32) throws {
        var view = View(.screen("a", .picker("d")))
        try view.present()
        try view.perform(.openPicker("d"))
        #expect(view.refusal(of: .pick(year, month, day))?.reason == .invalidArgument)
        #expect(view.refusal(of: .pickTime(1, 1))?.reason == .invalidArgument)
        try view.perform(.closePicker)
        #expect(view.take() == [])
    }

    @Test("OB-30 IN-39 a whole date keeps to the bounds")
    func bounds() throws {
        let bound = PickerMoment(date: CivilDate(year: 2000, month: 1, day: 1))
        for (picker, year) in [
            (ElementDocument.picker("d", min: bound), Int32(1999)),
            (.picker("d", max: bound), 2001),
        ] {
            var view = View(.screen("a", picker))
            try view.present()
            try view.perform(.openPicker("d"))
            #expect(view.refusal(of: .pick(year, 1, 1))?.reason == .wrongState)
            try view.perform(.pick(2000, 1, 1))
        }
    }

    @Test("OB-30 IN-73 IN-83 presets are silent, and the background loses what is pending")
    func loss() throws {
        var view = View(
            .screen(
                "a", .field("f", text: "given"),
                .picker("d", initial: PickerMoment(date: CivilDate(year: 2000, month: 1, day: 1)))))
        try view.present()
        #expect(view.value("d") == .date(day: 1, month: 1, year: 2000))
        try view.perform(.focus("f"), .blur, .openPicker("d"), .pick(1990, 6, 15))
        try view.send(.enterBackground)
        #expect(view.refusal(of: .focus("f"))?.reason == .wrongState)
        try view.send(.enterForeground)
        #expect(view.value("d") == .date(day: 1, month: 1, year: 2000))
        try view.perform(.focus("f"), .type("x"))
        try view.send(.enterBackground)
        try view.send(.enterForeground)
        try view.perform(.tapOutside)
        #expect(view.take() == [])
    }

    @Test("OB-36 OB-37 OB-38 coming back presents again, the second screen only once")
    func back() throws {
        var view = View(
            .screen("a", .button("go", go("b"))), .screen("b", .button("back", .back, reply: "no")))
        try view.present()
        try view.perform(.tapButton("go"), .tapButton("back"), .tapButton("go"), .goBack)
        #expect(
            view.take().filter { !$0.hasPrefix("backend") } == [
                "screen_completed go - @0", "screen_presented @1", "second_screen_presented @1",
                "screen_completed back no @1", "screen_presented @0", "screen_completed go - @0",
                "screen_presented @1", "screen_completed - - @1", "screen_presented @0",
            ])
        #expect(view.refusal(of: .goBack)?.reason == .wrongState)
    }

    @Test("NAV-10 a back button on the first screen is refused, an opening of itself does nothing")
    func nowhere() throws {
        var view = View(.screen("a", .button("back", .back), .button("self", go("a"))))
        try view.present()
        #expect(view.refusal(of: .tapButton("back"))?.reason == .wrongState)
        try view.perform(.tapButton("self"))
        #expect(view.take() == [])
    }

    @Test("OB-39 a select that leads away replies with its value")
    func selectLeads() throws {
        var view = View(
            .screen(
                "a", .single("s", .option("o", text: "L", value: "v", actions: [go("b")]))),
            .screen("b"))
        try view.present()
        try view.perform(.tapOption("s", option: "o"))
        #expect(
            view.take().prefix(2) == ["state s select o/v/L @0", "screen_completed s v @0"])
    }

    @Test("OB-39 a button without Element ID leaves the key out")
    func namelessButton() throws {
        var view = View(.screen("a", .button(nil, go("b"))), .screen("b"))
        try view.present()
        try view.perform(.tapButton("#0"))
        #expect(view.take().first == "screen_completed - - @0")
    }

    @Test("OB-42 the ID final counts once per presentation, wherever it is")
    func final() throws {
        var view = View(
            .screen("a", .button("go", go("final"))),
            .screen("final", .button("on", go("z"))), .screen("z"))
        try view.present()
        try view.perform(.tapButton("go"), .goBack, .tapButton("go"))
        #expect(view.take().filter { $0.hasPrefix("onboarding_completed") }.count == 1)
        try view.send(.disappear)
        try view.present()
        try view.perform(.goBack, .tapButton("go"))
        #expect(view.take().filter { $0.hasPrefix("onboarding_completed") }.count == 1)
    }

    @Test("OB-46 OB-48 marks of screens come after the presentation and the second screen")
    func marks() throws {
        let marked = ScreenDocument(
            id: "final", elements: [], isRegistration: true, isProducts: true)
        var view = View(.screen("a", .button("go", go("final"))), marked)
        try view.present()
        try view.perform(.tapButton("go"))
        #expect(
            view.take() == [
                "screen_completed go - @0", "screen_presented @1",
                "backend new_onboarding_screen_showed", "second_screen_presented @1",
                "registration_screen_presented @1", "products_screen_presented @1",
                "onboarding_completed @1",
            ])
    }

    @Test("OB-48 what is pending on a screen is told before it is completed")
    func pendingFirst() throws {
        var view = View(.screen("a", .picker("d"), .button("go", go("b"))), .screen("b"))
        try view.present()
        try view.perform(.openPicker("d"), .pick(1990, 6, 15), .tapButton("go"))
        #expect(
            view.take().prefix(3) == [
                "state d date 15.6.1990 @0", "screen_completed go - @0", "screen_presented @1",
            ])
    }

    @Test("OB-49 a custom or paywall button leaves focus and screen alone")
    func staying() throws {
        var view = View(
            .screen(
                "a", .field("f"), .button("c", .custom("x")), .button("p", .openPaywall("y"))))
        try view.present()
        try view.perform(.focus("f"), .type("x"), .tapButton("c"), .tapButton("p"))
        #expect(view.take() == ["onCustom x @0", "onPaywall y @0"])
        #expect(view.element("f")?.isFocused == true)
    }

    @Test("OB-40 dismissal and background complete nothing")
    func noCompletion() throws {
        var view = View(.screen("a"))
        try view.present()
        try view.send(.enterBackground)
        try view.send(.enterForeground)
        try view.send(.disappear)
        #expect(view.take() == [])
    }

    @Test(
        "OB-50 the backend hears of each screen with its name, order as text, and whether it is last"
    )
    func backend() throws {
        var view = View(.screen("a", .button("go", go("b"))), .screen("b"))
        try view.send(.appear)
        try view.perform(.tapButton("go"))
        let events = view.takeEffects().compactMap { effect -> BackendEvent? in
            if case .backend(let event) = effect { event } else { nil }
        }
        #expect(
            events
                == [("a", "0", false), ("b", "1", true)].map { name, order, isLast in
                    BackendEvent(
                        name: "new_onboarding_screen_showed",
                        properties: [
                            "onboarding_screen_name": .string(name),
                            "onboarding_screen_order": .string(order),
                            "onboarding_latest_screen": .bool(isLast),
                        ])
                })
    }

    @Test("OB-57 a link is opened by the SDK, where the configuration says, without a callback")
    func links() throws {
        for (isExternal, target) in [(false, "in"), (true, "out")] {
            var view = View(
                .screen(
                    "a", .label("t", "", links: ["https://a.example", "broken"]),
                    .button("b", .openURL("https://b.example", .browserOutApp))),
                opensExternalBrowser: isExternal)
            try view.present()
            try view.perform(.tapLink("t", index: 0), .tapLink("t", index: 1), .tapButton("b"))
            #expect(
                view.take() == [
                    "opened https://a.example \(target)", "opened https://b.example \(target)",
                ])
        }
    }

    @Test("OB-22 toggles, tabs and products have no event in onboardings")
    func noEvents() throws {
        var view = View(
            .screen("a", .toggle("t"), .tabs("tabs", "x", "y"), .products("list", "p")))
        try view.present()
        try view.perform(.tapToggle("t"), .switchTab("tabs", tab: "y"))
        #expect(view.take() == [])
        #expect(view.value("t") == .bool(true))
        #expect(view.selection("tabs") == ["y"])
        #expect(view.refusal(of: .selectProduct("list", product: "p"))?.reason == .wrongState)
    }

    @Test(
        "GEN-6 IN-92 impossible gestures are refused as in flows",
        arguments: [
            (Gesture.focus("emial"), GestureRefusal.Reason.notFound), (.blur, .wrongState),
            (.closePicker, .wrongState), (.pick(1990, 1, 1), .wrongState),
            (.type("x"), .wrongState),
            (.focus("later"), .notFound), (.tapButton("email"), .wrongState),
        ])
    func refusals(gesture: Gesture, reason: GestureRefusal.Reason) throws {
        var view = View(.screen("a", .field("email")), .screen("b", .field("later")))
        try view.present()
        #expect(view.refusal(of: gesture)?.reason == reason)
        #expect(throws: GestureRefusal.self) { try view.send(.alertAnswered(actionID: "x")) }
        #expect(view.take() == [])
    }

    @Test("Labels and titles come in the locale that is shown")
    func locales() throws {
        let option = OptionDocument(
            elementID: "o", text: LocalizedText(["Hello", "Hallo"]))
        let screen = ScreenDocument.screen("a", .single("s", option))
        let content = OnboardingContent(
            id: "x", locales: [LocaleDocument(id: "en"), LocaleDocument(id: "de")],
            screens: [screen])
        for (locale, label) in [(0, "Hello"), (1, "Hallo"), (9, "Hello")] {
            var view = View(
                OnboardingSession(
                    document: OnboardingDocument(content), locale: locale,
                    opensExternalBrowser: false, isReachable: true))
            try view.present()
            try view.perform(.tapOption("s", option: "o"))
            #expect(view.take() == ["state s select o/o/\(label) @0"])
            #expect(view.element("s")?.options.first?.title == label)
        }
    }
}
