import Testing

@testable import FlowEngine

/// Products of a flow (ACT-20, ACT-21, ACT-27, VW-20, VW-25).
struct ProductTests {
    private func shop() -> Harness<FlowSession> {
        Harness(
            .screen(
                "s", .products("list", "month", "year", preselected: "year"),
                .products("other", "week", preselected: "gone"),
                .button("buy", .purchase(.selected("list"))),
                .button("other_buy", .purchase(.selected("other"))),
                .button("direct", .purchase(.product("life"))),
                .button("web", .webPurchase(.product("month"))),
                .button("fault", .purchase(.selected("nothing"))),
                .button("go", .openScreen("t", navigator: nil))),
            .screen("t", .button("buy_there", .purchase(.selected("list")))))
    }

    @Test("ACT-20 VW-25 a preselection is told once the view appeared and the product is loaded")
    func preselection() throws {
        var early = shop()
        try early.send(.productsLoaded(["month", "year"]))
        try early.send(.appear)
        #expect(early.take() == ["showed s 0 false", "product year"])
        var late = shop()
        try late.send(.appear)
        try late.send(.productsLoaded(["month"]))
        #expect(late.take() == ["showed s 0 false"])
        try late.send(.productsLoaded(["month", "year"]))
        try late.send(.productsLoaded(["month", "year"]))
        #expect(late.take() == ["product year"])
        #expect(late.selection("list") == ["year"])
    }

    @Test("ACT-20 VW-20 each presentation preselects again, with the products kept")
    func again() throws {
        var flow = shop()
        try flow.send(.productsLoaded(["year"]))
        try flow.present()
        try flow.send(.disappear)
        try flow.send(.appear)
        #expect(flow.take() == ["showed s 0 false", "product year"])
    }

    @Test("ACT-20 a user who was quicker keeps the choice")
    func quickUser() throws {
        var flow = shop()
        try flow.send(.productsLoaded(["month"]))
        try flow.present()
        try flow.perform(.selectProduct("list", product: "month"))
        try flow.send(.productsLoaded(["month", "year"]))
        #expect(flow.take() == ["product month"])
        #expect(flow.selection("list") == ["month"])
    }

    @Test("ACT-21 the selected product selected again calls again; one not loaded cannot be")
    func selecting() throws {
        var flow = shop()
        try flow.send(.productsLoaded(["month"]))
        try flow.present()
        try flow.perform(
            .selectProduct("list", product: "month"), .selectProduct("list", product: "month"))
        #expect(flow.take() == ["product month", "product month"])
        #expect(flow.refusal(of: .selectProduct("list", product: "year"))?.reason == .wrongState)
        let unknown = flow.refusal(of: .selectProduct("list", product: "day"))
        #expect(unknown?.reason == .notFound)
        #expect(unknown?.message.contains("\"month\", \"year\"") == true)
        #expect(flow.element("list")?.options.map(\.isEnabled) == [true, false])
    }

    @Test("ACT-27 a purchase of what is not loaded or not selected causes nothing")
    func notLoaded() throws {
        var flow = shop()
        try flow.present()
        try flow.perform(.tapButton("buy"), .tapButton("direct"), .tapButton("web"))
        #expect(flow.take() == [])
        try flow.send(.productsLoaded(["month", "week", "life"]))
        try flow.perform(.tapButton("buy"), .tapButton("other_buy"))
        #expect(flow.take() == [])
    }

    @Test("A purchase names its product, also from a list on another screen")
    func purchases() throws {
        var flow = shop()
        try flow.send(.productsLoaded(["month", "year", "life"]))
        try flow.present()
        try flow.perform(.tapButton("buy"), .tapButton("direct"), .tapButton("web"))
        try flow.perform(.tapButton("fault"), .tapButton("go"), .tapButton("buy_there"))
        #expect(
            flow.take() == [
                "purchase year", "purchase life", "purchase month web", "failed 4105 jsException",
                "showed t 1 true", "purchase year",
            ])
    }
}
