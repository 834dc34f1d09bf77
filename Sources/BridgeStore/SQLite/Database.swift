import CSQLite

/// A connection to one database file.
///
/// Isolation: one thread at a time; it may be handed over.
final class Database {
    let path: String
    private let handle: OpaquePointer

    /// Opens a file that is there.
    ///
    /// - Parameter vfs: SQLite's name of the layer below it; nil: the system's files.
    init(path: String, vfs: String? = nil) throws(StoreFault) {
        self.path = path
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, vfs)
        guard let opened else {
            throw StoreFault(.system, "the store \(path): no memory to open it")
        }
        handle = opened
        guard code == SQLITE_OK else {
            let fault = Self.fault(code, of: opened, path)
            sqlite3_close(opened)
            throw fault
        }
        sqlite3_busy_timeout(handle, 2_000)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Whether the file can only be read.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

    /// Ends a transaction without a trace, if one is open.
    func rollBack() {
        // After some faults SQLite has done it already; then this one is refused.
        if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Rows that the last statement changed.
    var changes: Int32 { sqlite3_changes(handle) }

    /// Runs statements that give no rows that anybody wants.
    func run(_ sql: String) throws(StoreFault) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    /// Whether a commit waits until the disk has it. Without that it comes there with the next one
    /// that does, or when the write-ahead log is moved into the file.
    func syncCommits(_ isWanted: Bool) throws(StoreFault) {
        try run("PRAGMA synchronous = \(isWanted ? "FULL" : "NORMAL")")
    }

    /// Prepares one statement for use again and again.
    func prepare(_ sql: String) throws(StoreFault) -> Statement {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw fault(code) }
        return Statement(prepared, of: self)
    }

    /// The first number that a query gives; nil: it gives no row.
    func number(_ sql: String) throws(StoreFault) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return statement.number(0)
    }

    /// The first text that a query gives; nil: it gives no row.
    func text(_ sql: String) throws(StoreFault) -> String? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return statement.text(0)
    }

    /// Moves the write-ahead log into the file, as far as readers allow.
    ///
    /// - Returns: Pages that the log holds, and how many of them are moved.
    func checkpoint() throws(StoreFault) -> (pages: Int32, moved: Int32) {
        var (pages, moved): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(
            handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
        guard code == SQLITE_OK else { throw fault(code) }
        return (pages, moved)
    }

    /// Notes after each commit how many pages the write-ahead log holds.
    func countJournalPages(in counter: UnsafeMutablePointer<Int32>) {
        _ = sqlite3_wal_hook(
            handle,
            { counter, _, _, pages in
                counter?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, counter)
    }

    /// The fault of a result code.
    func fault(_ code: Int32) -> StoreFault {
        Self.fault(code, of: handle, path)
    }

    private static func fault(_ code: Int32, of handle: OpaquePointer, _ path: String)
        -> StoreFault
    {
        let kind = kind(of: code, of: handle)
        let reason = String(cString: sqlite3_errmsg(handle))
        let name = "SQLite \(code)"
        return StoreFault(kind, "the store \(path): \(reason) (\(name)); \(kind.advice)")
    }

    private static func kind(of code: Int32, of handle: OpaquePointer) -> StoreFault.Kind {
        switch code & 0xff {
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
        case SQLITE_CORRUPT: .corrupt
        case SQLITE_NOTADB: .foreign
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked
        case SQLITE_CANTOPEN, SQLITE_IOERR:
            StoreFault.Kind(systemError: sqlite3_system_errno(handle))
        default: .system
        }
    }
}
