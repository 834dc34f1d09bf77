import CPowerCut
import Testing

@testable import BridgeStore

@Suite("Which batches are saved where they are sealed")
struct InPlaceRuleTests {
    private let one = StoreBatch(ticket: 1, changes: Self.rows(InPlaceRule.rowsMax))

    private static func rows(_ count: Int) -> [StoreChange] {
        (0..<count).map { .closedPiece(number: UInt64($0), bytes: 0) }
    }

    @Test("short ones with process, up to the limits of rows and bytes; no file")
    func short() {
        let rule = InPlaceRule(.process)
        #expect(rule.allows(one))
        #expect(!InPlaceRule(.none).allows(one))
        #expect(!InPlaceRule(.power).allows(one))
        var batch = one
        batch.changes = Self.rows(InPlaceRule.rowsMax + 1)
        #expect(!rule.allows(batch))
        batch = one
        batch.bytes = InPlaceRule.bytesMax
        #expect(rule.allows(batch))
        batch.bytes += 1
        #expect(!rule.allows(batch))
        batch = one
        batch.changes[0] = .record(
            .fallbackFiles, id: [1], version: 1, replacing: 0, bytes: [1])
        #expect(!rule.allows(batch))
    }

    @Test("none for a while after one was slow, whether it was saved or not")
    func pause() {
        for isSaved in [true, false] {
            final class Clock { var now: UInt64 = 1 }
            let clock = Clock()
            var rule = InPlaceRule(.process) { clock.now }
            func measure(_ ns: UInt64) -> Bool {
                rule.measure {
                    clock.now += ns
                    return isSaved
                }
            }
            #expect(measure(InPlaceRule.slowNs) == isSaved)
            #expect(rule.allows(one))
            #expect(measure(InPlaceRule.slowNs + 1) == isSaved)
            #expect(!rule.allows(one))
            clock.now += InPlaceRule.pauseFactor * (InPlaceRule.slowNs + 1) - 1
            #expect(!rule.allows(one))
            clock.now += 1
            #expect(rule.allows(one))
        }
    }
}

/// Batches that are saved where they are sealed.
extension DiskFaultTests {
    /// Seals batches of one event each; gives how many were saved when `seal` returned, as can be
    /// only where nobody else has to be waited for.
    private func work(_ store: SQLiteStore, batches: Int) throws -> Int {
        let log = store.events.log(named: "device")
        var inPlace = 0
        for number in 1...batches {
            try store.append("event \(number)", to: log)
            store.seal()
            if store.savedTicket == store.sealedTicket { inPlace += 1 }
            store.waitUntilIdle()
            #expect(store.fault == nil)
        }
        return inPlace
    }

    @Test(
        "saved in place: most with process, none with none and power",
        arguments: Durability.allCases)
    func inPlace(durability: Durability) throws {
        let store = try folder.open(durability)
        store.inPlace = InPlaceRule(durability) { 0 }
        let inPlace = try work(store, batches: 2_000)
        #expect(durability == .process ? inPlace > 300 : inPlace == 0, "\(inPlace)")
        #expect(store.facts.saved.batches == 2_000)
        #expect(try folder.peek("SELECT count(*), max(event) FROM events") == "2000|event 999")
    }

    @Test(
        "saved in place: this thread never syncs; the log is moved and events are trimmed"
    )
    func inPlaceWithoutSync() throws {
        let store = try folder.open(eventsMax: 1_000, vfs: String(cString: fb_disk_name()))
        store.inPlace = InPlaceRule(.process) { 0 }
        let before = fb_disk_syncs_here()
        #expect(before > 0)
        let inPlace = try work(store, batches: 6_000)
        #expect(inPlace > 100, "\(inPlace)")
        #expect(fb_disk_syncs_here() == before)
        #expect(store.facts.journalBytes < 1_500 * 4_096)
        store.close()
        let kept = try #require(Int(folder.shell("SELECT count(*) FROM events")))
        #expect((900...1_100).contains(kept))
    }

    /// The store's thread, which runs only to do what it is given.
    private struct StoppedThread {
        let thread: StoreThread
        private let queue: StoreQueue

        init(_ path: String, _ durability: Durability) throws {
            queue = try StoreQueue()
            queue.close()
            let disk = String(cString: fb_disk_name())
            let database = try SQLiteStore.open(path, durability, StoreLimits(), disk)
            thread = try StoreThread(database, queue: queue, durability: durability)
        }

        func save(_ batch: StoreBatch) {
            queue.add(batch)
            thread.run()
        }
    }

    @Test("with power each batch is synced once; what is trimmed asks for no sync of its own")
    func trimmingWithoutSync() throws {
        let file = try StoreFile(folder.file)
        let stopped = try StoppedThread(file.path, .power)
        for ticket in 1...6 as ClosedRange<UInt64> {
            var batch = StoreBatch(ticket: ticket)
            batch.changes = [.piece(number: ticket, log: 0, first: 1)]
            if ticket.isMultiple(of: 2) {
                batch.trims = [PieceTrim(number: ticket - 1, log: 0, sequences: 1..<2)]
            }
            let before = fb_disk_syncs_here()
            stopped.save(batch)
            // The first transaction of a log syncs its beginning too.
            #expect(fb_disk_syncs_here() == before + (ticket == 1 ? 2 : 1), "\(ticket)")
        }
        file.close()
        // The last removal comes to the disk with the next batch.
        #expect(try folder.peek("SELECT group_concat(number) FROM pieces") == "2,4,5,6")
    }

    @Test("of what is trimmed a part at most is written once more")
    func trimmingWritesLittle() throws {
        let file = try StoreFile(folder.file)
        let stopped = try StoppedThread(file.path, .power)
        let bytes = [UInt8](repeating: 7, count: 475)
        bytes.withUnsafeBytes { bytes in
            let changes = (1...400 as ClosedRange<UInt64>).map { sequence in
                StoreChange.event(
                    UnsavedEvent(
                        place: EventPlace.key(0, sequence), tag: EventTag(kind: 1, view: 0),
                        bytes: bytes))
            }
            stopped.save(StoreBatch(ticket: 1, changes: changes))
        }
        let filled = stopped.thread.journalBytes
        #expect(filled > 400 * 475)
        let trims = [PieceTrim(number: 1, log: 0, sequences: 1..<399)]
        stopped.save(StoreBatch(ticket: 2, trims: trims))
        #expect(stopped.thread.journalBytes - filled < filled * 2 / 3)
        stopped.save(StoreBatch(ticket: 3, changes: [.piece(number: 2, log: 0, first: 401)]))
        file.close()
        #expect(try folder.peek("SELECT group_concat(place) FROM events") == "399,400")
    }

    @Test("saved in place: not the first of a log that begins anew, as SQLite syncs that one")
    func inPlaceAfterCheckpoint() throws {
        let file = try StoreFile(folder.file)
        let stopped = try StoppedThread(file.path, .process)
        let thread = stopped.thread
        var batch = StoreBatch(ticket: 0)
        func next(bytes: Int) {
            batch.ticket += 1
            batch.changes = [
                .record(
                    .profiles, id: [UInt8(batch.ticket)], version: 1, replacing: 0,
                    bytes: [UInt8](repeating: 0, count: bytes))
            ]
        }
        next(bytes: 5 << 20)
        stopped.save(batch)
        #expect(thread.journalBytes == 0)
        next(bytes: 1)
        var before = fb_disk_syncs_here()
        #expect(thread.saveInPlace(batch) == nil)
        #expect(fb_disk_syncs_here() == before)
        stopped.save(batch)
        #expect(fb_disk_syncs_here() > before)
        before = fb_disk_syncs_here()
        next(bytes: 1)
        #expect(thread.saveInPlace(batch) != nil)
        #expect(fb_disk_syncs_here() == before)
        file.close()
    }

    @Test("saved in place: one that fails in place is saved by the thread, once, when that can be")
    func inPlaceFailure() throws {
        let store = try folder.open(vfs: String(cString: fb_disk_name()))
        store.inPlace = InPlaceRule(.process) { 0 }
        var met = 0
        for round in 0..<50 as Range<UInt64> {
            _ = try work(store, batches: 4)
            fb_disk_fail_at(1)
            try store.profiles.store([UInt8(round)], id: "p", expecting: round)
            store.seal()
            store.waitUntilIdle()
            met += Int(fb_disk_met())
            while store.fault != nil {
                fb_disk_reset()
                store.seal()
                store.waitUntilIdle()
            }
        }
        #expect(met == 50)
        store.close()
        #expect(try folder.shell("SELECT version FROM profiles") == "50")
        #expect(try folder.shell("SELECT count(*) FROM events") == "200")
    }
}
