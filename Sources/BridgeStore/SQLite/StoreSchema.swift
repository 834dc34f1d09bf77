/// The tables of a store file, and how older ones become the present ones.
///
/// A file says in `flowbridge_store.version` which schema it has. All steps of `migrations` that it
/// lacks run in one transaction with the change of that number, so that a process that is killed on
/// the way leaves a file of the old version or of the new one.
enum StoreSchema {
    /// "FlwB", in the header of each store file.
    static let applicationID: Int64 = 0x466c_7742

    /// The version that this program writes.
    static var version: Int { migrations.count }

    /// `migrations[n]` leads from version n to n + 1; the first makes an empty file a store. What
    /// was released is never changed.
    static let migrations: [String] = [
        """
        CREATE TABLE flowbridge_store(version INTEGER NOT NULL);
        INSERT INTO flowbridge_store VALUES (0);
        -- One log of events a device; trimmed is the last sequence that is gone.
        CREATE TABLE logs(
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, trimmed INTEGER NOT NULL);
        -- place is number * 2^40 + sequence; event is a message flowbridge.v1.Event.
        CREATE TABLE events(
            place INTEGER PRIMARY KEY, kind INTEGER NOT NULL, view INTEGER NOT NULL,
            event BLOB NOT NULL);
        -- The order in which logs grew, by which they are trimmed; bytes is -1 while it grows.
        CREATE TABLE pieces(
            number INTEGER PRIMARY KEY, log INTEGER NOT NULL, first INTEGER NOT NULL,
            bytes INTEGER NOT NULL);
        CREATE TABLE profiles(
            id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, record BLOB NOT NULL);
        CREATE TABLE devices(
            id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, record BLOB NOT NULL);
        CREATE TABLE caches(
            id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, record BLOB NOT NULL);
        -- For people.
        CREATE VIEW recorded_events AS
            SELECT logs.name AS device, events.place & \(EventPlace.sequenceMask) AS sequence,
                events.kind, events.view, events.event
            FROM events JOIN logs ON logs.number = events.place >> \(EventPlace.sequenceBits);
        """,
        """
        -- The fallback files in force, whole; a device names its file by the id.
        CREATE TABLE fallback_files(
            id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, record BLOB NOT NULL);
        -- The last backend events, as JSON.
        CREATE TABLE backend_events(number INTEGER PRIMARY KEY, record BLOB NOT NULL);
        """,
    ]

    /// Brings a file to the present version.
    ///
    /// - Throws: `foreign` for a database without the version table, `tooNew` naming both versions.
    static func prepare(_ database: Database) throws(StoreFault) {
        let found = try foundVersion(database)
        guard found <= version else {
            throw StoreFault(
                .tooNew,
                "the store \(database.path) has version \(found), this program knows versions up to "
                    + "\(version); \(StoreFault.Kind.tooNew.advice)")
        }
        if found < version { try migrate(database, from: found) }
    }

    private static func foundVersion(_ database: Database) throws(StoreFault) -> Int {
        let tables = try database.number("SELECT count(*) FROM sqlite_schema") ?? 0
        if tables == 0 { return 0 }
        let isOurs = try database.number(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'flowbridge_store'")
        guard isOurs == 1, let found = try database.number("SELECT version FROM flowbridge_store")
        else {
            throw StoreFault(
                .foreign,
                "the store \(database.path) has tables of another program; "
                    + StoreFault.Kind.foreign.advice)
        }
        return Int(found)
    }

    private static func migrate(_ database: Database, from found: Int) throws(StoreFault) {
        try database.run("BEGIN IMMEDIATE")
        do {
            for step in migrations[found...] { try database.run(step) }
            try database.run("UPDATE flowbridge_store SET version = \(version)")
            try database.run("PRAGMA application_id = \(applicationID)")
            try database.run("COMMIT")
        } catch {
            database.rollBack()
            throw error
        }
    }
}

/// Where an event lies in the table `events`: the log's number and the sequence in one key, so that
/// a log is one range and an append goes to its end.
enum EventPlace {
    static let sequenceBits: Int64 = 40
    static let sequenceMask: Int64 = (1 << sequenceBits) - 1

    static func key(_ log: UInt32, _ sequence: UInt64) -> Int64 {
        Int64(log) << sequenceBits | (Int64(clamping: sequence) & sequenceMask)
    }

    static func sequence(_ key: Int64) -> UInt64 { UInt64(key & sequenceMask) }

    static func log(_ key: Int64) -> UInt32 { UInt32(truncatingIfNeeded: key >> sequenceBits) }
}
