import CPowerCut
import Foundation
import Testing

@testable import BridgeStore

@Suite("A store that cannot be opened is refused by name and left as it is")
struct RefusedStoreTests {
    let folder = StoreFolder()

    private func fault() -> StoreFault? {
        do {
            _ = try folder.open()
            return nil
        } catch {
            return error as? StoreFault
        }
    }

    private func makeStore() throws {
        let store = try folder.open()
        let log = store.events.log(named: "device")
        for number in 1...200 { try store.append("event \(number)", to: log) }
        try store.profiles.store([1], id: "p", expecting: 0)
        store.close()
    }

    @Test("one in use, naming the file and the process; also under another name")
    func locked() throws {
        let store = try folder.open()
        let refused = fault()
        #expect(refused?.kind == .locked)
        #expect(refused?.message.contains(store.path) == true)
        #expect(refused?.message.contains("pid \(getpid())") == true)
        let alias = folder.path + "/alias.db"
        try FileManager.default.createSymbolicLink(
            atPath: alias, withDestinationPath: folder.file)
        #expect(throws: StoreFault.self) {
            try SQLiteStore(path: alias, durability: .process)
        }
        store.close()
    }

    @Test(
        "one that is no store of ours",
        arguments: [
            "text, no database", "SQLite format 3\0short", String(repeating: "x", count: 8_192),
        ])
    func foreign(contents: String) throws {
        let before = Data(contents.utf8)
        try before.write(to: URL(fileURLWithPath: folder.file))
        let refused = try #require(fault())
        #expect(refused.message.contains(folder.file))
        #expect(!refused.isPassing)
        #expect(folder.contents == before)
    }

    @Test("a database of another program")
    func otherProgram() throws {
        _ = try folder.shell("CREATE TABLE notes(text); INSERT INTO notes VALUES ('mine')")
        let before = folder.contents
        #expect(fault()?.kind == .foreign)
        #expect(folder.contents == before)
    }

    @Test("one of a newer program, with both versions")
    func tooNew() throws {
        try makeStore()
        _ = try folder.shell("UPDATE flowbridge_store SET version = 99")
        let before = folder.contents
        let refused = try #require(fault())
        #expect(refused.kind == .tooNew)
        #expect(refused.message.contains("version 99"))
        #expect(refused.message.contains("up to \(StoreSchema.version)"))
        #expect(folder.contents == before)
    }

    @Test("a damaged one, wherever the damage lies; what is read late fails then, by name")
    func corrupt() throws {
        try makeStore()
        let whole = folder.contents
        for page in 0..<whole.count / 4_096 {
            var damaged = whole
            for offset in (page == 0 ? 100 : 0)..<4_096 { damaged[page * 4_096 + offset] = 0xA5 }
            try damaged.write(to: URL(fileURLWithPath: folder.file))
            do {
                let store = try folder.open()
                let log = store.events.log(named: "device")
                #expect(throws: StoreFault.self, "page \(page)") {
                    _ = try store.contents(of: log, eventsMax: 1_000)
                    try store.profiles.store([2], id: "p", expecting: 1)
                    try store.append("more", to: log)
                    try store.append("first", to: store.events.log(named: "other"))
                    try store.devices.store([2], id: "d", expecting: 0)
                    try store.caches.store([2], id: "d", expecting: 0)
                    try store.fallbackFiles.store([2], id: "d", expecting: 0)
                    store.backendEvents.append([2], number: 1)
                    try store.save()
                }
            } catch {
                #expect((error as? StoreFault)?.kind == .corrupt, "page \(page): \(error)")
                #expect(folder.contents == damaged, "page \(page)")
            }
        }
        try whole[..<(whole.count - 4_096)].write(to: URL(fileURLWithPath: folder.file))
        #expect(fault()?.kind == .corrupt)
    }

    @Test("a folder that is not there, and one in the place of the file")
    func noFile() throws {
        #expect(throws: StoreFault.self) {
            try SQLiteStore(path: folder.path + "/none/store.db", durability: .process)
        }
        try FileManager.default.createDirectory(
            atPath: folder.file, withIntermediateDirectories: false)
        #expect(fault()?.kind == .foreign)
    }
}

@Suite("Faults of the disk", .serialized)
struct DiskFaultTests {
    let folder = StoreFolder()

    init() {
        fb_disk_reset()
    }

    private func open(_ durability: Durability = .process) throws -> SQLiteStore {
        try folder.open(durability, vfs: String(cString: fb_disk_name()))
    }

    @Test("row 34: a full disk is told by name; when there is room all is saved by itself, once")
    func full() throws {
        let store = try open()
        let log = store.events.log(named: "device")
        var number = 0
        for round in 0..<3 {
            fb_disk_set_full(1)
            while store.fault == nil {
                number += 1
                try store.append("event \(number)", to: log)
                store.seal()
                store.waitUntilIdle()
            }
            #expect(store.fault?.kind == .full)
            #expect(store.fault?.message.contains(store.path) == true)
            #expect(store.savedTicket < store.sealedTicket)
            fb_disk_set_full(0)
            // It tries again by itself after a second, and at once with what comes.
            if round > 0 { store.seal() }
            while store.fault != nil {
                var signal = pollfd(
                    fd: store.newsDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
                try #require(poll(&signal, 1, 20_000) == 1)
                store.takeProgress()
            }
            #expect(store.savedTicket == store.sealedTicket)
        }
        #expect(try store.contents(of: log) == (1...number).map { "event \($0)" })
        store.close()
        #expect(try folder.shell("SELECT count(*) FROM events") == "\(number)")
        #expect(try folder.shell("PRAGMA integrity_check") == "ok")
    }

    @Test(
        "the n-th write, truncation or sync fails, for each n: nothing is lost or doubled",
        arguments: [Durability.process, .power])
    func sweep(durability: Durability) throws {
        var failures: UInt64 = 0
        while true {
            let round = Round(StoreFolder())
            fb_disk_reset()
            fb_disk_fail_at(failures + 1)
            try round.run(durability)
            let met = fb_disk_met() != 0
            fb_disk_reset()
            try round.check(acknowledged: round.saved)
            if !met { break }
            failures += 1
        }
        #expect(failures > 40)
    }

    /// One life of a store under a fault: batches of two events and a profile.
    private final class Round {
        let folder: StoreFolder
        private(set) var saved: UInt64 = 0

        init(_ folder: StoreFolder) {
            self.folder = folder
        }

        func run(_ durability: Durability) throws {
            let store: SQLiteStore
            do {
                store = try folder.open(durability, vfs: String(cString: fb_disk_name()))
            } catch {
                #expect(error is StoreFault)
                return
            }
            let log = store.events.log(named: "device")
            for batch in 1...12 as ClosedRange<UInt64> {
                try store.append("\(2 * batch - 1)", to: log)
                try store.append("\(2 * batch)", to: log)
                try store.profiles.store([UInt8(batch)], id: "p", expecting: batch - 1)
                store.seal()
                store.waitUntilIdle()
                saved = store.savedTicket
            }
            store.close()
            saved = store.savedTicket
        }

        func check(acknowledged: UInt64) throws {
            let store = try folder.open()
            let log = store.events.log(named: "device")
            let found = try store.contents(of: log)
            #expect(found == (0..<found.count).map { "\($0 + 1)" })
            #expect(found.count % 2 == 0)
            #expect(found.count >= 2 * Int(min(acknowledged, 12)))
            #expect(store.profiles.version(of: "p") == UInt64(found.count / 2))
            store.close()
            #expect(try folder.shell("PRAGMA integrity_check") == "ok")
        }
    }
}
