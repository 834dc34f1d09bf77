import CPowerCut
import Foundation
import Testing

@testable import BridgeStore

extension DiskFaultTests {
    /// What a store is before it is opened.
    enum Beginning: String, CaseIterable {
        /// An empty file.
        case nothing
        /// What version 1 wrote; closed in order, with SQLite's other journal, and with its
        /// write-ahead log beside it as a killed broker leaves it.
        case closed, otherJournal, killed
    }

    /// What becomes of sectors that were not synced when a migration ends early.
    enum Ending: UInt32, CaseIterable {
        /// `kill -9`: the file system's cache survives.
        case kill = 100
        case cutThatKeepsHalf = 50
        case cutThatKeepsNothing = 0
    }

    @Test(
        "each migration ended before each write, by a kill or a cut: the store opens, with all in it",
        arguments: Beginning.allCases, Ending.allCases)
    func migrationEnded(beginning: Beginning, ending: Ending) throws {
        let before = try StoreFolder(beginning)
        var ends: UInt64 = 0
        var left: Set<Int> = []
        while try end(before, ending, beforeWrite: ends + 1, &left) { ends += 1 }
        #expect(ends >= 20, "\(ends) ends")
        // The version of before and the present one were left at some moment, no other.
        #expect(left == [beginning == .nothing ? 0 : 1, StoreSchema.version], "\(left)")
    }

    /// Opens a store and ends that before the n-th write; false: there were not as many.
    private func end(
        _ before: StoreFolder, _ ending: Ending, beforeWrite count: UInt64,
        _ left: inout Set<Int>
    ) throws -> Bool {
        let folder = try before.copy()
        fb_disk_reset()
        fb_disk_cut_at(count, count, ending.rawValue)
        let disk = String(cString: fb_disk_name())
        do {
            try folder.open(.power, vfs: disk).close()
        } catch {
            #expect(error is StoreFault)
        }
        let wasMet = fb_disk_met() != 0
        fb_disk_reset()
        left.insert(try folder.version())
        let store = try folder.open()
        if before.isEmpty {
            #expect(store.events.usage.events == 0)
        } else {
            try folder.checkVersionOne(store)
        }
        try store.fallbackFiles.store([1], id: "1", expecting: 0)
        store.backendEvents.append([1], number: 1)
        try store.save()
        store.close()
        #expect(
            try folder.shell("SELECT version FROM flowbridge_store; PRAGMA integrity_check")
                == "\(StoreSchema.version)\nok")
        return wasMet
    }
}

extension StoreFolder {
    fileprivate convenience init(_ beginning: DiskFaultTests.Beginning) throws {
        self.init()
        if beginning == .nothing { return }
        _ = try shell(".read \(Self.versionOneScript)")
        if beginning == .otherJournal { return }
        _ = try shell("PRAGMA journal_mode = WAL")
        if beginning == .closed { return }
        // The copy of a database that is open elsewhere is what a kill leaves.
        let copies = ["", "-wal"].map { "cp \(file)\($0) \(file)-copy\($0)" }
        let moves = ["", "-wal"].map { "mv \(file)-copy\($0) \(file)\($0)" }
        _ = try shell(
            "UPDATE flowbridge_store SET version = version",
            ".shell \(copies.joined(separator: " && "))")
        try FileManager.default.removeItem(atPath: file)
        _ = try shell(".shell \(moves.joined(separator: " && "))")
        #expect(FileManager.default.fileExists(atPath: file + "-wal"))
    }

    /// The files as they are: what a kill leaves.
    fileprivate func copy() throws -> StoreFolder {
        let copy = StoreFolder()
        for suffix in ["", "-wal", "-journal"]
        where FileManager.default.fileExists(atPath: file + suffix) {
            try FileManager.default.copyItem(atPath: file + suffix, toPath: copy.file + suffix)
        }
        return copy
    }

    fileprivate var isEmpty: Bool { !FileManager.default.fileExists(atPath: file) }

    /// The version in the file; 0: it has no tables yet.
    fileprivate func version() throws -> Int {
        Int(try copy().shell("SELECT version FROM flowbridge_store")) ?? 0
    }
}
