/// Profiles in memory.
///
/// Durability: memory. Isolation: one thread.
public final class MemoryProfileStore<Record: Sendable>: ProfileStore {
    /// By the bytes of their ids: two spellings of one text are two records.
    private var records: [[UInt8]: VersionedRecord<Record>] = [:]

    /// Makes an empty store.
    public init() {}

    /// Records stored.
    public var count: Int { records.count }

    /// The record of that id, compared byte by byte; nil: there is none.
    public func load(_ id: String) -> VersionedRecord<Record>? {
        records[Array(id.utf8)]
    }

    /// Stores a record if its version is still the expected one.
    ///
    /// - Throws: `versionConflict`; then nothing was stored.
    @discardableResult
    public func store(
        _ record: Record, id: String, expecting version: UInt64
    ) throws(ProfileStoreError) -> UInt64 {
        let key = Array(id.utf8)
        let stored = records[key]?.version ?? 0
        guard stored == version else {
            throw .versionConflict(expected: version, stored: stored)
        }
        records[key] = VersionedRecord(version: version + 1, record: record)
        return version + 1
    }

    /// Gives every record.
    public func readAll(_ body: (String, VersionedRecord<Record>) -> Void) throws(StoreFault) {
        for (id, record) in records { body(String(decoding: id, as: UTF8.self), record) }
    }

    /// The version under which a record of that id is stored; 0: there is none.
    public func version(of id: String) -> UInt64 { load(id)?.version ?? 0 }

    /// Removes a record if its version is still the expected one.
    ///
    /// - Throws: `versionConflict`; then nothing was removed.
    public func remove(id: String, expecting version: UInt64) throws(ProfileStoreError) {
        let key = Array(id.utf8)
        let stored = records[key]?.version ?? 0
        guard stored == version else {
            throw .versionConflict(expected: version, stored: stored)
        }
        records[key] = nil
    }
}
