import CLinux
import Foundation
import Testing

@testable import BridgeStore

/// A folder for the files of one test.
final class StoreFolder {
    let path: String
    var file: String { path + "/store.db" }

    init() {
        var template = Array("/tmp/fbstore-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func open(
        _ durability: Durability = .process, eventsMax: Int = 100_000, bytesMax: Int = 256 << 20,
        tailBytesMax: Int = 4 << 20, vfs: String? = nil
    ) throws -> SQLiteStore {
        var limits = StoreLimits()
        limits.events = EventStoreLimits(eventsMax: eventsMax, bytesMax: bytesMax)
        limits.tailBytesMax = tailBytesMax
        return try SQLiteStore(path: file, durability: durability, limits: limits, vfs: vfs)
    }

    var contents: Data { FileManager.default.contents(atPath: file) ?? Data() }

    /// Asks the shell about what a kill would leave now: a copy of the files.
    func peek(_ sql: String) throws -> String {
        let copy = StoreFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file + suffix, toPath: copy.file + suffix)
        }
        return try copy.shell(sql)
    }

    /// Asks the `sqlite3` shell, which shares no code with the store.
    func shell(_ commands: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-batch", file] + commands
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension Store {
    @discardableResult
    func append(
        _ text: String, tag: EventTag = EventTag(kind: 0), to log: EventLogID,
        expecting: UInt64? = nil
    ) throws -> UInt64 {
        var copy = text
        return try copy.withUTF8 {
            try events.append(
                UnsafeRawBufferPointer($0), tag: tag, to: log, expecting: expecting)
        }
    }

    /// Seals, and waits until it is saved.
    func save() throws {
        seal()
        waitUntilIdle()
        if let fault { throw fault }
    }

    /// Reads on from a sequence, fetched or at hand, as a reader of a broker does.
    func contents(
        of log: EventLogID, from sequence: UInt64 = 1, filter: EventFilter = .all,
        eventsMax: Int = 7, bytesMax: Int = 1 << 20
    ) throws -> [String] {
        var found: [String] = []
        var next = max(sequence, events.bounds(of: log).oldestSequence)
        let take = { (event: StoredEvent) -> EventReadStep in
            found.append(String(decoding: event.bytes, as: UTF8.self))
            return .more
        }
        while next < events.residentSequence(of: log) {
            let page = try page(
                EventPageRequest(
                    log: log, sequence: next, filter: filter, eventsMax: eventsMax,
                    bytesMax: bytesMax))
            #expect(page.next > next)
            next = page.read(take)
        }
        events.read(log, from: next, filter: filter, take)
        return found
    }

    func page(_ request: EventPageRequest) throws -> EventPage {
        var result: Result<EventPage, StoreFault>?
        events.load(request) { result = $0 }
        while result == nil {
            var signal = pollfd(
                fd: newsDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
            try #require(poll(&signal, 1, 20_000) == 1, "no page came")
            takeProgress()
        }
        return try #require(result).get()
    }
}

/// The kinds of stores that promise the same.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite
    /// Keeps hardly anything in memory, so that most events are read from the file.
    case sqliteWithoutTail

    var testDescription: String { rawValue }

    func make(_ folder: StoreFolder, eventsMax: Int = 100_000, bytesMax: Int = 256 << 20) throws
        -> any Store
    {
        switch self {
        case .memory:
            MemoryStore(limits: EventStoreLimits(eventsMax: eventsMax, bytesMax: bytesMax))
        case .sqlite: try folder.open(eventsMax: eventsMax, bytesMax: bytesMax)
        case .sqliteWithoutTail:
            try folder.open(eventsMax: eventsMax, bytesMax: bytesMax, tailBytesMax: 0)
        }
    }
}
