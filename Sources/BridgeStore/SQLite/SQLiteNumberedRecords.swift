/// Numbered records in the file alone.
///
/// Durability: with the batch. Isolation: one thread.
final class SQLiteNumberedRecords: NumberedRecords {
    private let batch: OpenBatch
    private let recordsMax: UInt64
    /// Until the thread of the store has the file.
    private var database: Database?

    init(recordsMax: Int, database: Database, batch: OpenBatch) {
        self.recordsMax = UInt64(max(1, recordsMax))
        self.database = database
        self.batch = batch
    }

    /// The thread has the file from now on.
    func letGo() { database = nil }

    func readAll(_ body: (UInt64, [UInt8]) -> Void) throws(StoreFault) {
        guard let database else { throw SQLiteProfileStore.readLate }
        try StoreReader(database).backendEvents(body)
    }

    func append(_ record: [UInt8], number: UInt64) {
        let oldest = number >= recordsMax ? number - recordsMax + 1 : 1
        batch.add(backendEvent: record, number: number, oldest: oldest)
    }
}
