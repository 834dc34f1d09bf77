import Testing

@testable import FlowEngine

/// Screens, navigators and hooks (NAV-1 to NAV-19, VW-20, VW-21).
struct NavigationTests {
    private func go(_ screen: String, in navigator: String? = nil) -> ActionDocument {
        .openScreen(screen, navigator: navigator)
    }

    private func three() -> Harness<FlowSession> {
        Harness(
            .screen("a", .field("f"), .button("go", go("b")), .button("self", go("a"))),
            .screen("b", .button("go", go("c")), .button("back", .back)),
            .screen("c", .button("start", go("a")), isLast: true))
    }

    @Test("NAV-1 NAV-2 NAV-4 VW-25 the first screen opens with the view, and each opening is told")
    func openings() throws {
        var flow = three()
        try flow.send(.appear)
        try flow.perform(.tapButton("go"), .tapButton("go"), .tapButton("start"))
        #expect(
            flow.take() == [
                "showed a 0 false", "showed b 1 false", "showed c 2 true", "showed a 0 false",
            ])
    }

    @Test("NAV-2 NAV-9 coming back is told too, and values are still there")
    func back() throws {
        var flow = three()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("go"), .goBack)
        #expect(
            flow.take() == ["input a/f text_input \"x\"", "showed b 1 false", "showed a 0 false"])
        #expect(flow.value("f") == .text("x"))
        try flow.perform(.tapButton("go"), .tapButton("back"))
        #expect(flow.screenID == "a")
    }

    @Test("NAV-10 going back on the first screen is refused")
    func backOnFirst() throws {
        var flow = Harness<FlowSession>(.screen("a", .button("back", .back)))
        try flow.present()
        #expect(flow.refusal(of: .goBack)?.reason == .wrongState)
        #expect(flow.refusal(of: .tapButton("back"))?.reason == .wrongState)
        #expect(flow.take() == [])
    }

    @Test("NAV-7 opening the screen that is shown does nothing, also to the focus")
    func sameScreen() throws {
        var flow = three()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("self"))
        #expect(flow.take() == [])
        #expect(flow.element("f")?.isFocused == true)
        #expect(flow.refusal(of: .goBack)?.reason == .wrongState)
    }

    @Test(
        "NAV-5 a last screen has no element that opens another one",
        arguments: [
            ([ElementDocument.field("f")], nil, true),
            ([.button("b", .close)], nil, true),
            ([.button("b", .back)], nil, true),
            ([.button("b", .openScreen("a", navigator: nil))], nil, true),
            ([.button("b", .openScreen("nowhere", navigator: nil))], nil, true),
            ([.button("b", .openScreen("b", navigator: nil))], nil, false),
            ([.button("b", .openScreen("b", navigator: "sheet"))], nil, false),
            ([.button("b", .openScreen("b", navigator: nil))], true, true),
            ([.button("b", .close)], false, false),
            (
                [
                    .button(
                        "b",
                        .branch([], otherwise: [.openScreen("b", navigator: nil)]))
                ], nil, false
            ),
            (
                [
                    .button(
                        "b",
                        .showAlert(
                            title: "", message: "",
                            actions: [
                                AlertActionDocument(
                                    id: "x", title: "x", style: .default,
                                    actions: [.openScreen("b", navigator: nil)])
                            ]))
                ], nil, false
            ),
        ] as [([ElementDocument], Bool?, Bool)])
    func lastScreen(elements: [ElementDocument], mark: Bool?, isLast: Bool) throws {
        let content = FlowContent(
            id: "f",
            screens: [
                ScreenDocument(id: "a", elements: elements, isLastOverride: mark),
                .screen("b"),
            ])
        var flow = Harness(content)
        try flow.send(.appear)
        #expect(flow.take() == ["showed a 0 \(isLast)"])
        #expect(flow.session.snapshot(elements: 0..<0).first?.isLast == isLast)
    }

    @Test("NAV-8 leaving takes the focus or closes the picker before the next screen opens")
    func leaving() throws {
        var flow = Harness<FlowSession>(
            .screen("a", .picker("p"), .button("go", go("b"))), .screen("b"))
        try flow.present()
        try flow.perform(.openPicker("p"), .pick(1990, 6, 15), .tapButton("go"))
        #expect(flow.take() == ["input a/p date_picker 645408000000", "showed b 1 true"])
    }

    private let sheet = NavigatorDocument(id: "sheet", order: 10)
    private let under = NavigatorDocument(id: "under", order: -1)

    private func layered() -> Harness<FlowSession> {
        Harness(
            .screen(
                "a", .field("f"), .toggle("t"), .button("up", go("s", in: "sheet")),
                .button("down", go("u", in: "under")), .button("gone", go("s", in: "nowhere"))),
            .screen(
                "s", .field("g"), .button("close", .closeNavigator("sheet")),
                .button("closeOther", .closeNavigator("nowhere")), .button("next", go("s2"))),
            .screen("s2", .button("close", .closeNavigator("sheet"))), .screen("u"),
            navigators: [.main, sheet, under])
    }

    @Test("NAV-17 a screen above takes the focus and the gestures, and leaves the one below")
    func above() throws {
        var flow = layered()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("up"))
        #expect(flow.take() == ["input a/f text_input \"x\"", "showed s 1 false"])
        let screens = flow.session.snapshot(elements: 0..<9)
        #expect(screens.map(\.screenID) == ["a", "s"])
        #expect(screens.map(\.navigatorID) == ["main", "sheet"])
        #expect(screens.map(\.elementsTotal) == [5, 4])
        #expect(screens.map(\.elements.count) == [0, 4])
        let refusal = flow.refusal(of: .tapToggle("t"))
        #expect(refusal?.reason == .notFound)
        #expect(refusal?.message.contains("on screen \"a\"") == true)
    }

    @Test("NAV-17 a screen opened underneath leaves control and focus where they are")
    func below() throws {
        var flow = layered()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("down"))
        #expect(flow.take() == ["showed u 3 true"])
        #expect(flow.session.snapshot(elements: 0..<0).map(\.screenID) == ["u", "a"])
        try flow.perform(.blur)
        #expect(flow.take() == ["input a/f text_input \"x\""])
    }

    @Test("NAV-18 closing a navigator leaves its screen and opens nothing")
    func closing() throws {
        var flow = layered()
        try flow.present()
        try flow.perform(.tapButton("up"), .focus("g"), .type("y"), .tapButton("close"))
        #expect(flow.take() == ["showed s 1 false", "input s/g text_input \"y\""])
        #expect(flow.screenID == "a")
        try flow.perform(.tapButton("up"))
        #expect(flow.value("g") == .text("y"))
    }

    @Test("NAV-18 closing an unknown navigator does nothing")
    func closingUnknown() throws {
        var flow = layered()
        try flow.present()
        try flow.perform(.tapButton("up"), .tapButton("closeOther"))
        #expect(flow.take() == ["showed s 1 false"])
        #expect(flow.screenID == "s")
    }

    @Test("NAV-17 each navigator has its own way back")
    func backInNavigator() throws {
        var flow = layered()
        try flow.present()
        try flow.perform(.tapButton("up"))
        #expect(flow.refusal(of: .goBack)?.reason == .wrongState)
        try flow.perform(.tapButton("next"), .goBack)
        #expect(flow.screenID == "s")
    }

    @Test("ACT-9 an unknown navigator is 4106, and the view stays")
    func unknownNavigator() throws {
        var flow = layered()
        try flow.present()
        try flow.perform(.tapButton("gone"))
        #expect(flow.take() == ["failed 4106 navigatorNotFound"])
        #expect(flow.screenID == "a")
    }

    private func hooks(_ id: String) -> ScreenHooks {
        ScreenHooks(
            willAppear: [.custom("\(id)+")], didAppear: [.custom("\(id)++")],
            willDisappear: [.custom("\(id)-")], didDisappear: [.custom("\(id)--")])
    }

    @Test("NAV-19 hooks run after the opening is told: old will, new will, old did, new did")
    func hookOrder() throws {
        var flow = Harness<FlowSession>(
            .screen("a", .field("f"), .button("go", go("b")), hooks: hooks("a")),
            .screen("b", hooks: hooks("b")))
        try flow.send(.appear)
        #expect(flow.take() == ["showed a 0 false", "custom a+", "custom a++"])
        try flow.perform(.focus("f"), .type("x"), .tapButton("go"))
        #expect(
            flow.take() == [
                "input a/f text_input \"x\"", "showed b 1 true", "custom a-", "custom b+",
                "custom a--", "custom b++",
            ])
        try flow.send(.disappear)
        #expect(flow.take() == [])
    }

    @Test("NAV-19 a hook that moves on leaves no hook of the screen it skipped behind")
    func hookMovesOn() throws {
        var skipping = hooks("b")
        skipping.willAppear.append(go("c"))
        var flow = Harness<FlowSession>(
            .screen("a", .button("go", go("b")), hooks: hooks("a")),
            .screen("b", hooks: skipping), .screen("c", hooks: hooks("c")))
        try flow.present()
        try flow.perform(.tapButton("go"))
        #expect(
            flow.take() == [
                "showed b 1 true", "custom a-", "custom b+", "showed c 2 true", "custom b-",
                "custom c+", "custom b--", "custom c++", "custom a--",
            ])
        #expect(flow.screenID == "c")
    }

    @Test("ACT-9 hooks that open each other for ever end in 4105")
    func hookLoop() throws {
        var flow = Harness<FlowSession>(
            .screen("a", hooks: ScreenHooks(didAppear: [go("b")])),
            .screen("b", hooks: ScreenHooks(didAppear: [go("a")])))
        try flow.send(.appear)
        let lines = flow.take()
        #expect(lines.last == "failed 4105 jsException")
        #expect(lines.filter { $0.hasPrefix("failed") }.count == 1)
        #expect(lines.count <= FlowTurn.nestingMax + 2)
    }

    @Test("IN-91 a screen that closes by itself: input, opening, close")
    func closesByItself() throws {
        var flow = Harness<FlowSession>(
            .screen("a", .field("f"), .button("go", go("b"))),
            .screen("b", hooks: ScreenHooks(didAppear: [.close, .custom("late")])))
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("go"))
        #expect(flow.take() == ["input a/f text_input \"x\"", "showed b 1 true", "close"])
    }

    @Test("4103 an element of an unknown kind is reported when its screen opens")
    func unknownKind() throws {
        let alien = ElementDocument(id: "x", content: .unknown("hologram"))
        var flow = Harness<FlowSession>(.screen("a", alien))
        try flow.send(.appear)
        #expect(flow.take() == ["showed a 0 true", "failed 4103 wrongComponentType"])
        #expect(flow.element("x")?.kind == "unknown")
    }

    @Test("NAV-10 the way back is bounded, and the oldest screens are forgotten")
    func longHistory() {
        var live = LiveNavigator(navigator: 0, screen: 0)
        for screen in 0...LiveNavigator.historyMax { live.remember(screen) }
        #expect(live.history.count == LiveNavigator.historyMax)
        #expect(live.history.first == 1)
    }

    @Test("NAV-11 a screen that Set Variable decides on is opened like one by a tap")
    func byVariable() throws {
        let isReady = ConditionDocument.equals(.variable("step"), .text("two"))
        var flow = Harness<FlowSession>(
            .screen(
                "a", .field("f"),
                .button(
                    "go", .setVariable(.variable("step"), .text("two")),
                    .branch(
                        [ConditionBranch(condition: isReady, actions: [go("c")])],
                        otherwise: [go("b")]))), .screen("b"), .screen("c"))
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("go"))
        #expect(flow.take() == ["input a/f text_input \"x\"", "showed c 2 true"])
    }

    @Test("NAV-17 NAV-18 NAV-19 a sheet runs its own hooks, and none of the screen below")
    func sheetHooks() throws {
        var last = hooks("s")
        last.willDisappear.append(.closeNavigator("sheet"))
        var flow = Harness<FlowSession>(
            .screen("a", .button("up", go("s", in: "sheet")), hooks: hooks("a")),
            .screen("s", .button("close", .closeNavigator("sheet")), hooks: last),
            navigators: [.main, sheet])
        try flow.present()
        try flow.perform(.tapButton("up"), .tapButton("close"))
        #expect(
            flow.take() == [
                "showed s 1 true", "custom s+", "custom s++", "custom s-", "custom s--",
            ])
        #expect(flow.screenID == "a")
    }
}
