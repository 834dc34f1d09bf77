import BridgeProtocol
import Testing

/// Questions on the wire: their events, their answers, and who hears them.
@Suite("Questions to the app and the finger")
struct QuestionTests {
    private func start(
        _ wire: Wire, observer: Bool = false, subscribes: Bool = true, deadlineMs: UInt32 = 0
    ) throws -> (TestBroker, TestClient) {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.shop))
        let client = try broker.client(wire.mode)
        try client.call(
            .openDevice(
                with(OpenDeviceRequest()) {
                    $0.device = "phone"
                    $0.questionDeadlineMs = deadlineMs
                    $0.clock = with(DeviceClock()) {
                        $0.kind = .manual
                        $0.startMs = 5_000
                    }
                }))
        try client.call(.activate(with(ActivateRequest()) { $0.observerMode = observer }))
        if subscribes { try client.subscribe() }
        return (broker, client)
    }

    private func openShop(_ client: TestClient) throws -> String {
        let view = try client.makeFlowView("shop")
        try client.present(view)
        _ = client.takeEvents()
        return view
    }

    @Test(
        "ACT-40 ACT-41 FC-25 retry: asked, answered, tried again, loaded", arguments: Wire.allCases)
    func retry(wire: Wire) throws {
        let (broker, client) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try client.setConditions { $0.storeUnreachable = true }
        let view = try client.makeFlowView("shop")
        _ = client.takeEvents()
        try client.present(view)
        let asked = client.takeEvents()
        #expect(
            asked.map(\.shopStory) == [
                "view_presented", "flow_did_appear", "flow_screen_showed", "retry? 1002",
            ])
        let question = try #require(asked.last?.question)
        #expect(question.questionId.utf8.count == 36)
        #expect(question.deadlineMs == 35_000)
        #expect(question.defaultAnswer == "no")
        try client.answer(question, .retry(true))
        #expect(client.takeShopStory() == ["settled yes"])
        try client.setConditions { $0.storeUnreachable = false }
        try client.advance(ms: 1_999)
        #expect(client.takeEvents().isEmpty)
        try client.advance(ms: 1)
        #expect(client.takeShopStory() == ["missing gone"])
        try client.selectProduct(view, "plans", "month")
        #expect(client.takeShopStory() == ["select month"])
    }

    @Test(
        "ACT-42 ACT-44 ACT-50 a permission, its answer and its refusals", arguments: Wire.allCases)
    func permission(wire: Wire) throws {
        let (broker, client) = try start(wire)
        let view = try openShop(client)
        try client.tapButton(view, "push")
        let event = try #require(client.takeEvents().last)
        guard case .permissionRequested(let asked) = event.kind else { throw Unexpected(event) }
        #expect(event.viewId == view)
        #expect(asked.permission == "push")
        #expect(asked.arguments.map { "\($0.key)=\($0.value)" } == ["a=b", "why=news"])
        let wrong = try client.refusal(TestClient.answering(asked.question, .retry(true)))
        #expect(wrong.code == .invalidArgument)
        #expect(wrong.field == "answer.answer")
        let none = try client.refusal(TestClient.answering(asked.question, nil))
        #expect(none.code == .invalidArgument)
        let unknown = try client.refusal(
            TestClient.answering(nil, .permission(PermissionAnswer(.granted))))
        #expect(unknown.code == .notFound)
        #expect(unknown.field == "answer.question_id")
        #expect(unknown.message.contains(asked.question?.questionId ?? "none"))
        // Any connection to the device may answer.
        let other = try broker.client(wire.mode)
        try other.openDevice("phone")
        try other.answer(asked.question, .permission(PermissionAnswer(.denied, detail: "later")))
        #expect(
            try client.events(count: 2).map(\.shopStory)
                == ["settled denied: later", "did_perform_action custom denied"])
        let second = try client.refusal(
            TestClient.answering(asked.question, .permission(PermissionAnswer(.granted))))
        #expect(second.code == .wrongState)
        try client.tapButton(view, "push")
        try client.tapButton(view, "push")
        #expect(
            client.takeShopStory() == [
                "permission push", "settled denied: cancelled by default", "permission push",
            ])
    }

    @Test(
        "ACT-46 an alert stands in get_screen with its question, until it is answered",
        arguments: Wire.allCases)
    func alert(wire: Wire) throws {
        let (broker, client) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let view = try openShop(client)
        #expect(try client.screen(view).alert == nil)
        try client.tapButton(view, "alert")
        let event = try #require(client.takeEvents().last)
        guard case .alertShown(let shown) = event.kind, let question = shown.question else {
            throw Unexpected(event)
        }
        #expect(shown.title == "Sure?")
        #expect(shown.message == "Really.")
        #expect(shown.actions.map(\.actionId) == ["keep", "Delete"])
        #expect(shown.actions.map(\.style) == [.cancel, .destructive])
        #expect(question.defaultAnswer == "keep")
        let alert = try #require(try client.screen(view).alert)
        #expect(alert.questionId == question.questionId)
        #expect(alert.title == "Sure?")
        #expect(alert.actions.map(\.optionId) == ["keep", "Delete"])
        #expect(alert.actions.map(\.title) == ["Keep", "Delete"])
        let unknown = try client.refusal(TestClient.answering(question, .alertActionId("Keep")))
        #expect(unknown.code == .notFound)
        #expect(unknown.field == "answer.alert_action_id")
        #expect(unknown.message.contains("\"keep\", \"Delete\""))
        try client.answer(question, .alertActionId("Delete"))
        #expect(
            client.takeShopStory() == ["settled Delete", "did_perform_action custom deleted"])
        #expect(try client.screen(view).alert == nil)
    }

    @Test("ACT-47 ACT-48 observer questions take started and finished", arguments: Wire.allCases)
    func observer(wire: Wire) throws {
        let (broker, client) = try start(wire, observer: true)
        defer { withExtendedLifetime(broker) {} }
        let view = try openShop(client)
        try client.tapButton(view, "buy_month")
        let event = try #require(client.takeEvents().last)
        #expect(event.shopStory == "observer buys month")
        #expect(event.question?.defaultAnswer == "finished")
        try client.answer(event.question, .observer(ObserverAnswer(.started)))
        #expect(client.takeEvents().isEmpty)
        let again = try client.refusal(
            TestClient.answering(event.question, .observer(ObserverAnswer(.started))))
        #expect(again.code == .wrongState)
        try client.answer(event.question, .observer(ObserverAnswer(.finished)))
        #expect(
            client.takeShopStory() == ["settled finished", "did_perform_action custom pending"])
        try client.tapButton(view, "restore")
        let restore = try #require(client.takeEvents().last)
        #expect(restore.story == "observer_restore_requested")
        try client.answer(restore.question, .observer(ObserverAnswer(.finished)))
        #expect(
            client.takeShopStory() == ["settled finished", "did_perform_action custom success"])
    }

    @Test(
        "ACT-51 ACT-43 the deadline is the device's, 30 s unless it says so",
        arguments: Wire.allCases)
    func deadline(wire: Wire) throws {
        let (broker, client) = try start(wire, deadlineMs: 700)
        defer { withExtendedLifetime(broker) {} }
        let view = try openShop(client)
        try client.tapButton(view, "push")
        let question = try #require(client.takeEvents().last?.question)
        #expect(question.deadlineMs == 5_700)
        try client.advance(ms: 699)
        #expect(client.takeEvents().isEmpty)
        try client.advance(ms: 1)
        #expect(
            client.takeShopStory()
                == ["settled denied: cancelled by default", "did_perform_action custom denied"])
        let late = try client.refusal(
            TestClient.answering(question, .permission(PermissionAnswer(.granted))))
        #expect(late.code == .wrongState)
    }

    @Test(
        "ACT-51 GEN-9 nobody subscribes: recorded, and settled at once; an alert waits",
        arguments: Wire.allCases)
    func unheard(wire: Wire) throws {
        let (broker, client) = try start(wire, subscribes: false)
        defer { withExtendedLifetime(broker) {} }
        let view = try openShop(client)
        try client.tapButton(view, "push")
        try client.tapButton(view, "alert")
        let reply = try client.call(
            .getEvents(
                with(GetEventsRequest()) {
                    $0.kinds = ["permission_requested", "alert_shown", "question_settled"]
                }))
        guard case .getEvents(let page) = reply else { throw Unexpected(reply) }
        #expect(
            page.events.map(\.shopStory) == [
                "permission push", "settled denied: cancelled by default", "alert Sure?",
            ])
        try client.answer(page.events.last?.question, .alertActionId("keep"))
    }

    @Test(
        "ACT-51 who hears a question: by view and by kind, as long as the subscription lasts",
        arguments: Wire.allCases)
    func listeners(wire: Wire) throws {
        let (broker, client) = try start(wire, subscribes: false)
        let view = try openShop(client)
        let other = try client.makeFlowView("shop")
        func isAsked() throws -> Bool {
            try client.tapButton(view, "push")
            let reply = try client.call(
                .getEvents(with(GetEventsRequest()) { $0.pageSize = 1_000 }))
            guard case .getEvents(let page) = reply else { throw Unexpected(reply) }
            return page.events.last?.shopStory == "permission push"
        }
        #expect(try !isAsked())
        try client.subscribe(view: other)
        try client.subscribe(kinds: ["did_fail_loading_products", "alert_shown"])
        #expect(try !isAsked())
        let subscription = try client.subscribe(kinds: ["permission_requested"], view: view)
        #expect(try isAsked())
        try client.call(
            .unsubscribe(
                with(UnsubscribeRequest()) { $0.subscriptionId = subscription.subscriptionId }))
        #expect(try !isAsked())
        let watcher = try broker.client(wire.mode)
        try watcher.subscribe(device: "phone")
        #expect(try isAsked())
    }

    @Test(
        "GEN-9 protocol 5: a replay of the record shows questions as they were",
        arguments: Wire.allCases)
    func replay(wire: Wire) throws {
        let (broker, client) = try start(wire)
        let view = try openShop(client)
        try client.tapButton(view, "push")
        let asked = try #require(client.takeEvents().last)
        try client.answer(asked.question, .permission(PermissionAnswer(.unavailable)))
        let settled = client.takeEvents()
        let late = try broker.client(wire.mode)
        try late.subscribe(device: "phone", from: asked.sequence)
        let again = try late.events(count: 3)
        #expect(again.map(\.shopStory) == ([asked] + settled).map(\.shopStory))
        #expect(again.first?.question == asked.question)
        #expect(again.map(\.sequence) == ([asked] + settled).map(\.sequence))
    }

    @Test("ACT-45 a review is one event, with nothing to answer", arguments: Wire.allCases)
    func review(wire: Wire) throws {
        let (broker, client) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let view = try openShop(client)
        try client.tapButton(view, "review")
        #expect(client.takeStory() == ["app_review_requested"])
        try client.advance(ms: 60_000)
        #expect(client.takeEvents().isEmpty)
    }

    @Test(
        "VW-28 questions of an app in the background take their default there",
        arguments: Wire.allCases)
    func background(wire: Wire) throws {
        let (broker, client) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let view = try openShop(client)
        try client.tapButton(view, "push")
        try client.call(.enterBackground(EnterBackgroundRequest()))
        try client.advance(ms: 30_000)
        #expect(
            client.takeShopStory() == ["permission push", "settled denied: cancelled by default"])
        try client.call(.enterForeground(EnterForegroundRequest()))
        #expect(client.takeShopStory() == ["did_perform_action custom denied"])
    }
}
