import Testing

@testable import BridgeStore

@Suite("What every kind of store promises")
struct StoreKindTests {
    let folder = StoreFolder()

    @Test("events come back in order, whoever else writes", arguments: StoreKind.allCases)
    func order(kind: StoreKind) throws {
        let store = try kind.make(folder)
        let (a, b) = (store.events.log(named: "a"), store.events.log(named: "b"))
        for number in 1...300 {
            #expect(try store.append("a\(number)", to: a) == UInt64(number))
            if number % 3 == 0 { try store.append("b\(number / 3)", to: b) }
            if number % 10 == 0 { try store.save() }
        }
        #expect(try store.contents(of: a) == (1...300).map { "a\($0)" })
        #expect(try store.contents(of: b) == (1...100).map { "b\($0)" })
        #expect(try store.contents(of: a, from: 250) == (250...300).map { "a\($0)" })
        #expect(try store.contents(of: a, from: 301) == [])
        #expect(store.events.usage.events == 400)
    }

    @Test("logs and records are found by their exact names", arguments: StoreKind.allCases)
    func names(kind: StoreKind) throws {
        let store = try kind.make(folder)
        let composed = store.events.log(named: "\u{e9}")
        #expect(store.events.log(named: "\u{e9}") == composed)
        #expect(store.events.log(named: "e\u{301}") != composed)
        try store.profiles.store([1], id: "\u{e9}", expecting: 0)
        try store.profiles.store([2], id: "e\u{301}", expecting: 0)
        #expect(store.profiles.version(of: "\u{e9}") == 1)
        try store.save()
    }

    @Test("a filter chooses by kind and by view", arguments: StoreKind.allCases)
    func filters(kind: StoreKind) throws {
        let store = try kind.make(folder)
        let log = store.events.log(named: "device")
        for number in 0..<6_000 {
            let tag = EventTag(kind: number == 5_999 ? 90 : 10, view: .max - UInt64(number % 3))
            try store.append("\(number)", tag: tag, to: log)
        }
        try store.save()
        #expect(
            try store.contents(of: log, filter: EventFilter(kinds: [90], view: nil)) == ["5999"])
        #expect(
            try store.contents(of: log, filter: EventFilter(kinds: nil, view: .max), eventsMax: 500)
                .count == 2_000)
        #expect(try store.contents(of: log, filter: EventFilter(kinds: [], view: nil)) == [])
    }

    @Test("an append that expects another sequence stores nothing", arguments: StoreKind.allCases)
    func expectations(kind: StoreKind) throws {
        let store = try kind.make(folder)
        let log = store.events.log(named: "device")
        try store.append("1", to: log, expecting: 1)
        #expect(throws: EventStoreError.unexpectedSequence(expected: 1, next: 2)) {
            try store.append("1", to: log, expecting: 1)
        }
        try store.append("2", to: log, expecting: 2)
        try store.save()
        #expect(try store.contents(of: log) == ["1", "2"])
    }

    @Test(
        "records change by compare-and-set; who comes second changes nothing",
        arguments: StoreKind.allCases)
    func compareAndSet(kind: StoreKind) throws {
        let store = try kind.make(folder)
        let profiles = store.profiles
        #expect(try profiles.store([1], id: "p", expecting: 0) == 1)
        #expect(throws: ProfileStoreError.versionConflict(expected: 0, stored: 1)) {
            try profiles.store([9], id: "p", expecting: 0)
        }
        #expect(try profiles.store([2], id: "p", expecting: 1) == 2)
        #expect(throws: ProfileStoreError.versionConflict(expected: 1, stored: 2)) {
            try profiles.remove(id: "p", expecting: 1)
        }
        try store.save()
        #expect(try profiles.store([3], id: "p", expecting: 2) == 3)
        try profiles.remove(id: "p", expecting: 3)
        try profiles.remove(id: "never", expecting: 0)
        #expect(profiles.version(of: "p") == 0)
        #expect(store.devices.version(of: "p") == 0)
        #expect(try profiles.store([4], id: "p", expecting: 0) == 1)
        try store.save()
    }

    @Test("many logs against a model that keeps everything, seed 7", arguments: StoreKind.allCases)
    func model(kind: StoreKind) throws {
        var random = SplitMix(state: 7)
        let store = try kind.make(folder, eventsMax: 200, bytesMax: 16_384)
        let logs = (0..<9).map { store.events.log(named: "\($0)") }
        var model = [[String]](repeating: [], count: logs.count)
        for turn in 0..<3_000 {
            let place = Int.random(in: 0..<logs.count, using: &random)
            let event = String(repeating: "e", count: Int.random(in: 0..<400, using: &random))
            model[place].append(event)
            #expect(try store.append(event, to: logs[place]) == UInt64(model[place].count))
            #expect(store.events.usage.events <= 200)
            #expect(store.events.usage.bytes <= 16_384)
            if turn % 50 == 0 { try store.save() }
        }
        try store.save()
        var kept: UInt64 = 0
        for (place, log) in logs.enumerated() {
            let bounds = store.events.bounds(of: log)
            kept += bounds.events
            #expect(bounds.nextSequence == UInt64(model[place].count) + 1)
            #expect(
                try store.contents(of: log) == Array(model[place].suffix(Int(bounds.events))))
        }
        #expect(kept == store.events.usage.events)
        #expect(store.events.usage.trimmedEvents + kept == 3_000)
    }
}
