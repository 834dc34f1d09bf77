import Testing

@testable import FlowEngine

/// Impossible gestures: what they say, and that they change nothing (GEN-6, GEN-7).
struct RefusalTests {
    private func form() -> Harness<FlowSession> {
        Harness(
            .screen(
                "scr", .field("name"), .field("email", .email), .field("off", enabled: false),
                .picker("day"), .single("plan", .option("free"), .option("pro")), .toggle("flag"),
                .button("dead", .custom("x"), enabled: false), .button("next", .custom("y")),
                .label("text", ""), .tabs("tabs", "one")), .screen("later", .field("there")))
    }

    @Test(
        "GEN-6 field case 27: a refusal says what was asked for and what there is",
        arguments: [
            (Gesture.focus("emial"), GestureRefusal.Reason.notFound, "\"emial\"", "\"email\""),
            (.focus("there"), .notFound, "\"there\"", "screen \"later\""),
            (.focus("off"), .wrongState, "\"off\"", "disabled"),
            (.tapButton("dead"), .wrongState, "\"dead\"", "disabled"),
            (.tapButton("flag"), .wrongState, "\"flag\" is a toggle", "button"),
            (.focus("day"), .wrongState, "\"day\" is a date_picker", "field"),
            (.openPicker("name"), .wrongState, "\"name\" is a text_input", "picker"),
            (.tapOption("plan", option: "por"), .notFound, "\"por\"", "\"free\", \"pro\""),
            (.tapOption("flag", option: "x"), .wrongState, "\"flag\"", "choice"),
            (.tapToggle("plan"), .wrongState, "\"plan\" is a single_choice", "toggle"),
            (.switchTab("tabs", tab: "two"), .notFound, "\"two\"", "\"one\""),
            (.switchTab("text", tab: "two"), .wrongState, "\"text\"", "tab bar"),
            (.tapLink("name", index: 0), .wrongState, "\"name\"", "text"),
            (.selectProduct("text", product: "p"), .wrongState, "\"text\"", "product_list"),
            (.enterText("emial", text: "x"), .notFound, "\"emial\"", "\"email\""),
            (.enterText("day", text: "x"), .wrongState, "\"day\"", "field"),
        ])
    func texts(
        gesture: Gesture, reason: GestureRefusal.Reason, asked: String, available: String
    ) throws {
        var flow = form()
        try flow.present()
        let before = flow.session.snapshot(elements: 0..<99)
        let refusal = flow.refusal(of: gesture)
        #expect(refusal?.reason == reason)
        #expect(refusal?.message.contains(asked) == true, "\(refusal?.message ?? "")")
        #expect(refusal?.message.contains(available) == true, "\(refusal?.message ?? "")")
        #expect(flow.take() == [])
        #expect(flow.session.snapshot(elements: 0..<99) == before)
    }

    @Test("GEN-7 no refusal tells a typed value")
    func noValues() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"))
        for text in ["secret\u{7}", "secret\n", String(repeating: "secret", count: 10_000)] {
            let refusal = flow.refusal(of: .type(text))
            #expect(refusal?.message.contains("secret") == false)
            #expect(refusal?.message.contains("\"name\"") == true)
        }
    }

    @Test("GEN-6 a long name and a long list are cut")
    func lengths() throws {
        let fields = (0..<100).map { ElementDocument.field("field\($0)") }
        var flow = Harness(
            FlowContent(id: "f", screens: [ScreenDocument(id: "s", elements: fields)]))
        try flow.present()
        let refusal = flow.refusal(of: .focus(String(repeating: "x", count: 100_000)))
        #expect(refusal?.message.contains("and 80 more") == true)
        #expect((refusal?.message.utf8.count ?? .max) < 1_000)
    }

    @Test("GEN-6 options with one ID or none go by their places, as get_screen tells")
    func optionNames() throws {
        var flow = Harness<FlowSession>(
            .screen("s", .multi("c", .option("a"), .option("a"), .option(nil), .option("b"))))
        try flow.present()
        #expect(flow.element("c")?.options.map(\.id) == ["#0", "#1", "#2", "b"])
        let refusal = flow.refusal(of: .tapOption("c", option: "a"))
        #expect(refusal?.reason == .notFound)
        #expect(refusal?.message.contains("several") == true)
        try flow.perform(.tapOption("c", option: "#1"), .tapOption("c", option: "b"))
        #expect(flow.selection("c") == ["#1", "b"])
    }

    @Test("A flow takes no message of an onboarding document")
    func message() throws {
        var flow = form()
        try flow.present()
        #expect(throws: GestureRefusal.self) { try flow.send(.message(json: "{}")) }
    }

    @Test("The snapshot pages the elements of the screen in control")
    func pages() throws {
        var flow = form()
        try flow.present()
        let page = flow.session.snapshot(elements: 2..<4)[0]
        #expect(page.elementsTotal == 10)
        #expect(page.elements.map(\.id) == ["off", "day"])
        #expect(flow.session.snapshot(elements: 9..<99)[0].elements.map(\.id) == ["tabs"])
        #expect(flow.session.snapshot(elements: 50..<99)[0].elements.isEmpty)
    }

    @Test("The snapshot names every kind of element")
    func kinds() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .field("a"), .field("b", .email), .field("c", .number), .field("d", .phone),
                .field("e", .password), .picker("f"), .picker("g", .time), .picker("h", .dateTime),
                .single("i"), .multi("j"), .toggle("k"), .button("l"), .label("m", ""),
                .products("n"), .tabs("o")))
        try flow.present()
        #expect(
            flow.session.snapshot(elements: 0..<99)[0].elements.map(\.kind) == [
                "text_input", "email_input", "number_input", "phone_input", "password_input",
                "date_picker", "time_picker", "date_time_picker", "single_choice", "multi_choice",
                "toggle", "button", "text", "product_list", "tabs",
            ])
    }
}
