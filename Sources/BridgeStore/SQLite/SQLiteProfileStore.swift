/// Records of one table. Their versions are in memory, the records themselves in the file alone.
///
/// Durability: with the batch. Isolation: one thread.
final class SQLiteProfileStore: ProfileStore {
    private let table: RecordTable
    private let batch: OpenBatch
    /// Until the thread of the store has the file.
    private var database: Database?
    /// By the bytes of their ids: two spellings of one text are two records.
    private var versions: [[UInt8]: UInt64] = [:]

    init(_ table: RecordTable, database: Database, batch: OpenBatch) throws(StoreFault) {
        self.table = table
        self.database = database
        self.batch = batch
        try readVersions(database)
    }

    /// The thread has the file from now on.
    func letGo() { database = nil }

    private func readVersions(_ database: Database) throws(StoreFault) {
        let select = try database.prepare("SELECT id, version FROM \(table.rawValue)")
        while try select.step() {
            versions[Array(select.bytes(0))] = UInt64(select.number(1))
        }
    }

    static let readLate = StoreFault(
        .system, "records are read before the first change is sealed")

    /// Reads the file; so only before the first seal.
    func readAll(_ body: (String, VersionedRecord<[UInt8]>) -> Void) throws(StoreFault) {
        guard let database else { throw Self.readLate }
        try StoreReader(database).records(table, body)
    }

    func version(of id: String) -> UInt64 { versions[Array(id.utf8)] ?? 0 }

    @discardableResult
    func store(
        _ record: [UInt8], id: String, expecting version: UInt64
    ) throws(ProfileStoreError) -> UInt64 {
        let key = Array(id.utf8)
        let stored = versions[key] ?? 0
        guard stored == version else {
            throw .versionConflict(expected: version, stored: stored)
        }
        versions[key] = version + 1
        batch.put(table, id: key, version: version + 1, replacing: version, bytes: record)
        return version + 1
    }

    func remove(id: String, expecting version: UInt64) throws(ProfileStoreError) {
        let key = Array(id.utf8)
        let stored = versions[key] ?? 0
        guard stored == version else {
            throw .versionConflict(expected: version, stored: stored)
        }
        guard stored != 0 else { return }
        versions[key] = nil
        batch.remove(table, id: key, replacing: version)
    }
}
