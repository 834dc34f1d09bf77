import BridgeProtocol
import Testing

/// The main job on the built-in sample catalog: every element of the registration flow.
@Suite("The sample flow, element by element")
struct SampleFlowTests {
    private func start(_ wire: Wire, locale: String = "", zone: String = "UTC") throws
        -> (TestClient, String)
    {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0, zone: zone)
        try client.activate()
        let view = try client.makeFlowView("onboarding", locale: locale)
        try client.subscribe(kinds: [
            "flow_did_appear", "flow_did_disappear", "did_perform_action",
            "did_receive_analytic_event", "did_receive_error",
        ])
        try client.present(view)
        return (client, view)
    }

    private func payload(_ screen: String, _ id: String, _ type: String, _ rest: String) -> String {
        """
        flow_user_input {"name":"flow_user_input","instanceId":"\(screen)","isBackendEvent":false,\
        "isCustomerEvent":true,"element_id":"\(id)","element_type":"\(type)",\(rest)}
        """
    }

    private func fill(_ client: TestClient, _ view: String, _ element: String, _ text: String)
        throws
    {
        try client.focus(view, element)
        try client.enter(view, element, text)
        try client.blur(view)
    }

    @Test(
        "NAV-3 IN-8 IN-9 IN-10 IN-11 IN-12 IN-13 IN-61 every field of the registration reports as it should",
        arguments: Wire.allCases)
    func registration(wire: Wire) throws {
        let (client, view) = try start(wire)
        let screen = "scr_registration"
        #expect(client.takeStory() == ["flow_did_appear", showed(screen, 0, false)])
        try fill(client, view, "name", "Jane")
        try fill(client, view, "email", "jane@example.com")
        try fill(client, view, "phone", "+1 555 0100")
        try fill(client, view, "age", "007")
        try fill(client, view, "password", "correct horse")
        try client.pickDate(view, "birthday", 1990, 6, 15)
        #expect(
            client.takeStory() == [
                input("name", "text_input", "Jane"),
                input("email", "email_input", "jane@example.com"),
                input("phone", "phone_input", "+1 555 0100"), input("age", "number_input", "007"),
                payload(screen, "birthday", "date_picker", "\"value\":645408000000"),
            ])
        try client.tapButton(view, "next")
        #expect(client.takeStory() == [showed("scr_quiz", 1, false)])
    }

    @Test(
        "IN-17 IN-18 IN-19 IN-53 IN-54 IN-55 IN-57 IN-59 the quiz reports ids and Element Titles",
        arguments: Wire.allCases, ["", "de"])
    func quiz(wire: Wire, locale: String) throws {
        let (client, view) = try start(wire, locale: locale)
        try client.tapButton(view, "next")
        _ = client.takeEvents()
        let screen = "scr_quiz"
        try client.tapOption(view, "experience", "pro")
        try client.tapOption(view, "interests", "music")
        try client.tapOption(view, "interests", "sports")
        try client.tapToggle(view, "reminders")
        try client.tapToggle(view, "reminders")
        try client.tapOption(view, "interests", "music")
        try client.tapOption(view, "interests", "sports")
        func items(_ ids: String, _ titles: String) -> String {
            "\"item_ids\":[\(ids)],\"item_titles\":[\(titles)]"
        }
        #expect(
            client.takeStory() == [
                payload(
                    screen, "experience", "single_choice",
                    items("\"pro\"", "\"I train professionally\"")),
                payload(screen, "interests", "multi_choice", items("\"music\"", "\"Music\"")),
                payload(
                    screen, "interests", "multi_choice",
                    items("\"sports\",\"music\"", "\"Sports\",\"Music\"")),
                payload(screen, "reminders", "toggle", "\"value\":true"),
                payload(screen, "reminders", "toggle", "\"value\":false"),
                payload(screen, "interests", "multi_choice", items("\"sports\"", "\"Sports\"")),
                payload(screen, "interests", "multi_choice", items("", "")),
            ])
        try client.tapButton(view, "next")
        try client.tapButton(view, "done")
        #expect(
            client.takeStory() == [
                showed("scr_done", 2, true), "did_perform_action close", "flow_did_disappear",
            ])
    }

    @Test(
        "IN-59 the typed params keep text, integer, boolean and list apart",
        arguments: Wire.allCases)
    func typedParams(wire: Wire) throws {
        let (client, view) = try start(wire)
        try client.pickDate(view, "birthday", 1990, 6, 15)
        try client.tapButton(view, "next")
        try client.tapOption(view, "experience", "pro")
        try client.tapToggle(view, "reminders")
        let params = client.takeEvents().compactMap { event -> [String: Value.Kind]? in
            guard case .didReceiveAnalyticEvent(let analytic) = event.kind else { return nil }
            return Dictionary(
                uniqueKeysWithValues: analytic.params.map {
                    ($0.key, $0.value.kind ?? .bool(false))
                })
        }
        #expect(
            params[0] == [
                "name": .string("flow_screen_showed"), "instanceId": .string("scr_registration"),
                "isCustomerEvent": .bool(true), "isBackendEvent": .bool(true),
                "screen_order": .int64(0), "is_last_screen": .bool(false),
            ])
        #expect(
            params[1] == [
                "name": .string("flow_user_input"), "instanceId": .string("scr_registration"),
                "isCustomerEvent": .bool(true), "isBackendEvent": .bool(false),
                "element_id": .string("birthday"), "element_type": .string("date_picker"),
                "value": .int64(645_408_000_000),
            ])
        let list = { (values: [String]) in
            Value.Kind.stringList(with(StringList()) { $0.values = values })
        }
        #expect(params[3]["item_ids"] == list(["pro"]))
        #expect(params[3]["item_titles"] == list(["I train professionally"]))
        #expect(params[3]["value"] == nil)
        #expect(params[4]["value"] == .bool(true))
        #expect(params[4].count == 7)
    }

    @Test(
        "get_screen shows every element with its title in the shown locale",
        arguments: Wire.allCases)
    func screens(wire: Wire) throws {
        let titles: [String: [String]] = [
            "en": [
                "Create your account", "Name", "E-mail", "Phone", "Age", "Password", "Birthday",
                "Next",
            ],
            "de": [
                "Konto anlegen", "Name", "E-Mail", "Telefon", "Alter", "Passwort", "Geburtstag",
                "Weiter",
            ],
        ]
        for (locale, expected) in titles {
            let (client, view) = try start(wire, locale: locale)
            let shown = try client.screen(view)
            #expect(shown.locale == locale)
            #expect(!shown.isRightToLeft)
            let screen = try #require(shown.screens.first)
            #expect(screen.screenId == "scr_registration")
            #expect(screen.elements.map(\.title) == expected)
            #expect(
                screen.elements.map(\.kind) == [
                    "text", "text_input", "email_input", "phone_input", "number_input",
                    "password_input", "date_picker", "button",
                ])
            #expect(
                screen.elements.map(\.elementId).suffix(7) == [
                    "name", "email", "phone", "age", "password", "birthday", "next",
                ])
            #expect(
                screen.elements[1].placeholder == (locale == "de" ? "Erika Mustermann" : "Jane Doe")
            )
            try client.focus(view, "email")
            try client.enter(view, "email", "ja")
            let now = try client.screen(view).screens[0]
            #expect(now.elements.filter(\.focused).map(\.elementId) == ["email"])
            #expect(now.elements[2].value?.kind == .string("ja"))
            try client.tapButton(view, "next")
            try client.tapOption(view, "interests", "travel")
            try client.tapToggle(view, "reminders")
            let quiz = try #require(try client.screen(view).screens.first)
            #expect(
                quiz.elements.map(\.kind) == ["single_choice", "multi_choice", "toggle", "button"])
            #expect(
                quiz.elements[0].options.map(\.title)
                    == (locale == "de"
                        ? ["Neuling", "Hobby", "Profi"] : ["Beginner", "Amateur", "Pro"]))
            #expect(quiz.elements[1].options.filter(\.selected).map(\.optionId) == ["travel"])
            #expect(quiz.elements[2].value?.kind == .bool(true))
            #expect(!quiz.isLastScreen)
            try client.tapButton(view, "next")
            let done = try #require(try client.screen(view).screens.first)
            #expect(done.screenId == "scr_done")
            #expect(done.screenOrder == 2)
            #expect(done.isLastScreen)
        }
    }

    @Test("get_screen pages elements", arguments: Wire.allCases)
    func screenPages(wire: Wire) throws {
        let (client, view) = try start(wire)
        let whole = try client.screen(view).screens[0].elements
        for size in [1, 3, 8, UInt32.max] {
            var seen: [ScreenElement] = []
            var token = ""
            repeat {
                let reply = try client.call(
                    .getScreen(
                        with(GetScreenRequest()) {
                            $0.viewId = view
                            $0.pageSize = size
                            $0.pageToken = token
                        }))
                guard case .getScreen(let page) = reply else { throw Unexpected(reply) }
                seen += page.screens.flatMap(\.elements)
                token = page.nextPageToken
            } while token != ""
            #expect(seen == whole, "page_size \(size)")
        }
    }

    @Test(
        "PL-7 premium_offer_1 is a flow with two products and a close button",
        arguments: Wire.allCases)
    func premiumOffer(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let flow = try client.getFlow("premium_offer_1")
        #expect(flow.hasViewConfiguration)
        #expect(
            flow.paywalls.flatMap(\.products).map(\.vendorProductId)
                == ["premium_monthly", "premium_yearly"])
        #expect(flow.placement?.audienceName == "All Users")
        #expect(flow.placement?.abTestName == "")
        let view = try client.makeFlowView("premium_offer_1")
        try client.subscribe()
        try client.present(view)
        #expect(
            client.takeStory()
                == ["view_presented", "flow_did_appear", showed("scr_offer", 0, true)])
        let screen = try #require(try client.screen(view).screens.first)
        #expect(
            screen.elements.map(\.elementId).suffix(4) == ["plans", "buy", "restore", "close"])
        try client.tapButton(view, "close")
        #expect(client.takeStory() == ["did_perform_action close", "flow_did_disappear"])
    }
}
