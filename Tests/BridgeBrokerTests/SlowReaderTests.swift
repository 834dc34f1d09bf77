import BridgeProtocol
import Testing

/// Rows 8 to 12 of the failures of the field: a reader that does not read harms itself alone.
@Suite("A reader that does not read")
struct SlowReaderTests {
    private func start(_ wire: Wire, _ change: (inout Limits) -> Void) throws
        -> (TestBroker, Ticker)
    {
        var limits = Limits()
        change(&limits)
        let broker = TestBroker.start(
            wire, TestSetup(limits: limits, catalog: TestCatalogs.toggle))
        return (broker, try Ticker(broker, wire.mode))
    }

    /// Follows the events from a sequence to the last; returns how many were skipped by `lagged`.
    private func follow(_ client: TestClient, from first: UInt64, to last: UInt64) throws -> UInt64
    {
        var next = first
        var skipped: UInt64 = 0
        while next <= last {
            for event in try client.events(count: 1) {
                if case .lagged(let lagged) = event.kind {
                    #expect(lagged.fromSequence == next)
                    #expect(lagged.toSequence >= lagged.fromSequence)
                    #expect(lagged.reason.contains("queueSoftBytes"))
                    skipped += lagged.toSequence - lagged.fromSequence + 1
                    next = lagged.toSequence + 1
                } else {
                    #expect(event.sequence == next)
                    next += 1
                }
            }
        }
        return skipped
    }

    @Test(
        "over the soft limit its events are dropped, and lagged says exactly which",
        arguments: Wire.allCases)
    func softLimit(wire: Wire) throws {
        let (broker, ticker) = try start(wire) { $0.queueSoftBytes = 8_192 }
        let slow = try broker.client(wire.mode)
        let first = try slow.subscribe(device: "phone").nextSequence
        let other = try broker.client(wire.mode)
        try other.subscribe(device: "phone", kinds: ["flow_did_disappear"])
        try ticker.make(4_000)
        let last = try ticker.lastSequence()
        let skipped = try follow(slow, from: first, to: last)
        #expect(skipped > 0)
        // They stay in the record, and what comes next comes live again.
        let record = try ticker.client.events(from: first, pageSize: 1)
        #expect(record.events.first?.sequence == first)
        try ticker.make(3)
        #expect(try follow(slow, from: last + 1, to: last + 3) == 0)
        try ticker.client.dismiss(ticker.view)
        #expect(try other.events(count: 1).map(\.sequence) == [last + 4])
    }

    @Test(
        "lagged is told to each subscription, with its own range",
        arguments: [Wire.binaryInProcess, .lineInProcess])
    func eachSubscription(wire: Wire) throws {
        let (broker, ticker) = try start(wire) { $0.queueSoftBytes = 4_096 }
        let slow = try broker.client(wire.mode)
        let all = try slow.subscribe(device: "phone")
        let kinds = try slow.subscribe(device: "phone", kinds: ["flow_did_disappear"])
        try ticker.make(200)
        try ticker.client.dismiss(ticker.view)
        let last = try ticker.lastSequence()
        try slow.expectServed()
        let lagged = slow.takeEvents().compactMap { event -> (UInt32, UInt64, UInt64)? in
            guard case .lagged(let lagged) = event.kind else { return nil }
            return (event.subscriptionId, lagged.fromSequence, lagged.toSequence)
        }
        #expect(lagged.map(\.0) == [all.subscriptionId, kinds.subscriptionId])
        #expect(lagged.map(\.2) == [last, last])
        #expect(lagged.last?.1 == last)
    }

    @Test(
        "row 11: at the hard limit it is disconnected, and nobody else",
        arguments: [Wire.binarySocket, .lineSocket])
    func hardLimit(wire: Wire) throws {
        let (broker, ticker) = try start(wire) {
            $0.queueSoftBytes = 65_536
            $0.queueHardBytes = 131_072
        }
        let slow = try broker.client(wire.mode)
        // Each answer takes some 30 KiB; none is read.
        for _ in 0..<200 { _ = try? slow.send(.describe(DescribeRequest())) }
        try ticker.client.wait { !$0.connections.contains { $0.connectionId == 2 } }
        #expect(try slow.untilClosed().count < 200)
        try ticker.make(10)
        try broker.expectServesOthers()
    }

    @Test(
        "over the soft limit for too long it is disconnected, and nobody else",
        arguments: [Wire.binarySocket, .lineSocket])
    func softTime(wire: Wire) throws {
        let (broker, ticker) = try start(wire) {
            $0.queueSoftBytes = 8_192
            $0.queueSoftMs = 50
        }
        let slow = try broker.client(wire.mode)
        try slow.subscribe(device: "phone")
        let reader = try broker.client(wire.mode)
        let first = try reader.subscribe(device: "phone").nextSequence
        // The reader keeps up all along.
        for round in 0..<40 as Range<UInt64> {
            try ticker.make(50)
            let next = first + 50 * round
            #expect(try follow(reader, from: next, to: next + 49) == 0)
        }
        try ticker.client.wait { !$0.connections.contains { $0.connectionId == 2 } }
        try reader.expectServed()
        try broker.expectServesOthers()
    }
}
