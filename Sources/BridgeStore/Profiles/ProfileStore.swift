/// A stored record and its version.
public struct VersionedRecord<Record: Sendable>: Sendable {
    /// From 1, by one per change.
    public let version: UInt64
    /// What was stored; the store does not look into it.
    public let record: Record

    /// Makes a record with its version.
    public init(version: UInt64, record: Record) {
        self.version = version
        self.record = record
    }
}

extension VersionedRecord: Equatable where Record: Equatable {}

/// Why a record was not stored.
public enum ProfileStoreError: Error, Sendable, Equatable {
    /// Somebody changed it first: load it and try again.
    case versionConflict(expected: UInt64, stored: UInt64)
}

/// Records by id, changed by compare-and-set only.
///
/// Isolation: one thread.
public protocol ProfileStore<Record>: AnyObject {
    /// What is stored: opaque to the store.
    associatedtype Record: Sendable

    /// Gives every record, in no order; meant for the start, before the first change.
    ///
    /// - Throws: a `StoreFault` when the records cannot be read.
    /// Blocking: until all are read.
    func readAll(_ body: (String, VersionedRecord<Record>) -> Void) throws(StoreFault)

    /// The version under which a record of that id is stored; 0: there is none.
    func version(of id: String) -> UInt64

    /// Stores a record if its version is still the expected one.
    ///
    /// - Parameter version: The version that is to be replaced; 0: there must be none yet.
    /// - Returns: The new version.
    /// - Throws: `versionConflict`; then nothing was stored.
    @discardableResult
    func store(
        _ record: Record, id: String, expecting version: UInt64
    ) throws(ProfileStoreError) -> UInt64

    /// Removes a record if its version is still the expected one; none with 0 is a success.
    ///
    /// - Throws: `versionConflict`; then nothing was removed.
    func remove(id: String, expecting version: UInt64) throws(ProfileStoreError)
}
