/// Reads what a file holds: all that the start needs, and pages of events later.
///
/// Isolation: that of its database.
final class StoreReader {
    /// Rows that one page looks at, so that a filter that nothing passes holds no commit up.
    static let rowsMax = 4_096

    private let database: Database
    private let selectEvents: Statement

    init(_ database: Database) throws(StoreFault) {
        self.database = database
        selectEvents = try database.prepare(
            "SELECT place, kind, view, event FROM events WHERE place >= ?1 AND place < ?2 "
                + "ORDER BY place LIMIT \(Self.rowsMax)")
    }

    /// A log as the file has it.
    struct LogRow {
        let number: UInt32
        let name: String
        let nextSequence: UInt64
    }

    /// A piece as the file has it; the oldest first.
    struct PieceRow {
        let number: UInt64
        let log: UInt32
        let first: UInt64
        /// nil: it was growing when the broker ended.
        let bytes: Int?
    }

    func logs() throws(StoreFault) -> [LogRow] {
        let select = try database.prepare(
            """
            SELECT number, name, max(trimmed, coalesce((SELECT max(place) FROM events
                WHERE place >= number << \(EventPlace.sequenceBits)
                AND place < (number + 1) << \(EventPlace.sequenceBits))
                & \(EventPlace.sequenceMask), 0)) FROM logs ORDER BY number
            """)
        var rows: [LogRow] = []
        while try select.step() {
            rows.append(
                LogRow(
                    number: UInt32(truncatingIfNeeded: select.number(0)), name: select.text(1),
                    nextSequence: UInt64(select.number(2)) + 1))
        }
        return rows
    }

    func pieces() throws(StoreFault) -> [PieceRow] {
        let select = try database.prepare(
            "SELECT number, log, first, bytes FROM pieces ORDER BY number")
        var rows: [PieceRow] = []
        while try select.step() {
            let bytes = select.number(3)
            rows.append(
                PieceRow(
                    number: UInt64(select.number(0)),
                    log: UInt32(truncatingIfNeeded: select.number(1)),
                    first: UInt64(select.number(2)), bytes: bytes < 0 ? nil : Int(bytes)))
        }
        return rows
    }

    /// Bytes of the events of a log from a sequence on.
    func bytes(ofLog log: UInt32, from first: UInt64) throws(StoreFault) -> Int {
        let select = try database.prepare(
            "SELECT coalesce(sum(length(event) + \(EventRetention.rowBytes)), 0) FROM events "
                + "WHERE place >= ?1 AND place < ?2")
        select.bind(1, EventPlace.key(log, first))
        select.bind(2, EventPlace.key(log + 1, 0))
        guard try select.step() else { return 0 }
        return Int(select.number(0))
    }

    func records(
        _ table: RecordTable, _ body: (String, VersionedRecord<[UInt8]>) -> Void
    ) throws(StoreFault) {
        let select = try database.prepare("SELECT id, version, record FROM \(table.rawValue)")
        while try select.step() {
            body(
                select.text(0),
                VersionedRecord(version: UInt64(select.number(1)), record: Array(select.bytes(2))))
        }
    }

    /// The bytes of one event; nil: it is not in the file.
    func event(_ log: UInt32, _ sequence: UInt64) throws(StoreFault) -> [UInt8]? {
        selectEvents.bind(1, EventPlace.key(log, sequence))
        selectEvents.bind(2, EventPlace.key(log, sequence + 1))
        defer { selectEvents.reset() }
        return try selectEvents.step() ? Array(selectEvents.bytes(3)) : nil
    }

    func backendEvents(_ body: (UInt64, [UInt8]) -> Void) throws(StoreFault) {
        let select = try database.prepare(
            "SELECT number, record FROM backend_events ORDER BY number")
        while try select.step() { body(UInt64(select.number(0)), Array(select.bytes(1))) }
    }

    /// A page of events up to, but not with, the sequence `end`.
    func page(_ request: EventPageRequest, before end: UInt64) throws(StoreFault) -> EventPage {
        var page = EventPage(next: end)
        var rows = 0
        selectEvents.bind(1, EventPlace.key(request.log.number, request.sequence))
        selectEvents.bind(2, EventPlace.key(request.log.number, end))
        defer { selectEvents.reset() }
        while try selectEvents.step() {
            rows += 1
            let sequence = EventPlace.sequence(selectEvents.number(0))
            let tag = EventTag(
                kind: UInt8(truncatingIfNeeded: selectEvents.number(1) & 127),
                view: UInt64(bitPattern: selectEvents.number(2)))
            if request.filter.passes(tag) {
                let event = StoredEvent(sequence: sequence, tag: tag, bytes: selectEvents.bytes(3))
                guard page.hasRoom(for: event, request) else {
                    page.next = sequence
                    return page
                }
                page.append(event)
            }
            if rows == Self.rowsMax { page.next = sequence + 1 }
        }
        return page
    }
}
