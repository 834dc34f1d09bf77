import BridgeProtocol
import BridgeTransport
import Testing

@testable import BridgeBroker

/// What `status` counts: of the broker, of each connection, and of those that ended.
@Suite("status counts")
struct StatusCounterTests {
    private func start(_ wire: Wire, _ change: (inout Limits) -> Void = { _ in }) throws -> (
        broker: TestBroker, client: TestClient
    ) {
        var limits = Limits()
        change(&limits)
        let broker = TestBroker.start(
            wire, TestSetup(limits: limits, catalog: TestCatalogs.toggle))
        return (broker, try broker.client(wire.mode))
    }

    private func counters(_ client: TestClient) throws -> Counters {
        try #require(try client.status().counters)
    }

    @Test("requests by method with their number and a time", arguments: Wire.allCases)
    func methods(wire: Wire) throws {
        let (_, client) = try start(wire)
        for _ in 0..<3 { try client.call(.ping(PingRequest())) }
        _ = try? client.call(.getScreen(GetScreenRequest()))
        let methods = try counters(client).methods
        let hello = wire.mode == .binary ? ["hello"] : []
        #expect(methods.map(\.method) == hello + ["ping", "status", "get_screen"])
        let pings = try #require(methods.first { $0.method == "ping" })
        #expect(pings.requests == 3)
        #expect(pings.totalNs > 0)
    }

    @Test("errors by code, of the bridge and of the SDK", arguments: Wire.allCases)
    func errors(wire: Wire) throws {
        let (_, client) = try start(wire)
        for _ in 0..<2 { _ = try client.refusal(.getScreen(GetScreenRequest())) }
        _ = try client.refusal(.getFlow(with(GetFlowRequest()) { $0.placementId = "none" }))
        let errors = try counters(client).errors
        #expect(errors.filter { $0.space == "bridge" }.map(\.name) == ["NOT_FOUND"])
        #expect(errors.filter { $0.space == "bridge" }.map(\.count) == [2])
        #expect(errors.filter { $0.space == "sdk" }.map(\.count) == [1])
        let own = try #require(try client.status().connections.first)
        #expect(own.errors == 3)
    }

    @Test("an error that nobody wants an answer for is counted too", arguments: Wire.allCases)
    func unanswered(wire: Wire) throws {
        let (_, client) = try start(wire)
        try client.send(.getScreen(GetScreenRequest()), id: 0)
        let errors = try counters(client).errors
        #expect(errors.map(\.count) == [1])
    }

    @Test("frames and bytes of both directions", arguments: Wire.allCases)
    func traffic(wire: Wire) throws {
        let (_, client) = try start(wire)
        let before = try counters(client)
        try client.call(
            .ping(with(PingRequest()) { $0.payload = [UInt8](repeating: 7, count: 3_000) }))
        let after = try counters(client)
        #expect(after.framesIn == before.framesIn + 2)
        #expect(after.framesOut == before.framesOut + 2)
        #expect(after.bytesIn > before.bytesIn + 3_000)
        #expect(after.bytesOut > before.bytesOut + 3_000)
        #expect(after.wakeUps > before.wakeUps)
    }

    @Test("events recorded, delivered, dropped, and the queue at its fullest")
    func events() throws {
        for wire in Wire.allCases {
            let (broker, client) = try start(wire) { $0.queueSoftBytes = 8_192 }
            let ticker = try Ticker(broker, wire.mode)
            let slow = try broker.client(wire.mode)
            try slow.subscribe(device: "phone")
            let before = try counters(client)
            try ticker.make(4_000)
            let (after, status) = (try counters(client), try client.status())
            let recorded = after.eventsRecorded - before.eventsRecorded
            #expect(recorded == 4_000)
            #expect(after.eventsDropped > 0)
            #expect(after.eventsDelivered + after.eventsDropped >= recorded)
            let own = try #require(status.connections.first { $0.eventsDropped > 0 })
            #expect(own.eventsDropped == after.eventsDropped)
            #expect(own.connectionId == 3)
            _ = try slow.status()
            let last = try client.status()
            let lagged = slow.takeEvents().contains {
                if case .lagged = $0.kind { true } else { false }
            }
            #expect(lagged)
            #expect(last.counters?.laggedTold == 1)
            #expect((last.counters?.queueHighBytes ?? 0) >= 4_096)
            #expect(
                last.counters?.queueHighBytes
                    == last.connections.map(\.queueHighBytes).max())
        }
    }

    @Test("waiting requests: how many at most, and each with its age", arguments: Wire.allCases)
    func pending(wire: Wire) throws {
        let (broker, client) = try start(wire)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.delay("get_flow", ms: 1_000)
        let other = try broker.client(wire.mode)
        for _ in 0..<3 {
            try client.send(.getFlow(with(GetFlowRequest()) { $0.placementId = "main" }))
        }
        try client.expectServed()
        let waiting = try #require(try other.status().connections.first)
        #expect(waiting.pending.map(\.method) == ["get_flow", "get_flow", "get_flow"])
        #expect(waiting.pendingHigh == 3)
        try client.advance(ms: 1_000)
        let after = try other.status()
        #expect(after.connections.first?.pending == [])
        #expect(after.connections.first?.pendingHigh == 3)
        #expect(after.counters?.pendingHigh == 3)
    }

    @Test("one connection alone, by its id; an unknown one is NOT_FOUND", arguments: Wire.allCases)
    func one(wire: Wire) throws {
        let (broker, client) = try start(wire)
        let other = try broker.client(wire.mode)
        try other.call(.ping(PingRequest()))
        let reply = try client.status(of: 2)
        #expect(reply.connections.map(\.connectionId) == [2])
        #expect(reply.connections.first?.lastMethod == "ping")
        #expect(reply.devices.isEmpty)
        #expect(reply.connectionsOpen == 2)
        let error = try client.refusal(.status(with(StatusRequest()) { $0.connectionId = 77 }))
        #expect(error.code == .notFound)
        #expect(error.message.holds(["77", "closedConnectionsMax"]))
        #expect(error.field == "status.connection_id")
    }

    @Test("a connection that ended is told with its reason and what it did")
    func ended() throws {
        for wire in Wire.allCases {
            let (broker, client) = try start(wire)
            let other = try broker.client(wire.mode)
            try other.call(.ping(PingRequest()))
            try other.wire.endInput()
            _ = try other.untilClosed()
            try client.wait { $0.connectionsOpen == 1 }
            let record = try #require(try client.status().closedConnections.first)
            #expect(record.connectionId == 2)
            #expect(record.clientName == (wire.mode == .binary ? "test" : ""))
            #expect(record.kind == "peer_closed")
            #expect(record.reason == "the peer closed its side")
            #expect(record.lastMethod == "ping")
            #expect(record.framesIn == (wire.mode == .binary ? 2 : 1))
            #expect(record.framesOut == record.framesIn)
            #expect(record.bytesIn > 0 && record.bytesOut > 0)
            #expect(try client.status(of: 2).closedConnections.map(\.connectionId) == [2])
            #expect(try counters(client).connectionsClosed.map(\.reason) == ["peer_closed"])
            #expect(try counters(client).connectionsAccepted == 2)
        }
    }

    @Test("at most closedConnectionsMax are kept, the latest first", arguments: Wire.allCases)
    func keptAtMost(wire: Wire) throws {
        let (broker, client) = try start(wire) { $0.closedConnectionsMax = 3 }
        for number in 2...6 as ClosedRange<UInt64> {
            let other = try broker.client(wire.mode)
            try other.wire.endInput()
            _ = try other.untilClosed()
            try client.wait {
                $0.closedConnections.first?.connectionId == number
            }
            let kept = try client.status().closedConnections.map(\.connectionId)
            #expect(kept == (2...number).suffix(3).reversed())
        }
        let (_, none) = try start(wire) { $0.closedConnectionsMax = 0 }
        #expect(try none.status().closedConnections.isEmpty)
    }

    @Test("a refused peer is counted by the limit", arguments: [Wire.binarySocket, .lineSocket])
    func refused(wire: Wire) throws {
        let (broker, client) = try start(wire) { $0.connectionsMax = 1 }
        _ = try TestClient(wire: try broker.connect(), mode: .line).untilClosed()
        let counters = try counters(client)
        #expect(counters.connectionsRefused.map(\.reason) == ["connectionsMax"])
        #expect(counters.connectionsRefused.map(\.count) == [1])
        #expect(counters.connectionsAccepted == 1)
    }

    @Test("a cut reader is told with the limit, what was queued and its last method")
    func cut() throws {
        for wire in [Wire.binarySocket, .lineSocket] {
            let (broker, client) = try start(wire) {
                $0.queueSoftBytes = 65_536
                $0.queueHardBytes = 131_072
            }
            let slow = try broker.client(wire.mode)
            for _ in 0..<200 { _ = try? slow.send(.describe(DescribeRequest())) }
            try client.wait { $0.connectionsOpen == 1 }
            let record = try #require(try client.status().closedConnections.first)
            #expect(record.kind == "limit")
            #expect(record.limit == "queueHardBytes")
            #expect(record.lastMethod == "describe")
            #expect(record.queuedBytes > 0)
            #expect(record.queueHighBytes > 65_536)
        }
    }
}
