import BridgeProtocol
import Testing

/// `subscribe.matches`: filters on what events say.
@Suite("subscribe with matches")
struct SubscribeMatchTests {
    private func subscribe(
        _ client: TestClient, _ matches: [EventMatch], from: UInt64? = nil
    ) throws {
        try client.call(
            .subscribe(
                with(SubscribeRequest()) {
                    $0.device = "phone"
                    $0.matches = matches
                    $0.fromSequence = from
                }))
    }

    private func match(kind: String = "", name: String = "", element: String = "") -> EventMatch {
        with(EventMatch()) {
            $0.kind = kind
            $0.name = name
            $0.element = element
        }
    }

    @Test("live and from the record, by kind, name and element", arguments: Wire.allCases)
    func matches(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        let rows: [([EventMatch], Int)] = [
            ([match(element: "tick")], 3),
            ([match(kind: "did_receive_analytic_event", element: "tick")], 3),
            ([match(element: "other")], 0),
            ([match(name: "flow_screen_showed")], 0),
            ([match(element: "tick"), match(kind: "flow_did_disappear")], 4),
            ([match(kind: "flow_did_disappear", name: "tick")], 0),
        ]
        let live = try rows.map { row in
            let client = try broker.client(wire.mode)
            try subscribe(client, row.0)
            return client
        }
        try ticker.make(3)
        try ticker.client.dismiss(ticker.view)
        for (client, row) in zip(live, rows) {
            try client.expectServed()
            #expect(client.takeEvents().count == row.1, "\(row.0)")
            let late = try broker.client(wire.mode)
            try subscribe(late, row.0, from: 1)
            let shown = row.0.contains { $0.name == "flow_screen_showed" } ? 1 : 0
            #expect(try late.events(count: row.1 + shown).count == row.1 + shown)
            try late.expectServed()
            #expect(late.takeEvents().isEmpty)
        }
    }

    @Test("an unknown kind is INVALID_ARGUMENT with its place", arguments: Wire.allCases)
    func unknown(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        let error = try client.refusal(
            .subscribe(with(SubscribeRequest()) { $0.matches = [match(), match(kind: "x")] }))
        #expect(error.code == .invalidArgument)
        #expect(error.field == "subscribe.matches[1].kind[0]")
        try client.expectServed()
    }

    @Test("a slow reader is told of events that it wants alone", arguments: Wire.allCases)
    func lagged(wire: Wire) throws {
        var limits = Limits()
        limits.queueSoftBytes = 8_192
        let broker = TestBroker.start(
            wire, TestSetup(limits: limits, catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        let client = try broker.client(wire.mode)
        try subscribe(client, [match(element: "other")])
        try ticker.make(4_000)
        try client.expectServed()
        #expect(client.takeEvents().isEmpty)
    }
}
