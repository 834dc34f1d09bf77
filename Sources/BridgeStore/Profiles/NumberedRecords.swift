/// The last records of a sequence that is numbered without gaps; the oldest go.
///
/// Isolation: one thread.
public protocol NumberedRecords: AnyObject {
    /// Gives every record, the oldest first; meant for the start, before the first change.
    ///
    /// - Throws: a `StoreFault` when the records cannot be read.
    /// Blocking: until all are read.
    func readAll(_ body: (UInt64, [UInt8]) -> Void) throws(StoreFault)

    /// Appends a record; its number is one more than that of the last one.
    ///
    /// Bounds: `StoreLimits.backendEventsMax`; what is older goes with it.
    func append(_ record: [UInt8], number: UInt64)
}

/// Records of which nothing outlives the process, so that none is kept.
final class ForgottenRecords: NumberedRecords {
    func readAll(_ body: (UInt64, [UInt8]) -> Void) {}
    func append(_ record: [UInt8], number: UInt64) {}
}
