import BridgeProtocol
import Testing

/// A generator that gives the same numbers for the same seed, so that a failure can be repeated.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("A record that is replayed goes over into live events")
struct ReplayTests {
    static let seeds: [UInt64] = [1, 2, 3]

    @Test(
        "replays from random points have no gap and no double, while others produce",
        arguments: Wire.allCases, seeds)
    func seam(wire: Wire, seed: UInt64) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        var random = SeededNumbers(seed: seed)
        var watchers: [(client: TestClient, from: UInt64)] = []
        var lastTap: UInt64 = 0
        for _ in 0..<8 {
            lastTap = try ticker.send(Int.random(in: 50...250, using: &random))
            let from = UInt64.random(in: 1...400, using: &random)
            let client = try broker.client(wire.mode)
            try client.send(
                .subscribe(
                    with(SubscribeRequest()) {
                        $0.device = "phone"
                        $0.fromSequence = from
                    }))
            watchers.append((client, from))
        }
        _ = try ticker.client.answer(to: lastTap)
        let last = try ticker.lastSequence()
        for (client, from) in watchers {
            // A start in the future goes live at once.
            var seen: [UInt64] = []
            while seen.last != last { seen += try client.events(count: 1).map(\.sequence) }
            let start = try #require(seen.first)
            #expect(start == from || start < from, "seed \(seed)")
            #expect(seen == Array(start...last), "seed \(seed), from \(from)")
        }
    }

    @Test("a client that comes back misses nothing", arguments: Wire.allCases)
    func comesBack(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        var seen: [UInt64] = []
        for _ in 0..<5 {
            let watcher = try broker.client(wire.mode)
            try watcher.subscribe(device: "phone", from: (seen.last ?? 0) + 1)
            try ticker.make(10)
            let last = try ticker.lastSequence()
            while seen.last != last { seen += try watcher.events(count: 1).map(\.sequence) }
            try ticker.make(10)
        }
        #expect(seen == Array(1...UInt64(seen.count)))
    }

    @Test("a long record is replayed in bounded pieces", arguments: Wire.allCases)
    func longRecord(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        try ticker.make(3_000)
        let last = try ticker.lastSequence()
        let watcher = try broker.client(wire.mode)
        try watcher.subscribe(device: "phone", from: 1)
        #expect(try ticker.client.status().connections.allSatisfy { $0.queuedBytes < 1 << 20 })
        let seen = try watcher.events(count: Int(last)).map(\.sequence)
        #expect(seen == Array(1...last))
    }

    @Test("what the record no longer holds is said", arguments: Wire.allCases)
    func trimmed(wire: Wire) throws {
        var limits = Limits()
        limits.eventsMax = 200
        let broker = TestBroker.start(
            wire, TestSetup(limits: limits, catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        try ticker.make(1_000)
        let record = try ticker.client.events(from: 1)
        #expect(record.oldestSequenceKept > 1)
        #expect(record.events.first?.sequence == record.oldestSequenceKept)
        let watcher = try broker.client(wire.mode)
        try watcher.subscribe(device: "phone", from: 5)
        let last = try ticker.lastSequence()
        let seen = try watcher.events(count: Int(last - record.oldestSequenceKept) + 2)
        guard case .lagged(let lagged) = seen.first?.kind else { throw Unexpected(seen[0]) }
        #expect(lagged.fromSequence == 5)
        #expect(lagged.toSequence == record.oldestSequenceKept - 1)
        #expect(lagged.reason.contains("eventsMax"))
        #expect(seen.first?.sequence == 0)
        #expect(seen.dropFirst().map(\.sequence) == Array(record.oldestSequenceKept...last))
    }
}

@Suite("get_events")
struct EventPageTests {
    @Test("pages of every size give the same record", arguments: Wire.allCases)
    func pages(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        try ticker.make(40)
        let whole = try ticker.client.allEvents()
        #expect(whole.map(\.sequence) == Array(1...UInt64(whole.count)))
        for size in [1, 7, 1_000, UInt32.max] {
            #expect(try ticker.client.allEvents(pageSize: size) == whole, "page_size \(size)")
        }
        let first = try ticker.client.events(pageSize: 7)
        #expect(first.events.count == 7)
        #expect(first.nextFromSequence == 8)
        #expect(!first.atEnd)
        #expect(first.oldestSequenceKept == 1)
    }

    @Test("pages of one kind and of one view", arguments: Wire.allCases)
    func filtered(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        try ticker.make(20)
        let client = ticker.client
        let whole = try client.allEvents()
        for size in [1, 7, 0] as [UInt32] {
            let kind = try client.allEvents(kinds: ["flow_did_appear"], pageSize: size)
            #expect(kind == whole.filter { $0.kind?.name == "flow_did_appear" })
            let view = try client.allEvents(view: ticker.view, pageSize: size)
            #expect(view == whole.filter { $0.viewId == ticker.view })
        }
    }

    @Test("the broker's pageMax bounds a page", arguments: Wire.allCases)
    func pageMax(wire: Wire) throws {
        var limits = Limits()
        limits.pageMax = 5
        let broker = TestBroker.start(
            wire, TestSetup(limits: limits, catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        try ticker.make(20)
        #expect(try ticker.client.events().events.count == 5)
        #expect(try ticker.client.events(pageSize: 6).events.count == 5)
        #expect(try ticker.client.allEvents().count == Int(try ticker.lastSequence()))
    }

    @Test("a page of large events ends before the frame does", arguments: Wire.allCases)
    func largeEvents(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        let client = ticker.client
        let text = String(repeating: "\"", count: 32 << 10)
        for _ in 0..<20 {
            try client.focus(ticker.view, "name")
            try client.enter(ticker.view, "name", text)
            try client.blur(ticker.view)
            try client.focus(ticker.view, "name")
            try client.enter(ticker.view, "name", "")
            try client.blur(ticker.view)
        }
        let page = try client.events()
        #expect(!page.atEnd)
        #expect(!page.events.isEmpty)
        #expect(try client.allEvents().count == Int(try ticker.lastSequence()))
    }

    @Test("the far ends of from_sequence", arguments: Wire.allCases)
    func farEnds(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        let last = try ticker.lastSequence()
        for from in [last + 1, last + 100, UInt64.max - 1, UInt64.max] {
            let page = try ticker.client.events(from: from)
            #expect(page.events.isEmpty)
            #expect(page.atEnd)
        }
        try ticker.client.subscribe(from: .max)
        try ticker.client.subscribe(from: 0)
        try ticker.make(1)
        #expect(ticker.client.takeEvents().count == Int(last) + 2)
    }
}
