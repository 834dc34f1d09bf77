import Testing

@testable import FlowEngine

/// What a flow does at the result of what it asked for (ACT-23 to ACT-33, ACT-42, ACT-44, VW-28).
struct RequestTests {
    private static let results: ResultActions = [
        .success: [.custom("bought")], .cancelled: [.custom("thought better")],
        .failure: [.custom("failed")], .pending: [.openScreen("wait", navigator: nil)],
    ]

    private func shop() throws -> Harness<FlowSession> {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .products("list", "month", "year"),
                .button("buy", .purchase(.product("month"), then: Self.results)),
                .button("buy_unknown", .purchase(.product("gone"), then: Self.results)),
                .button("web", .webPurchase(.product("month"), then: Self.results)),
                .button("restore", .restore(then: [.success: [.custom("restored")]])),
                .button(
                    "ask",
                    .requestPermission(
                        "push", arguments: [:],
                        then: [
                            .granted: [.custom("granted")], .denied: [.custom("denied")],
                            .unavailable: [.custom("unavailable")],
                        ])),
                .button("plain", .restore()),
                .button("go", .openScreen("wait", navigator: nil))),
            .screen("wait", .button("end", .close)))
        try flow.send(.productsLoaded(["month"]))
        try flow.present()
        return flow
    }

    @Test(
        "ACT-23 ACT-24 ACT-25 ACT-33 the result of a purchase runs its own actions",
        arguments: [
            (RequestResult.success, ["custom bought"]), (.cancelled, ["custom thought better"]),
            (.failure, ["custom failed"]), (.pending, ["showed wait 1 true"]),
        ], ["buy", "web"])
    func purchase(result: (RequestResult, [String]), button: String) throws {
        var flow = try shop()
        try flow.perform(.tapButton(button))
        #expect(flow.take() == ["purchase month\(button == "web" ? " web" : "") #1"])
        try flow.send(.requestEnded(1, result.0))
        #expect(flow.take() == result.1)
        try flow.send(.requestEnded(1, result.0))
        #expect(flow.take() == [])
    }

    @Test("ACT-27 a product that is not loaded: no effect but the flow's own result, failure")
    func notLoaded() throws {
        var flow = try shop()
        try flow.perform(.tapButton("buy_unknown"))
        #expect(flow.take() == ["custom failed"])
    }

    @Test("ACT-42 ACT-43 the answer to a permission runs its own actions")
    func permission() throws {
        for (result, line) in [
            (RequestResult.granted, "granted"), (.denied, "denied"), (.unavailable, "unavailable"),
        ] {
            var flow = try shop()
            try flow.perform(.tapButton("ask"))
            #expect(flow.take() == ["permission push #1"])
            try flow.send(.requestEnded(1, result))
            #expect(flow.take() == ["custom \(line)"])
        }
    }

    @Test("ACT-44 a permission that a newer one resolves has no effect on the flow")
    func superseded() throws {
        var flow = try shop()
        try flow.perform(.tapButton("ask"), .tapButton("ask"))
        #expect(flow.take() == ["permission push #1", "permission push #2"])
        try flow.send(.requestEnded(1, nil))
        #expect(flow.take() == [])
        try flow.send(.requestEnded(2, .granted))
        #expect(flow.take() == ["custom granted"])
    }

    @Test("a request without actions for its result waits for none")
    func nothingWaits() throws {
        var flow = try shop()
        try flow.perform(.tapButton("plain"))
        #expect(flow.take() == ["restore"])
        #expect(flow.session.requests.isEmpty)
        try flow.perform(.tapButton("restore"))
        try flow.send(.requestEnded(1, .failure))
        #expect(flow.take() == ["restore #1"])
    }

    @Test("VW-28 a result that comes in the background acts at the return")
    func background() throws {
        var flow = try shop()
        try flow.perform(.tapButton("buy"))
        _ = flow.take()
        try flow.send(.enterBackground)
        try flow.send(.requestEnded(1, .pending))
        #expect(flow.take() == [])
        try flow.send(.enterForeground)
        #expect(flow.take() == ["showed wait 1 true"])
    }

    @Test("ACT-29 a result that comes after the view has gone has no effect on the next one")
    func gone() throws {
        var flow = try shop()
        try flow.perform(.tapButton("buy"))
        try flow.send(.disappear)
        try flow.present()
        try flow.send(.requestEnded(1, .success))
        #expect(flow.take() == [])
        try flow.perform(.tapButton("buy"))
        #expect(flow.take() == ["purchase month #2"])
    }

    @Test("NAV-5 a screen whose purchase can open another one is not the last")
    func lastScreen() {
        var flow = Harness<FlowSession>(
            .screen(
                "offer",
                .button(
                    "buy",
                    .purchase(
                        .product("month"), then: [.success: [.openScreen("t", navigator: nil)]]))),
            .screen("t"))
        #expect(throws: Never.self) { try flow.send(.appear) }
        #expect(flow.take() == ["showed offer 0 false"])
    }
}

/// Which gestures buy or restore (ACT-28).
struct StoreGestureTests {
    @Test("ACT-28 a gesture asks the store if the actions that it runs now do")
    func asksStore() throws {
        var flow = Harness(
            .screen(
                "s", .button("buy", .purchase(.product("p"))),
                .button("web", .custom("first"), .webPurchase(.product("p"))),
                .button("restore", .restore()), .button("own", .custom("x")),
                .button("closes", .close, .restore()),
                .button(
                    "if",
                    .branch(
                        [
                            ConditionBranch(
                                condition: .isSet(.variable("v")), actions: [.restore()])
                        ], otherwise: [.custom("no")])),
                .button("set", .setVariable(.variable("v"), .text("yes"))),
                .button(
                    "fault",
                    .branch(
                        [
                            ConditionBranch(
                                condition: .isSet(.element(screen: "gone", element: "e")),
                                actions: [.restore()])
                        ], otherwise: [])),
                .single("g", .option("a", actions: [.restore()]), .option("b"))),
            variables: ["v": .text("")])
        #expect(!flow.session.asksStore(.tapButton("buy")))
        try flow.present()
        let asks = { (flow: Harness<FlowSession>, name: String) in
            flow.session.asksStore(.tapButton(name))
        }
        for name in ["buy", "web", "restore"] { #expect(asks(flow, name), "\(name)") }
        for name in ["own", "closes", "if", "fault", "nothing", "g"] {
            #expect(!asks(flow, name), "\(name)")
        }
        #expect(flow.session.asksStore(.tapOption("g", option: "a")))
        #expect(!flow.session.asksStore(.tapOption("g", option: "b")))
        #expect(!flow.session.asksStore(.tapOption("buy", option: "b")))
        #expect(!flow.session.asksStore(.blur))
        try flow.perform(.tapButton("set"))
        #expect(asks(flow, "if"))
    }
}
