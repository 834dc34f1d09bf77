import BridgeProtocol
import Testing

@Suite("Events on their way to subscribers")
struct EventDeliveryTests {
    private func start(_ wire: Wire) throws -> (TestBroker, Ticker) {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        return (broker, try Ticker(broker, wire.mode))
    }

    @Test(
        "GEN-1 the sequence of a device grows by one, from 1, without gaps",
        arguments: Wire.allCases)
    func sequence(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        let other = try Ticker(broker, wire.mode, device: "tablet")
        for round in 1...5 {
            try ticker.make(round)
            try other.make(2)
        }
        for client in [ticker.client, other.client] {
            let events = try client.allEvents()
            #expect(events.map(\.sequence) == Array(1...UInt64(events.count)))
        }
        #expect(try ticker.client.allEvents().allSatisfy { $0.device == "phone" })
        #expect(try other.client.allEvents().allSatisfy { $0.device == "tablet" })
    }

    @Test(
        "GEN-1 the events of a request come before its answer, on the requester's subscriptions",
        arguments: Wire.allCases)
    func beforeTheAnswer(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try ticker.client.subscribe()
        for round in 1...50 {
            let id = try ticker.send(1)
            _ = try ticker.client.answer(to: id)
            #expect(ticker.client.eventsBefore[id] == round)
        }
    }

    @Test(
        "GEN-1 the same holds for a subscription that is sent in one go with the request",
        arguments: Wire.allCases, [(nil, 3), (1, 3), (1, 3_000)] as [(UInt64?, Int)])
    func inOneGo(wire: Wire, record: (from: UInt64?, events: Int)) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let from = record.from
        try ticker.make(record.events)
        let client = ticker.client
        let before = try client.lastSequence()
        let subscription = with(SubscribeRequest()) { $0.fromSequence = from }
        try send([.subscribe(subscription), ticker.tap], client)
        _ = try client.answer(to: 9_001)
        let first = from ?? before + 1
        #expect(client.eventsBefore[9_001] == Int(before + 1 - first) + 1)
        #expect(client.takeEvents().map(\.sequence) == Array(first...before + 1))
    }

    /// Frames in one go, with ids from 9 000 on.
    private func send(_ bodies: [ClientFrame.Body], _ client: TestClient) throws {
        let coder = WireCoder()
        let buffer = ByteBuffer()
        for (index, body) in bodies.enumerated() {
            var frame = ClientFrame()
            frame.id = UInt64(9_000 + index)
            frame.body = body
            try coder.encode(frame, mode: client.mode, into: buffer)
        }
        try client.wire.send(Array(buffer.readable))
    }

    private func subscribe(from: UInt64) -> ClientFrame.Body {
        .subscribe(with(SubscribeRequest()) { $0.fromSequence = from })
    }

    @Test(
        "GEN-1 answers and errors come behind two replays of their connection, in order; others go on",
        arguments: Wire.allCases)
    func behindReplays(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        try ticker.make(2_500)
        let client = ticker.client
        let before = try client.lastSequence()
        let wrong = ClientFrame.Body.perform(
            with(PerformRequest()) {
                $0.viewId = ticker.view
                $0.gesture = .tapButton(with(TapButtonGesture()) { $0.elementId = "none" })
            })
        let taps = [ClientFrame.Body](repeating: ticker.tap, count: 200)
        try send([subscribe(from: 1), subscribe(from: 2)] + taps + [wrong], client)
        // Nobody reads what the first one gets; another one is served.
        let other = try Ticker(broker, wire.mode, device: "tablet")
        try other.make(3)
        for index in 0..<200 as Range<UInt64> {
            _ = try client.answer(to: 9_002 + index)
            #expect(client.eventsBefore[9_002 + index] ?? 0 >= 2 * Int(before + index + 1) - 1)
        }
        #expect(throws: BridgeError.self) { try client.answer(to: 9_202) }
        let events = client.takeEvents()
        for (subscription, first) in [(1, 1), (2, 2)] as [(UInt32, UInt64)] {
            let own = events.filter { $0.subscriptionId == subscription }
            #expect(own.map(\.sequence) == Array(first...before + 200))
        }
    }

    @Test(
        "GEN-1 a connection that sends no more gets its replay and its answers to the end",
        arguments: Wire.allCases)
    func halfClosed(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try ticker.make(2_500)
        let client = ticker.client
        let before = try client.lastSequence()
        try send([subscribe(from: 1), ticker.tap], client)
        try client.wire.endInput()
        _ = try client.untilClosed()
        #expect(client.eventsBefore[9_001] == Int(before) + 1)
    }

    @Test(
        "GEN-1 the end of a subscription lets go of answers that wait for it",
        arguments: Wire.allCases)
    func unsubscribed(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try ticker.make(2_500)
        let end = with(UnsubscribeRequest()) { $0.subscriptionId = 1 }
        try send([subscribe(from: 1), ticker.tap, .unsubscribe(end)], ticker.client)
        for id in 9_000...9_002 as ClosedRange<UInt64> { _ = try ticker.client.answer(to: id) }
        _ = try ticker.client.answer(to: ticker.send(1))
    }

    @Test("each of two subscriptions of a connection gets its own copy", arguments: Wire.allCases)
    func twoCopies(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let ids = [
            try ticker.client.subscribe().subscriptionId,
            try ticker.client.subscribe(kinds: ["did_receive_analytic_event"]).subscriptionId,
            try ticker.client.subscribe(kinds: ["flow_did_appear"]).subscriptionId,
        ]
        #expect(Set(ids).count == 3)
        try ticker.make(1)
        let events = ticker.client.takeEvents()
        #expect(events.map(\.subscriptionId) == Array(ids[..<2]))
        #expect(Set(events.map(\.sequence)).count == 1)
        #expect(events.map(\.kind).first == events.map(\.kind).last)
    }

    @Test("unsubscribing one leaves the others alone", arguments: Wire.allCases)
    func unsubscribe(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        let client = ticker.client
        let watcher = try broker.client(wire.mode)
        try watcher.subscribe(device: "phone")
        let first = try client.subscribe().subscriptionId
        let second = try client.subscribe().subscriptionId
        let end: ClientFrame.Body = .unsubscribe(
            with(UnsubscribeRequest()) { $0.subscriptionId = first })
        try client.call(end)
        try ticker.make(1)
        #expect(client.takeEvents().map(\.subscriptionId) == [second])
        #expect(try watcher.events(count: 1).count == 1)
        let error = try client.refusal(end)
        #expect(error.code == .notFound)
        #expect(error.message.holds(["\(first)", "\(second)"]), "\(error.message)")
        #expect(error.field == "unsubscribe.subscription_id")
    }

    @Test(
        "a view that goes away leaves subscriptions to the device and to others alone",
        arguments: Wire.allCases)
    func viewGone(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let client = ticker.client
        let ofView = try client.subscribe(view: ticker.view).subscriptionId
        let ofDevice = try client.subscribe().subscriptionId
        try client.call(.destroyView(with(DestroyViewRequest()) { $0.viewId = ticker.view }))
        #expect(client.takeEvents().map(\.subscriptionId) == [ofView, ofDevice])
        let second = try client.makeFlowView("main")
        try client.present(second)
        let later = client.takeEvents()
        #expect(!later.isEmpty)
        #expect(later.allSatisfy { $0.subscriptionId == ofDevice && $0.viewId == second })
        try client.call(.unsubscribe(with(UnsubscribeRequest()) { $0.subscriptionId = ofView }))
    }

    @Test("filters by kind and by view, live and from the record", arguments: Wire.allCases)
    func filters(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        let client = ticker.client
        try ticker.make(2)
        let watcher = try broker.client(wire.mode)
        try watcher.openDevice("phone")
        let second = try client.makeFlowView("main")
        let onlySecond = try watcher.subscribe(view: second, from: 1).subscriptionId
        let inputs = try watcher.subscribe(
            kinds: ["did_receive_analytic_event", "flow_did_disappear"], from: 1
        ).subscriptionId
        try client.dismiss(ticker.view)
        try client.present(second)
        try watcher.expectServed()
        let events = watcher.takeEvents()
        #expect(
            events.filter { $0.subscriptionId == onlySecond }.compactMap(\.kind?.name)
                == ["view_presented", "flow_did_appear", "did_receive_analytic_event"])
        #expect(
            events.filter { $0.subscriptionId == inputs }.compactMap(\.kind?.name)
                == Array(repeating: "did_receive_analytic_event", count: 3)
                + ["flow_did_disappear", "did_receive_analytic_event"])
    }

    @Test(
        "case 27: an unknown kind, view, device or element is an error that names what there is",
        arguments: Wire.allCases)
    func unknownNames(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        let client = ticker.client
        func subscribe(_ fill: (inout SubscribeRequest) -> Void) -> ClientFrame.Body {
            .subscribe(with(SubscribeRequest(), fill))
        }
        func page(_ fill: (inout GetEventsRequest) -> Void) -> ClientFrame.Body {
            .getEvents(with(GetEventsRequest(), fill))
        }
        let unknown = "00000000-0000-4000-8000-000000000000"
        let cases: [(ClientFrame.Body, BridgeError.Code, String, [String])] = [
            (
                subscribe { $0.kinds = ["flow_did_appear", "flow_user_inputt"] }, .invalidArgument,
                "subscribe.kinds[1]", ["flow_user_inputt", "did_receive_analytic_event"]
            ),
            (subscribe { $0.view = unknown }, .notFound, "subscribe.view", [unknown, ticker.view]),
            (subscribe { $0.view = "x" }, .notFound, "subscribe.view", ["\"x\"", ticker.view]),
            (subscribe { $0.device = "fone" }, .notFound, "device", ["fone", "phone"]),
            (
                page { $0.kinds = ["Lagged"] }, .invalidArgument, "get_events.kinds[0]",
                ["Lagged", "lagged"]
            ),
            (page { $0.view = unknown }, .notFound, "get_events.view", [unknown, ticker.view]),
            (page { $0.device = "fone" }, .notFound, "device", ["fone", "phone"]),
            (
                .perform(
                    with(PerformRequest()) {
                        $0.viewId = ticker.view
                        $0.gesture = .focus(with(FocusGesture()) { $0.elementId = "nmae" })
                    }), .notFound, "perform.element_id", ["nmae", "name", "notes"]
            ),
            (
                .listViews(with(ListViewsRequest()) { $0.device = "fone" }), .notFound, "device",
                ["fone", "phone"]
            ),
        ]
        for (body, code, field, says) in cases {
            let error = try client.refusal(body)
            #expect(error.code == code, "\(error.message)")
            #expect(error.field == field)
            #expect(error.message.holds(says), "\(error.message)")
        }
        try client.dismiss(ticker.view)
        let gone = try client.refusal(
            .getScreen(with(GetScreenRequest()) { $0.viewId = ticker.view }))
        #expect(gone.code == .wrongState)
        #expect(gone.message.contains(ticker.view))
        let never = try client.refusal(.getScreen(with(GetScreenRequest()) { $0.viewId = unknown }))
        #expect(never.code == .notFound)
    }

    @Test(
        "case 27 VW-16: after the answer to present the screen is there, every time",
        arguments: Wire.allCases)
    func presentedAtOnce(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        for _ in 0..<100 {
            try ticker.client.dismiss(ticker.view)
            try ticker.client.present(ticker.view)
            #expect(try ticker.client.screen(ticker.view).screens.map(\.screenId) == ["scr"])
        }
    }

    @Test("GEN-9 what nobody subscribes to is recorded all the same", arguments: Wire.allCases)
    func unwatched(wire: Wire) throws {
        let (broker, ticker) = try start(wire)
        defer { withExtendedLifetime(broker) {} }
        try ticker.make(7)
        #expect(ticker.client.takeEvents().isEmpty)
        let taps = try ticker.client.allEvents(kinds: ["did_receive_analytic_event"])
        #expect(taps.count == 8)
    }

    @Test("subscriptionsMax: as many as allowed, and not one more", arguments: Wire.allCases)
    func subscriptionsMax(wire: Wire) throws {
        var limits = Limits()
        limits.subscriptionsMax = 3
        let broker = TestBroker.start(wire, TestSetup(limits: limits))
        let client = try broker.client(wire.mode)
        let ids = try (0..<3).map { _ in try client.subscribe().subscriptionId }
        let error = try client.refusal(.subscribe(SubscribeRequest()))
        #expect(error.code == .limitExceeded)
        #expect(error.message.holds(["subscriptionsMax", "3"]))
        try client.call(.unsubscribe(with(UnsubscribeRequest()) { $0.subscriptionId = ids[1] }))
        try client.subscribe()
    }
}
