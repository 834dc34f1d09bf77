/// Writes batches into the file.
///
/// Isolation: the store's thread.
final class StoreWriter {
    private let database: Database
    private let durability: Durability
    /// Whether a transaction comes to the disk before it ends.
    private var isSyncing: Bool
    private let begin: Statement
    private let commit: Statement
    private let insertLog: Statement
    private let insertEvent: Statement
    private let insertPiece: Statement
    private let closePiece: Statement
    private let records: [RecordTable: RecordStatements]
    private let insertBackendEvent: Statement
    private let trimBackendEvents: Statement
    private let trimEvents: Statement
    private let trimPiece: Statement
    private let trimLog: Statement

    private struct RecordStatements {
        let insert: Statement
        let update: Statement
        let remove: Statement
    }

    init(_ database: Database, _ durability: Durability) throws(StoreFault) {
        self.database = database
        self.durability = durability
        isSyncing = durability == .power
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
        insertLog = try database.prepare(
            "INSERT INTO logs(number, name, trimmed) VALUES (?1, ?2, 0)")
        insertEvent = try database.prepare(
            "INSERT INTO events(place, kind, view, event) VALUES (?1, ?2, ?3, ?4)")
        insertPiece = try database.prepare(
            "INSERT INTO pieces(number, log, first, bytes) VALUES (?1, ?2, ?3, -1)")
        closePiece = try database.prepare("UPDATE pieces SET bytes = ?2 WHERE number = ?1")
        var records: [RecordTable: RecordStatements] = [:]
        for table in RecordTable.allCases {
            records[table] = RecordStatements(
                insert: try database.prepare(
                    "INSERT INTO \(table.rawValue)(id, version, record) VALUES (?1, ?2, ?3)"),
                update: try database.prepare(
                    "UPDATE \(table.rawValue) SET version = ?2, record = ?3 "
                        + "WHERE id = ?1 AND version = ?4"),
                remove: try database.prepare(
                    "DELETE FROM \(table.rawValue) WHERE id = ?1 AND version = ?2"))
        }
        self.records = records
        insertBackendEvent = try database.prepare(
            "INSERT INTO backend_events(number, record) VALUES (?1, ?2)")
        trimBackendEvents = try database.prepare("DELETE FROM backend_events WHERE number < ?1")
        trimEvents = try database.prepare("DELETE FROM events WHERE place >= ?1 AND place < ?2")
        trimPiece = try database.prepare("DELETE FROM pieces WHERE number = ?1")
        trimLog = try database.prepare(
            "UPDATE logs SET trimmed = ?2 WHERE number = ?1 AND trimmed < ?2")
    }

    /// Saves batches in one transaction: all of them or none. With `power` it is on the disk then.
    func save(_ batches: [StoreBatch]) throws(StoreFault) {
        try sync(durability == .power)
        try inTransaction { () throws(StoreFault) in
            for batch in batches {
                for change in batch.changes { try apply(change) }
            }
        }
    }

    /// Removes pieces that are over the limits. Nobody waits for that: it comes to the disk with the
    /// next batch.
    func trim(_ trims: [PieceTrim]) throws(StoreFault) {
        try sync(false)
        try inTransaction { () throws(StoreFault) in
            for trim in trims { try apply(trim) }
        }
    }

    private func sync(_ isWanted: Bool) throws(StoreFault) {
        guard isWanted != isSyncing else { return }
        try database.syncCommits(isWanted)
        isSyncing = isWanted
    }

    private func inTransaction(_ work: () throws(StoreFault) -> Void) throws(StoreFault) {
        try begin.run()
        do throws(StoreFault) {
            try work()
            try commit.run()
        } catch {
            database.rollBack()
            throw error
        }
    }

    private func apply(_ change: StoreChange) throws(StoreFault) {
        switch change {
        case .event(let event):
            insertEvent.bind(1, event.place)
            insertEvent.bind(2, Int64(event.tag.kind))
            insertEvent.bind(3, Int64(bitPattern: event.tag.view))
            insertEvent.bind(4, event.bytes)
            try insertEvent.run()
        case .record(let table, let id, let version, let replacing, let bytes):
            try put(table, id, version, replacing, bytes)
        case .removal(let table, let id, let replacing):
            try remove(table, id, replacing)
        case .log(let number, let name):
            insertLog.bind(1, Int64(number))
            try name.withUnsafeBufferPointer { text throws(StoreFault) in
                insertLog.bind(2, text: text)
                try insertLog.run()
            }
        case .piece(let number, let log, let first):
            insertPiece.bind(1, Int64(number))
            insertPiece.bind(2, Int64(log))
            insertPiece.bind(3, Int64(first))
            try insertPiece.run()
        case .closedPiece(let number, let bytes):
            closePiece.bind(1, Int64(number))
            closePiece.bind(2, Int64(bytes))
            try closePiece.run()
        case .backendEvent(let number, let oldest, let bytes):
            try put(number, oldest, bytes)
        }
    }

    private func put(_ number: UInt64, _ oldest: UInt64, _ bytes: [UInt8]) throws(StoreFault) {
        try bytes.withUnsafeBufferPointer { bytes throws(StoreFault) in
            insertBackendEvent.bind(1, Int64(number))
            insertBackendEvent.bind(2, UnsafeRawBufferPointer(bytes))
            try insertBackendEvent.run()
        }
        guard oldest > 1 else { return }
        trimBackendEvents.bind(1, Int64(oldest))
        try trimBackendEvents.run()
    }

    private func put(
        _ table: RecordTable, _ id: [UInt8], _ version: UInt64, _ replacing: UInt64,
        _ bytes: [UInt8]
    ) throws(StoreFault) {
        guard let statements = records[table] else { return }
        let statement = replacing == 0 ? statements.insert : statements.update
        try id.withUnsafeBufferPointer { id throws(StoreFault) in
            try bytes.withUnsafeBufferPointer { bytes throws(StoreFault) in
                statement.bind(1, text: id)
                statement.bind(2, Int64(version))
                statement.bind(3, UnsafeRawBufferPointer(bytes))
                if replacing != 0 { statement.bind(4, Int64(replacing)) }
                try statement.run()
            }
        }
        try expectOneChange(table, id)
    }

    private func remove(
        _ table: RecordTable, _ id: [UInt8], _ replacing: UInt64
    ) throws(StoreFault) {
        guard replacing != 0, let statement = records[table]?.remove else { return }
        try id.withUnsafeBufferPointer { id throws(StoreFault) in
            statement.bind(1, text: id)
            statement.bind(2, Int64(replacing))
            try statement.run()
        }
        try expectOneChange(table, id)
    }

    /// The broker alone writes, so a version that is not the expected one is damage.
    private func expectOneChange(_ table: RecordTable, _ id: [UInt8]) throws(StoreFault) {
        guard database.changes == 1 else {
            throw StoreFault(
                .corrupt,
                "the store \(database.path): \(table.rawValue) \"\(String(decoding: id, as: UTF8.self))\" "
                    + "is not there under the expected version; another program changed the file")
        }
    }

    private func apply(_ trim: PieceTrim) throws(StoreFault) {
        trimEvents.bind(1, EventPlace.key(trim.log, trim.sequences.lowerBound))
        trimEvents.bind(2, EventPlace.key(trim.log, trim.sequences.upperBound))
        try trimEvents.run()
        trimPiece.bind(1, Int64(trim.number))
        try trimPiece.run()
        trimLog.bind(1, Int64(trim.log))
        trimLog.bind(2, Int64(trim.sequences.upperBound) - 1)
        try trimLog.run()
    }
}
