import Testing

@testable import FlowEngine

/// What never reports (IN-61 to IN-72).
struct SilenceTests {
    @Test("IN-61 a password field reports nothing, whatever is done with it")
    func password() throws {
        var flow = Harness<FlowSession>(.screen("s", .field("p", .password), .field("q")))
        try flow.present()
        try flow.perform(.focus("p"), .type("secret"), .blur, .focus("p"), .type("x"), .focus("q"))
        #expect(flow.take() == [])
        #expect(flow.element("p")?.kind == "password_input")
    }

    @Test("IN-62 ACT-20 selecting a product is no user input")
    func product() throws {
        var flow = Harness<FlowSession>(.screen("s", .products("list", "p")))
        try flow.send(.productsLoaded(["p"]))
        try flow.present()
        try flow.perform(.selectProduct("list", product: "p"))
        #expect(flow.take() == ["product p"])
    }

    @Test("IN-63 NAV-12 a switch of tabs sends nothing")
    func tabs() throws {
        var flow = Harness<FlowSession>(.screen("s", .tabs("tabs", "a", "b")))
        try flow.present()
        #expect(flow.selection("tabs") == ["a"])
        try flow.perform(.switchTab("tabs", tab: "b"))
        #expect(flow.take() == [])
        #expect(flow.selection("tabs") == ["b"])
    }

    @Test("IN-64 nothing inside a Header reports")
    func header() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .field("f", header: true), .picker("p", header: true),
                .single("c", .option("a"), header: true), .toggle("t", header: true)))
        try flow.present()
        try flow.perform(
            .focus("f"), .type("x"), .openPicker("p"), .pick(1990, 6, 15), .closePicker,
            .tapOption("c", option: "a"), .tapToggle("t"))
        #expect(flow.take() == [])
        #expect(flow.selection("c") == ["a"])
        #expect(flow.element("f")?.isInHeader == true)
        #expect(flow.session.document.silentGroups.map(\.rule) == ["IN-64", "IN-64"])
    }

    @Test(
        "IN-65 IN-66 IN-68 IN-70 IN-71 a badly built group is silent in every tap, and named with the rule",
        arguments: [
            ("IN-65", ElementDocument.single("c", .option("a"), .option(nil)), "c", "#1"),
            ("IN-65", .multi("c", .option("a"), .option("  ")), "c", "#1"),
            ("IN-66", .single("c", .option("a"), .option("b"), .option("b")), "c", "#2"),
            ("IN-68", .single(nil, .option("a"), .option("b")), "#0", "b"),
            ("IN-68", .single(" ", .option("a"), .option("b")), "#0", "b"),
        ])
    func badGroup(rule: String, choice: ElementDocument, group: String, other: String) throws {
        var flow = Harness<FlowSession>(.screen("s", choice))
        try flow.present()
        try flow.perform(.tapOption(group, option: "a"), .tapOption(group, option: other))
        #expect(flow.take() == [])
        #expect(flow.selection(group).contains(other))
        let silent = flow.session.document.silentGroups
        #expect(silent.map(\.rule) == [rule])
        #expect(silent.first?.element == 0)
    }

    @Test("IN-66 IDs that differ in case or composition are different")
    func exactIDs() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .single("c", .option("a"), .option("A"), .option("ü"), .option("u\u{308}"))))
        try flow.present()
        try flow.perform(.tapOption("c", option: "u\u{308}"))
        #expect(flow.take().count == 1)
        #expect(flow.session.document.silentGroups.isEmpty)
    }

    @Test("IN-67 a reused Group ID silences groups and toggles on all its screens from the start")
    func reusedGroup() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "a", .toggle("g"), .toggle("own"), .button("go", .openScreen("b", navigator: nil))),
            .screen("b", .single("g", .option("x"))), .screen("c", .field("g")))
        try flow.present()
        try flow.perform(.tapToggle("g"), .tapToggle("own"), .tapButton("go"))
        try flow.perform(.tapOption("g", option: "x"))
        #expect(flow.take() == ["input a/own toggle true", "showed b 1 true"])
    }

    @Test("IN-67 the same name as a field's Element ID silences nothing")
    func fieldNameIsNoGroup() throws {
        var flow = Harness<FlowSession>(
            .screen("a", .toggle("g")), .screen("b", .field("g")))
        try flow.present()
        try flow.perform(.tapToggle("g"))
        #expect(flow.take() == ["input a/g toggle true"])
    }

    @Test("IN-68 a toggle without Group ID works and is silent")
    func namelessToggle() throws {
        var flow = Harness<FlowSession>(.screen("s", .field("f"), .toggle(nil)))
        try flow.present()
        try flow.perform(.tapToggle("#1"))
        #expect(flow.take() == [])
        #expect(flow.value("#1") == .bool(true))
    }

    @Test("IN-69 conditions see the selection of a silent group")
    func conditionsWork() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .single("g", .option("a"), .option(nil)),
                .button(
                    "b",
                    .branch(
                        [
                            ConditionBranch(
                                condition: .contains(.element(screen: "s", element: "g"), "a"),
                                actions: [.custom("yes")])
                        ], otherwise: [.custom("no")]))))
        try flow.present()
        try flow.perform(.tapButton("b"), .tapOption("g", option: "a"), .tapButton("b"))
        #expect(flow.take() == ["custom no", "custom yes"])
    }

    @Test("IN-72 elements with one ID on a screen go by their places")
    func ambiguousElements() throws {
        var flow = Harness<FlowSession>(.screen("s", .field("f"), .field("f"), .field("#9")))
        try flow.present()
        let refusal = flow.refusal(of: .focus("f"))
        #expect(refusal?.reason == .notFound)
        #expect(refusal?.message.contains("\"#0\", \"#1\"") == true)
        #expect(flow.session.snapshot(elements: 0..<9)[0].elements.map(\.id) == ["#0", "#1", "#2"])
        try flow.perform(.focus("#1"), .type("x"), .blur)
        #expect(flow.take() == ["input s/f text_input \"x\""])
    }

    @Test("NAV-13 a flow published before the feature reports neither screens nor inputs")
    func oldFlow() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "a", .field("f"), .toggle("t"), .button("go", .openScreen("b", navigator: nil)),
                .button("c", .custom("x"))), .screen("b", .button("close", .close)),
            reportsAnalytics: false)
        try flow.send(.appear)
        try flow.perform(.focus("f"), .type("x"), .tapToggle("t"), .tapButton("c"))
        try flow.perform(.tapButton("go"), .tapButton("close"))
        #expect(flow.take() == ["custom x", "close"])
    }

    @Test("IN-69 Set Variable selects in a silent group, and the screen shows it")
    func variablesWork() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .multi("g", .option("a"), .option("b"), .option("b")),
                .button("b", .setVariable(.element(screen: "s", element: "g"), .items(["a"])))))
        try flow.present()
        try flow.perform(.tapButton("b"), .tapOption("g", option: "#1"))
        #expect(flow.take() == [])
        #expect(flow.selection("g") == ["a", "#1"])
    }

    @Test("NAV-13 a flow published before the feature sends its own events all the same")
    func oldFlowsOwnEvents() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s",
                .button("b", .sendEvent(name: "e", params: ["isCustomerEvent": .bool(true)]))),
            reportsAnalytics: false)
        try flow.present()
        try flow.perform(.tapButton("b"))
        #expect(flow.take() == ["own e", "backend e"])
    }
}
