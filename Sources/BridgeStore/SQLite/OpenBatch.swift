/// The batch that is open: what the stores of one file have changed since the last seal.
final class OpenBatch {
    private(set) var changes: [StoreChange] = []
    private(set) var trims: [PieceTrim] = []
    private(set) var bytes = 0
    /// Where in `changes` the record of a key is, so that it is written once a batch.
    private var places: [RecordKey: Int] = [:]
    private(set) var ticket: UInt64 = 1

    private struct RecordKey: Hashable {
        let table: RecordTable
        let id: [UInt8]
    }

    var isEmpty: Bool { changes.isEmpty && trims.isEmpty }

    func add(_ change: StoreChange) { changes.append(change) }

    func add(_ event: UnsavedEvent) {
        changes.append(.event(event))
        bytes += event.bytes.count + EventRetention.rowBytes
    }

    func add(backendEvent record: [UInt8], number: UInt64, oldest: UInt64) {
        changes.append(.backendEvent(number: number, oldest: oldest, bytes: record))
        bytes += record.count
    }

    func add(_ trim: PieceTrim) { trims.append(trim) }

    /// Writes a record; what the open batch wrote for the same id before is replaced.
    func put(
        _ table: RecordTable, id: [UInt8], version: UInt64, replacing: UInt64, bytes: [UInt8]
    ) {
        let key = RecordKey(table: table, id: id)
        let place = places[key]
        let inFile = place.flatMap { replacedVersion(changes[$0]) } ?? replacing
        let change = StoreChange.record(
            table, id: id, version: version, replacing: inFile, bytes: bytes)
        // Fallback files have a limit of their own, and their bytes are in memory anyway.
        if table != .fallbackFiles { self.bytes += bytes.count }
        set(change, at: place, key)
    }

    func remove(_ table: RecordTable, id: [UInt8], replacing: UInt64) {
        let key = RecordKey(table: table, id: id)
        let place = places[key]
        let inFile = place.flatMap { replacedVersion(changes[$0]) } ?? replacing
        set(.removal(table, id: id, replacing: inFile), at: place, key)
    }

    private func set(_ change: StoreChange, at place: Int?, _ key: RecordKey) {
        if let place {
            changes[place] = change
        } else {
            places[key] = changes.count
            changes.append(change)
        }
    }

    private func replacedVersion(_ change: StoreChange) -> UInt64? {
        switch change {
        case .record(_, _, _, let replacing, _), .removal(_, _, let replacing): replacing
        default: nil
        }
    }

    /// Ends the batch and begins the next.
    func take() -> StoreBatch {
        defer {
            changes = []
            trims = []
            bytes = 0
            ticket += 1
            places.removeAll(keepingCapacity: true)
        }
        return StoreBatch(ticket: ticket, changes: changes, trims: trims, bytes: bytes)
    }
}
