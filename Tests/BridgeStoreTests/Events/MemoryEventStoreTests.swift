import Testing

@testable import BridgeStore

@Suite("Event logs in memory")
struct MemoryEventStoreTests {
    @Test("sequences of a log grow by one from 1, whatever other logs get")
    func sequences() throws {
        let store = MemoryEventStore()
        let (a, b) = (store.log(named: "a"), store.log(named: "b"))
        #expect(try append("1", to: a, in: store) == 1)
        #expect(try append("x", to: b, in: store) == 1)
        #expect(try append("2", to: a, in: store) == 2)
        #expect(contents(of: a, in: store) == ["1", "2"])
        #expect(contents(of: b, in: store) == ["x"])
        #expect(store.usage.events == 3)
    }

    @Test("a log is found again by its exact name")
    func names() {
        let store = MemoryEventStore()
        let composed = store.log(named: "\u{e9}")
        #expect(store.log(named: "\u{e9}") == composed)
        #expect(store.log(named: "e\u{301}") != composed)
    }

    @Test("events of every length come back byte for byte, across pieces")
    func lengths() throws {
        let store = MemoryEventStore()
        let log = store.log(named: "device")
        var expected: [[UInt8]] = []
        for length in Array(0...300) + [1_000, 5_000, 65_000, 65_536, 70_000, 200_000, 3] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ length) }
            expected.append(bytes)
            try bytes.withUnsafeBytes {
                _ = try store.append($0, tag: EventTag(kind: 1), to: log, expecting: nil)
            }
        }
        var found: [[UInt8]] = []
        store.read(log, from: 1, filter: .all) { event in
            found.append(Array(event.bytes))
            return .more
        }
        #expect(found == expected)
    }

    @Test("a read can begin at any sequence, at the next one and beyond")
    func seeks() throws {
        let store = MemoryEventStore()
        let log = store.log(named: "device")
        for number in 1...2_000 { try append("\(number)", to: log, in: store) }
        for start: UInt64 in [1, 2, 7, 8, 9, 999, 1_999, 2_000] {
            var first: (UInt64, String)?
            store.read(log, from: start, filter: .all) { event in
                first = (event.sequence, text(event))
                return .stop
            }
            #expect(first?.0 == start)
            #expect(first?.1 == "\(start)")
        }
        #expect(store.read(log, from: 2_001, filter: .all) { _ in .stop } == 2_001)
        #expect(store.read(log, from: 9_000, filter: .all) { _ in .stop } == 9_000)
        #expect(store.read(log, from: 0, filter: .all) { _ in .stop } == 2)
    }

    @Test("a reader that stops goes on from the sequence it was told, with no gap and no double")
    func pages() throws {
        let store = MemoryEventStore()
        let log = store.log(named: "device")
        for number in 1...100 { try append("\(number)", to: log, in: store) }
        var found: [String] = []
        var next: UInt64 = 1
        while next <= 100 {
            var room = 7
            next = store.read(log, from: next, filter: .all) { event in
                if room == 0 { return .stopBefore }
                room -= 1
                found.append(text(event))
                return .more
            }
        }
        #expect(found == (1...100).map { "\($0)" })
    }

    @Test(
        "a filter chooses by kind and by view without a look into the event",
        arguments: [
            (EventFilter.all, [1, 2, 3, 4]),
            (EventFilter(kinds: [10], view: nil), [1, 3]),
            (EventFilter(kinds: [90], view: nil), [2, 4]),
            (EventFilter(kinds: [10, 90], view: nil), [1, 2, 3, 4]),
            (EventFilter(kinds: nil, view: 5), [3, 4]),
            (EventFilter(kinds: nil, view: 0), [1, 2]),
            (EventFilter(kinds: [10], view: 5), [3]),
            (EventFilter(kinds: [], view: nil), []),
            (EventFilter(kinds: [200], view: nil), []),
        ])
    func filters(filter: EventFilter, expected: [UInt64]) throws {
        let store = MemoryEventStore()
        let log = store.log(named: "device")
        for (kind, view) in [(10, 0), (90, 0), (10, 5), (90, 5)] as [(UInt8, UInt64)] {
            try append("e", tag: EventTag(kind: kind, view: view), to: log, in: store)
        }
        var found: [UInt64] = []
        let next = store.read(log, from: 1, filter: filter) { event in
            found.append(event.sequence)
            return .more
        }
        #expect(found == expected)
        #expect(next == 5)
    }

    @Test("an append that expects another sequence stores nothing and says what is next")
    func expectations() throws {
        let store = MemoryEventStore()
        let log = store.log(named: "device")
        try append("1", to: log, expecting: 1, in: store)
        #expect(throws: EventStoreError.unexpectedSequence(expected: 1, next: 2)) {
            try append("1", to: log, expecting: 1, in: store)
        }
        #expect(throws: EventStoreError.unexpectedSequence(expected: 3, next: 2)) {
            try append("1", to: log, expecting: 3, in: store)
        }
        #expect(try append("2", to: log, expecting: 2, in: store) == 2)
        #expect(contents(of: log, in: store) == ["1", "2"])
    }
}

@Suite("Limits of event logs in memory")
struct MemoryEventStoreLimitsTests {
    @Test("at the limit of events nothing is trimmed; one more trims the oldest")
    func eventsMax() throws {
        let store = MemoryEventStore(limits: EventStoreLimits(eventsMax: 16))
        let log = store.log(named: "device")
        for number in 1...16 { try append("\(number)", to: log, in: store) }
        #expect(store.bounds(of: log).events == 16)
        try append("17", to: log, in: store)
        #expect(
            store.bounds(of: log) == EventLogBounds(oldestSequence: 2, nextSequence: 18))
        #expect(store.usage.events == 16)
        #expect(store.usage.trimmedEvents == 1)
        #expect(contents(of: log, in: store) == (2...17).map { "\($0)" })
    }

    @Test("a store of one event keeps the newest")
    func oneEvent() throws {
        let store = MemoryEventStore(limits: EventStoreLimits(eventsMax: 1))
        let log = store.log(named: "device")
        for number in 1...5 { try append("\(number)", to: log, in: store) }
        #expect(contents(of: log, in: store) == ["5"])
        #expect(store.bounds(of: log) == EventLogBounds(oldestSequence: 5, nextSequence: 6))
    }

    @Test("the bytes never pass the limit, and the oldest log loses its events first")
    func bytesMax() throws {
        let limits = EventStoreLimits(bytesMax: 8_192)
        let store = MemoryEventStore(limits: limits)
        let (old, busy) = (store.log(named: "old"), store.log(named: "busy"))
        try append("first", to: old, in: store)
        let event = String(repeating: "x", count: 100)
        for _ in 0..<1_000 {
            try append(event, to: busy, in: store)
            #expect(store.usage.bytes <= 8_192)
        }
        #expect(store.bounds(of: old) == EventLogBounds(oldestSequence: 2, nextSequence: 2))
        let bounds = store.bounds(of: busy)
        #expect(bounds.nextSequence == 1_001)
        #expect(bounds.events > 30)
        #expect(store.usage.events == bounds.events)
        #expect(try append("second", to: old, in: store) == 2)
    }

    @Test("an event as large as the store fits alone; one byte more is refused and trims nothing")
    func tooLarge() throws {
        let store = MemoryEventStore(limits: EventStoreLimits(bytesMax: 4_096))
        let log = store.log(named: "device")
        try append("small", to: log, in: store)
        let largest = 4_096 - EventChunk.bytes(forEventOf: 0)
        let fitting = largest & ~7
        #expect(
            throws: EventStoreError.tooLarge(bytes: fitting + 1, limit: 4_096),
            performing: {
                try append(String(repeating: "x", count: fitting + 1), to: log, in: store)
            })
        #expect(contents(of: log, in: store) == ["small"])
        try append(String(repeating: "x", count: fitting), to: log, in: store)
        #expect(store.bounds(of: log) == EventLogBounds(oldestSequence: 2, nextSequence: 3))
    }

    @Test("a reader behind the trimmed events begins with the oldest kept")
    func readerBehind() throws {
        let store = MemoryEventStore(limits: EventStoreLimits(eventsMax: 32))
        let log = store.log(named: "device")
        for number in 1...100 { try append("\(number)", to: log, in: store) }
        let oldest = store.bounds(of: log).oldestSequence
        #expect(oldest > 1)
        #expect(contents(of: log, in: store) == (oldest...100).map { "\($0)" })
    }

    @Test("many logs against a model that keeps everything, seed 7")
    func model() throws {
        var random = SplitMix(state: 7)
        let limits = EventStoreLimits(eventsMax: 200, bytesMax: 16_384)
        let store = MemoryEventStore(limits: limits)
        let logs = (0..<9).map { store.log(named: "\($0)") }
        var model = [[String]](repeating: [], count: logs.count)
        for _ in 0..<5_000 {
            let place = Int.random(in: 0..<logs.count, using: &random)
            let event = String(repeating: "e", count: Int.random(in: 0..<400, using: &random))
            model[place].append(event)
            #expect(
                try append(event, to: logs[place], in: store) == UInt64(model[place].count))
            #expect(store.usage.events <= 200)
            #expect(store.usage.bytes <= 16_384)
        }
        var kept: UInt64 = 0
        for (place, log) in logs.enumerated() {
            let bounds = store.bounds(of: log)
            kept += bounds.events
            #expect(bounds.nextSequence == UInt64(model[place].count) + 1)
            #expect(contents(of: log, in: store) == Array(model[place].suffix(Int(bounds.events))))
        }
        #expect(kept == store.usage.events)
        #expect(store.usage.trimmedEvents + kept == 5_000)
    }

    @Test("a log with a few events costs no more than its first piece")
    func idleLogs() throws {
        let store = MemoryEventStore()
        for number in 0..<1_000 {
            let log = store.log(named: "device-\(number)")
            try append(String(repeating: "x", count: 90), to: log, in: store)
            try append(String(repeating: "x", count: 90), to: log, in: store)
        }
        #expect(store.usage.bytes == 256_000)
    }
}

/// SplitMix64, so that a failing run can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

@discardableResult
private func append(
    _ text: String, tag: EventTag = EventTag(kind: 0), to log: EventLogID,
    expecting: UInt64? = nil, in store: any EventStore
) throws -> UInt64 {
    var copy = text
    return try copy.withUTF8 {
        try store.append(UnsafeRawBufferPointer($0), tag: tag, to: log, expecting: expecting)
    }
}

private func text(_ event: StoredEvent) -> String {
    String(decoding: event.bytes, as: UTF8.self)
}

private func contents(of log: EventLogID, in store: any EventStore) -> [String] {
    var found: [String] = []
    store.read(log, from: 1, filter: .all) { event in
        found.append(text(event))
        return .more
    }
    return found
}
