import Testing

@testable import FlowEngine

/// Set Variable and conditions (IN-69, IN-73 to IN-77, ACT-8, ACT-9).
struct VariableTests {
    private func set(_ element: String, _ value: VariableValue) -> ActionDocument {
        .setVariable(.element(screen: "s", element: element), value)
    }

    private func form() -> Harness<FlowSession> {
        Harness(
            .screen(
                "s", .field("f"), .picker("p"), .picker("t", .time),
                .single("c", .option("a"), .option("b")), .multi("m", .option("x"), .option("y")),
                .toggle("g"), .button("fill", set("f", .text("given"))),
                .button("number", set("f", .number(42))),
                .button("day", set("p", .number(645_408_000_000 + 3_600_000))),
                .button("time", set("t", .number(-1))),
                .button("choose", set("c", .text("b")), set("m", .items(["y", "x"]))),
                .button("on", set("g", .flag(true))),
                .button("wrong", set("g", .text("secret value")), .custom("after")),
                .button("nowhere", set("zz", .text("x")))))
    }

    @Test("IN-74 ACT-8 Set Variable selects and fills without an event")
    func silent() throws {
        var flow = form()
        try flow.present()
        try flow.perform(
            .tapButton("fill"), .tapButton("day"), .tapButton("time"), .tapButton("choose"),
            .tapButton("on"))
        #expect(flow.take() == [])
        #expect(flow.value("f") == .text("given"))
        #expect(flow.value("p") == .instant(645_408_000_000))
        #expect(flow.value("t") == .instant(-60_000))
        #expect(flow.selection("c") == ["b"])
        #expect(flow.selection("m") == ["x", "y"])
        #expect(flow.value("g") == .bool(true))
        try flow.perform(.tapButton("number"))
        #expect(flow.value("f") == .text("42"))
    }

    @Test("IN-75 a filled field reports only after an edit, also one edited before")
    func filled() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .blur, .tapButton("fill"), .focus("f"), .blur)
        #expect(flow.take() == ["input s/f text_input \"x\""])
        try flow.perform(.focus("f"), .type("given!"), .blur)
        #expect(flow.take() == ["input s/f text_input \"given!\""])
    }

    @Test("IN-76 Set Variable on the field in focus cancels the edits of this focus")
    func inFocus() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("fill"), .blur)
        #expect(flow.take() == [])
        try flow.perform(.focus("f"), .type("x"), .tapButton("fill"), .type("y"), .blur)
        #expect(flow.take() == ["input s/f text_input \"y\""])
    }

    @Test("IN-77 Set Variable on an open picker moves what it is compared with")
    func openPicker() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.openPicker("p"), .pick(2000, 1, 1), .tapButton("day"), .closePicker)
        #expect(flow.take() == [])
        try flow.perform(.openPicker("p"), .tapButton("day"), .pick(2000, 1, 1), .closePicker)
        #expect(flow.take() == ["input s/p date_picker 946684800000"])
    }

    @Test("IN-78 a timer that fills, selects and moves reports nothing, nor does a tag")
    func byTimer() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .field("f"), .picker("p"), .multi("m", .option("x")), .toggle("g"),
                .label("l", "{{tag}}", tags: ["tag": "0"], timer: "t")),
            timers: [
                TimerDocument(
                    id: "t", mode: .restart, durationMs: 1_000,
                    actions: [
                        set("f", .text("x")), set("p", .number(0)), set("m", .items(["x"])),
                        set("g", .flag(true)),
                    ])
            ], options: FlowSessionOptions(locale: 0, tags: ["tag": "1"]))
        try flow.present()
        try flow.advance(byMs: 1_000)
        try flow.perform(.focus("f"), .openPicker("p"), .closePicker)
        #expect(flow.take() == [])
        #expect(flow.value("f") == .text("x"))
        #expect(flow.selection("m") == ["x"])
        #expect(flow.element("l")?.title == "1")
    }

    @Test("IN-56 a selection by Set Variable counts in later lists")
    func laterLists() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.tapButton("choose"), .tapOption("m", option: "y"))
        #expect(flow.take() == ["input s/m multi_choice [\"x\"] [\"x\"]"])
    }

    @Test("ACT-9 GEN-7 a value that an element cannot hold is 4105, without the value")
    func faults() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.tapButton("wrong"), .tapButton("nowhere"))
        let effects = flow.takeEffects()
        #expect(
            effects.map(\.line) == [
                "failed 4105 jsException", "custom after", "failed 4105 jsException",
            ])
        for case .failed(let error) in effects { #expect(!error.message.contains("secret")) }
    }

    private static let age = ConditionSubject.element(screen: "s", element: "age")
    private static let plan = ConditionSubject.element(screen: "s", element: "plan")
    private static let likes = ConditionSubject.element(screen: "s", element: "likes")
    private static let step = ConditionSubject.variable("step")
    private static let none = ConditionSubject.variable("none")

    @Test(
        "Conditions look at variables and at what the elements hold now",
        arguments: [
            (.equals(age, .text("18")), true), (.equals(age, .number(18)), true),
            (.equals(age, .number(19)), false), (.notEquals(age, .text("19")), true),
            (.equals(plan, .text("pro")), true), (.equals(plan, .items(["pro"])), true),
            (.equals(plan, .text("free")), false), (.contains(likes, "b"), true),
            (.contains(likes, "c"), false), (.equals(likes, .items(["b", "a"])), true),
            (.contains(age, "8"), true), (.contains(age, "81"), false), (.contains(age, ""), true),
            (.equals(.element(screen: "s", element: "flag"), .flag(true)), true),
            (.equals(step, .number(2)), true), (.equals(step, .text("2")), true),
            (.isSet(step), true), (.isSet(none), false), (.equals(none, .text("")), false),
            (.notEquals(none, .text("x")), true), (.isSet(age), true),
            (.isSet(.element(screen: "s", element: "empty")), false),
            (.isSet(.element(screen: "s", element: "day")), false),
            (.all([.isSet(step), .isSet(none)]), false), (.all([]), true),
            (.any([.isSet(step), .isSet(none)]), true), (.any([]), false),
            (.not(.isSet(none)), true), (.equals(step, .flag(true)), false),
        ] as [(ConditionDocument, Bool)])
    func conditions(condition: ConditionDocument, expected: Bool) throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .field("age", .number, text: "18"),
                .single("plan", .option("free"), .option("pro", isDefault: true)),
                .multi(
                    "likes", .option("a", isDefault: true), .option("b", isDefault: true),
                    .option("c")), .toggle("flag", on: true), .field("empty"), .picker("day"),
                .button(
                    "go",
                    .branch(
                        [ConditionBranch(condition: condition, actions: [.custom("yes")])],
                        otherwise: [.custom("no")]))),
            variables: ["step": .number(2)])
        try flow.present()
        try flow.perform(.tapButton("go"))
        #expect(flow.take() == [expected ? "custom yes" : "custom no"])
    }

    @Test("The first arm that holds runs, and no other")
    func firstArm() throws {
        let isOne = ConditionDocument.equals(Self.step, .number(1))
        var flow = Harness<FlowSession>(
            .screen(
                "s", .button("set", .setVariable(.variable("step"), .number(1))),
                .button(
                    "go",
                    .branch(
                        [
                            ConditionBranch(condition: isOne, actions: [.custom("one")]),
                            ConditionBranch(
                                condition: .isSet(Self.step), actions: [.custom("any")]),
                        ], otherwise: [.custom("none")]))))
        try flow.present()
        try flow.perform(.tapButton("go"), .tapButton("set"), .tapButton("go"))
        #expect(flow.take() == ["custom none", "custom one"])
    }

    @Test("ACT-9 a condition on an element that is not there is 4105")
    func unknownElement() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s",
                .button(
                    "go",
                    .branch(
                        [
                            ConditionBranch(
                                condition: .isSet(.element(screen: "x", element: "y")), actions: [])
                        ], otherwise: [.custom("no")]))))
        try flow.present()
        try flow.perform(.tapButton("go"))
        #expect(flow.take() == ["failed 4105 jsException"])
    }

    @Test("VW-20 variables start anew with each presentation")
    func anew() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s",
                .button(
                    "go", .setVariable(.variable("step"), .number(5)),
                    .branch(
                        [
                            ConditionBranch(
                                condition: .equals(Self.step, .number(5)), actions: [.custom("5")])
                        ], otherwise: [])),
                .button(
                    "look",
                    .branch(
                        [
                            ConditionBranch(
                                condition: .equals(Self.step, .number(2)), actions: [.custom("2")])
                        ], otherwise: [.custom("other")]))), variables: ["step": .number(2)])
        try flow.present()
        try flow.perform(.tapButton("go"), .tapButton("look"))
        try flow.send(.disappear)
        #expect(flow.take() == ["custom 5", "custom other"])
        try flow.present()
        try flow.perform(.tapButton("look"))
        #expect(flow.take() == ["custom 2"])
    }
}
