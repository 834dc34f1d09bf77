import CLinux
import Foundation
import Testing

@testable import BridgeStore

@Suite("A store on disk")
struct SQLiteStoreTests {
    let folder = StoreFolder()

    @Test("events of every length come back byte for byte from the file, and sequences go on")
    func reopened() throws {
        var expected: [String] = []
        for round in 0..<3 {
            let store = try folder.open(tailBytesMax: round == 1 ? 0 : 4 << 20)
            let log = store.events.log(named: "device")
            #expect(store.events.bounds(of: log).nextSequence == UInt64(expected.count) + 1)
            for length in Array(0...40) + [1_000, 5_000, 65_536, 200_000] {
                let text = String(repeating: "\(length % 10)", count: length)
                expected.append(text)
                #expect(try store.append(text, to: log) == UInt64(expected.count))
            }
            store.close()
        }
        let store = try folder.open()
        let log = store.events.log(named: "device")
        #expect(store.events.residentSequence(of: log) == UInt64(expected.count) + 1)
        #expect(try store.contents(of: log, bytesMax: 1_000) == expected)
        #expect(store.events.usage.events == UInt64(expected.count))
    }

    @Test("what a ticket says is saved is in the file, whole batches in order")
    func tickets() throws {
        let store = try folder.open()
        let log = store.events.log(named: "device")
        for number in 1...20 {
            #expect(store.openTicket == UInt64(number))
            try store.append("\(number)", to: log)
            try store.profiles.store(
                Array("\(number)".utf8), id: "p", expecting: UInt64(number) - 1)
            try store.save()
            #expect(store.savedTicket == UInt64(number))
            #expect(
                try folder.peek("SELECT max(sequence) FROM recorded_events WHERE device='device'")
                    == "\(number)")
            #expect(try folder.peek("SELECT CAST(record AS TEXT) FROM profiles") == "\(number)")
        }
        #expect(try folder.peek("PRAGMA integrity_check") == "ok")
    }

    @Test("records come back with their versions; several changes of one batch are one")
    func records() throws {
        let store = try folder.open()
        try store.profiles.store([1], id: "kept", expecting: 0)
        try store.profiles.store([1], id: "gone", expecting: 0)
        try store.save()
        for version: UInt64 in 1...5 {
            try store.profiles.store([UInt8(version)], id: "kept", expecting: version)
        }
        try store.profiles.store([7], id: "brief", expecting: 0)
        try store.profiles.remove(id: "brief", expecting: 1)
        try store.profiles.remove(id: "gone", expecting: 1)
        try store.devices.store([8], id: "kept", expecting: 0)
        try store.save()
        store.close()
        let again = try folder.open()
        var found: [String: VersionedRecord<[UInt8]>] = [:]
        try again.profiles.readAll { found[$0] = $1 }
        #expect(found == ["kept": VersionedRecord(version: 6, record: [5])])
        #expect(again.profiles.version(of: "kept") == 6)
        #expect(again.devices.version(of: "kept") == 1)
        try again.profiles.store([6], id: "kept", expecting: 6)
        try again.save()
        #expect(throws: StoreFault.self) { try again.profiles.readAll { _, _ in } }
    }

    @Test("what was trimmed stays trimmed, and the record goes on behind it")
    func retention() throws {
        for round in 0..<4 {
            let store = try folder.open(eventsMax: 64)
            let log = store.events.log(named: "device")
            for number in 1...100 {
                try store.append("\(round * 100 + number)", to: log)
                if number % 9 == 0 { try store.save() }
            }
            let bounds = store.events.bounds(of: log)
            #expect(bounds.nextSequence == UInt64(round * 100 + 101))
            #expect(bounds.events <= 64 && bounds.events > 56)
            #expect(
                try store.contents(of: log)
                    == (bounds.oldestSequence..<bounds.nextSequence).map { "\($0)" })
            store.close()
            #expect(
                try folder.shell("SELECT min(sequence), max(sequence) FROM recorded_events")
                    == "\(bounds.oldestSequence)|\(bounds.nextSequence - 1)")
        }
        #expect(try folder.shell("SELECT max(trimmed) FROM logs") != "0")
    }

    @Test("a log of which nothing is left goes on with its next sequence")
    func emptied() throws {
        let store = try folder.open(eventsMax: 16)
        let (old, busy) = (store.events.log(named: "old"), store.events.log(named: "busy"))
        for number in 1...3 { try store.append("\(number)", to: old) }
        for number in 1...40 { try store.append("\(number)", to: busy) }
        store.close()
        let again = try folder.open(eventsMax: 16)
        let log = again.events.log(named: "old")
        #expect(
            again.events.bounds(of: log)
                == EventLogBounds(oldestSequence: 4, nextSequence: 4))
        #expect(try again.append("4", to: log) == 4)
    }

    @Test("the sizes of pieces that were growing are counted anew after a kill")
    func sizes() throws {
        let store = try folder.open()
        let log = store.events.log(named: "device")
        for _ in 0..<50 { try store.append("0123456789", to: log) }
        try store.save()
        let bytes = store.events.usage.bytes
        // What a killed broker leaves: the file without the closing of its pieces.
        let copy = StoreFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file + suffix, toPath: copy.file + suffix)
        }
        let again = try copy.open()
        #expect(again.events.usage.bytes == bytes)
        #expect(again.events.usage.events == 50)
        again.close()
        #expect(try copy.shell("SELECT min(bytes) FROM pieces") == "\(bytes)")
    }

    @Test("the write-ahead log stays small under load, and is told")
    func journal() throws {
        let store = try folder.open(tailBytesMax: 64 << 10)
        let log = store.events.log(named: "device")
        var most: UInt64 = 0
        for _ in 0..<200 {
            for _ in 0..<20 { try store.append(String(repeating: "x", count: 4_000), to: log) }
            try store.save()
            most = max(most, store.facts.journalBytes)
        }
        #expect(most > 1 << 20)
        #expect(most < 8 << 20)
        #expect(store.events.usage.events == 4_000)
    }

    @Test("memory keeps what is not saved, and the tail otherwise")
    func tail() throws {
        let store = try folder.open(tailBytesMax: 128 << 10)
        let log = store.events.log(named: "device")
        let padding = String(repeating: "x", count: 200)
        for number in 1...1_000 { try store.append("\(padding)\(number)", to: log) }
        #expect(store.events.residentSequence(of: log) == 1)
        try store.save()
        let resident = store.events.residentSequence(of: log)
        #expect(resident > 1)
        #expect(resident < 1_001)
        #expect(
            try store.contents(of: log, eventsMax: 100) == (1...1_000).map { "\(padding)\($0)" })
    }

    @Test("the file and what belongs to it are 0600, under any umask")
    func modes() throws {
        let before = umask(0)
        defer { umask(before) }
        let store = try folder.open()
        try store.append("1", to: store.events.log(named: "device"))
        try store.save()
        for suffix in ["", "-wal", ".lock"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.file + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
    }

    @Test("more that waits to be saved than the limit is told, until it is saved")
    func behind() throws {
        var limits = StoreLimits()
        limits.unsavedBytesMax = 1_000
        let store = try SQLiteStore(path: folder.file, durability: .process, limits: limits)
        let log = store.events.log(named: "device")
        try store.append(String(repeating: "x", count: 1_000 - EventRetention.rowBytes), to: log)
        store.seal()
        #expect(!store.isBehind)
        try store.append("", to: log)
        store.seal()
        #expect(store.isBehind)
        store.waitUntilIdle()
        #expect(!store.isBehind)
    }

    @Test("an open batch is worth a transaction from so many rows on, if the thread is idle")
    func worth() throws {
        let store = try folder.open(.power)
        let log = store.events.log(named: "device")
        for _ in 1...SQLiteStore.worthRows { try store.append("event", to: log) }
        // It has not started.
        #expect(!store.isWorthSealing)
        try store.save()
        for _ in 1..<SQLiteStore.worthRows { try store.append("event", to: log) }
        #expect(!store.isWorthSealing)
        try store.append("event", to: log)
        let end = fb_monotonic_ns() + 20_000_000_000
        while !store.isWorthSealing, fb_monotonic_ns() < end { sched_yield() }
        #expect(store.isWorthSealing)
    }

    @Test("the last backend events come back under their numbers, the others are gone")
    func backendEvents() throws {
        var limits = StoreLimits()
        limits.backendEventsMax = 4
        for round in 0..<3 as Range<UInt64> {
            let store = try SQLiteStore(path: folder.file, durability: .process, limits: limits)
            var found: [UInt64: [UInt8]] = [:]
            try store.backendEvents.readAll { found[$0] = $1 }
            let last = round * 3
            let expected = last == 0 ? 1..<1 : (last > 4 ? last - 3 : 1)..<last + 1
            #expect(found == Dictionary(uniqueKeysWithValues: expected.map { ($0, [UInt8($0)]) }))
            for number in last + 1...last + 3 {
                store.backendEvents.append([UInt8(number)], number: number)
            }
            try store.save()
            #expect(throws: StoreFault.self) { try store.backendEvents.readAll { _, _ in } }
            store.close()
        }
        #expect(try folder.shell("SELECT count(*), min(number) FROM backend_events") == "4|6")
    }

    @Test("a fallback file holds nobody up as unsaved, and comes back byte for byte")
    func fallbackFiles() throws {
        var limits = StoreLimits()
        limits.unsavedBytesMax = 1_000
        let file = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let store = try SQLiteStore(path: folder.file, durability: .power, limits: limits)
        try store.fallbackFiles.store(file, id: "1", expecting: 0)
        store.seal()
        #expect(!store.isBehind)
        store.waitUntilIdle()
        #expect(store.savedTicket == store.sealedTicket)
        store.close()
        let again = try folder.open()
        var found: [String: [UInt8]] = [:]
        try again.fallbackFiles.readAll { found[$0] = $1.record }
        #expect(found == ["1": file])
    }

    @Test("a store that version 1 wrote opens, with all that is in it, and goes on")
    func versionOne() throws {
        _ = try folder.shell(".read \(StoreFolder.versionOneScript)")
        #expect(try folder.shell("SELECT version FROM flowbridge_store") == "1")
        let store = try folder.open()
        try folder.checkVersionOne(store)
        let log = store.events.log(named: "phone")
        #expect(store.events.bounds(of: store.events.log(named: "new")).nextSequence == 1)
        #expect(try store.append("six", to: log) == 6)
        store.close()
        #expect(
            try folder.shell("SELECT version FROM flowbridge_store") == "\(StoreSchema.version)")
        #expect(try folder.shell("SELECT max(sequence) FROM recorded_events") == "6")
    }
}

extension StoreFolder {
    /// Makes a store as version 1 wrote it.
    static var versionOneScript: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("store-v1.sql").path
    }

    /// Looks for all that the script puts in.
    func checkVersionOne(_ store: SQLiteStore) throws {
        var found: [String: VersionedRecord<[UInt8]>] = [:]
        try store.profiles.readAll { found[$0] = $1 }
        try store.devices.readAll { found[$0] = $1 }
        #expect(
            found == [
                "P-1": VersionedRecord(version: 2, record: Array(#"{"email":"a@b.c"}"#.utf8)),
                "phone": VersionedRecord(version: 1, record: Array(#"{"open":true}"#.utf8)),
            ])
        let log = store.events.log(named: "phone")
        #expect(try store.contents(of: log) == ["three", "four", "five"])
        #expect(
            store.events.bounds(of: log)
                == EventLogBounds(oldestSequence: 3, nextSequence: 6))
    }
}
