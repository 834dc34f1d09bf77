import BridgeProtocol
import Testing

@Suite("What the SDK would have sent to its service can be listed")
struct BackendEventTests {
    private func list(
        _ app: TestClient, size: UInt32 = 0, token: String = "", device: String = ""
    ) throws -> ListBackendEventsReply {
        let reply = try app.call(
            .listBackendEvents(
                with(ListBackendEventsRequest()) {
                    $0.device = device
                    $0.pageSize = size
                    $0.pageToken = token
                }))
        guard case .listBackendEvents(let listed) = reply else { throw Unexpected(reply) }
        return listed
    }

    private func walk(_ wire: Wire) throws -> (TestBroker, TestClient) {
        let broker = TestBroker.start(wire)
        let app = try broker.client(wire.mode)
        try app.openDevice("phone", manualAtMs: 5_000)
        try app.activate()
        let view = try app.makeFlowView("onboarding")
        try app.present(view)
        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.advance(ms: 1_000)
        try app.tapButton(view, "next")
        return (broker, app)
    }

    @Test(
        "NAV-16 PL-30 IN-7 screens and the variation are told, typed values are not",
        arguments: Wire.allCases)
    func content(wire: Wire) throws {
        let (broker, app) = try walk(wire)
        defer { withExtendedLifetime(broker) {} }
        let events = try list(app).events
        #expect(
            events.map(\.name) == ["flow_variation_assigned", "flow_event", "flow_event"])
        #expect(events.map(\.timeMs) == [5_000, 5_000, 6_000])
        let profileID = try app.profile().profileId
        #expect(events.allSatisfy { $0.device == "phone" && $0.profileId == profileID })
        let screen = Dictionary(
            uniqueKeysWithValues: events[2].properties.map { ($0.key, $0.value.kind) })
        #expect(
            screen == [
                "variation_id": .string("var_registration"),
                "flow_version_id": .string("registration_v1"),
                "event_type": .string("flow_screen_showed"), "screen_id": .string("scr_quiz"),
                "screen_order": .int64(1), "is_last_screen": .bool(false),
            ])
        #expect(!"\(events)".contains("Jane"))
    }

    @Test("pages hold all of it once, of one device", arguments: Wire.allCases)
    func pages(wire: Wire) throws {
        let (broker, app) = try walk(wire)
        let other = try broker.client(wire.mode)
        try other.openDevice("tablet", manualAtMs: 0)
        #expect(try list(other).events.isEmpty)
        let whole = try list(other, device: "phone").events
        var paged: [BackendEvent] = []
        var token = ""
        repeat {
            let page = try list(app, size: 1, token: token)
            #expect(page.events.count == 1)
            paged += page.events
            token = page.nextPageToken
        } while !token.isEmpty
        #expect(paged == whole)
        #expect(throws: BridgeError(.invalidArgument, "")) { try list(app, token: "x") }
        #expect(throws: BridgeError(.notFound, "")) { try list(app, device: "none") }
    }
}
