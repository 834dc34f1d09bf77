/// Event logs in a file, with the recent events in memory.
///
/// An append copies the bytes into memory and notes them for the open batch. Reads of recent events
/// are those of the memory store; older ones are fetched by the store's thread.
///
/// Durability: with the batch. Isolation: one thread.
final class SQLiteEventStore: EventStore {
    private struct Log {
        /// The piece that takes the next event, if it is still there; 0: none.
        var piece: UInt64 = 0
        var oldestSequence: UInt64
    }

    private let batch: OpenBatch
    private let queue: StoreQueue
    private var logs: [Log] = []
    /// By the bytes of their names: two spellings of one text are two logs.
    private var numbers: [[UInt8]: UInt32] = [:]
    private var recent: RecentEvents
    private var retention: EventRetention
    private var readers: [UInt64: (Result<EventPage, StoreFault>) -> Void] = [:]
    private var readsMade: UInt64 = 0
    /// Until the thread of the store has the file.
    private var reader: StoreReader?
    /// Starts the store's thread, if it has not started; gives why it cannot.
    var startThread: () -> StoreFault? = { nil }

    init(
        limits: EventStoreLimits, tailBytesMax: Int, batch: OpenBatch, queue: StoreQueue,
        reader: StoreReader
    ) throws(StoreFault) {
        self.batch = batch
        self.queue = queue
        recent = RecentEvents(tailBytesMax: tailBytesMax, limits: limits)
        retention = EventRetention(limits: limits)
        self.reader = reader
        try restore(reader)
    }

    /// The thread has the file from now on.
    func letGo() { reader = nil }

    deinit {
        recent.free()
    }

    var usage: EventStoreUsage { retention.usage }

    func log(named name: String) -> EventLogID {
        let key = Array(name.utf8)
        if let number = numbers[key] { return EventLogID(number: number) }
        let number = addLog(key, nextSequence: 1)
        batch.add(.log(number: number, name: key))
        return EventLogID(number: number)
    }

    private func addLog(_ name: [UInt8], nextSequence: UInt64) -> UInt32 {
        let number = UInt32(logs.count)
        numbers[name] = number
        logs.append(Log(oldestSequence: nextSequence))
        recent.addLog(nextSequence: nextSequence)
        return number
    }

    @discardableResult
    func append(
        _ bytes: UnsafeRawBufferPointer, tag: EventTag, to log: EventLogID, expecting: UInt64?
    ) throws(EventStoreError) -> UInt64 {
        let sequence = recent.nextSequence(log.number)
        if let expecting, expecting != sequence {
            throw .unexpectedSequence(expected: expecting, next: sequence)
        }
        guard bytes.count + EventRetention.rowBytes <= retention.limits.bytesMax else {
            throw .tooLarge(bytes: bytes.count, limit: retention.limits.bytesMax)
        }
        while let trim = retention.trimForOneMore(length: bytes.count) { take(trim) }
        let piece = piece(of: log.number, for: bytes.count, sequence: sequence)
        retention.add(to: piece, length: bytes.count)
        let kept = recent.append(bytes, tag: tag, to: log.number, ticket: batch.ticket)
        batch.add(
            UnsavedEvent(place: EventPlace.key(log.number, sequence), tag: tag, bytes: kept))
        return sequence
    }

    private func take(_ trim: PieceTrim) {
        batch.add(trim)
        let log = Int(trim.log)
        logs[log].oldestSequence = max(logs[log].oldestSequence, trim.sequences.upperBound)
    }

    private func piece(of log: UInt32, for length: Int, sequence: UInt64) -> UInt64 {
        let former = logs[Int(log)].piece
        if retention.hasRoom(in: former, for: length) { return former }
        close(former)
        let piece = retention.begin(log: log, first: sequence)
        logs[Int(log)].piece = piece
        batch.add(.piece(number: piece, log: log, first: sequence))
        return piece
    }

    private func close(_ piece: UInt64) {
        let bytes = retention.bytes(of: piece)
        if bytes > 0 { batch.add(.closedPiece(number: piece, bytes: bytes)) }
    }

    /// Notes the sizes of all growing pieces, so that the next start need not count them.
    func closePieces() {
        for index in logs.indices {
            close(logs[index].piece)
            logs[index].piece = 0
        }
    }

    // MARK: Reading

    @discardableResult
    func read(
        _ log: EventLogID, from sequence: UInt64, filter: EventFilter,
        _ body: (StoredEvent) -> EventReadStep
    ) -> UInt64 {
        let oldest = logs[Int(log.number)].oldestSequence
        return recent.read(log.number, from: max(sequence, oldest), filter: filter, body)
    }

    func lastEvent(of log: EventLogID) throws(StoreFault) -> [UInt8]? {
        guard let reader else { throw SQLiteProfileStore.readLate }
        return try reader.event(log.number, bounds(of: log).nextSequence - 1)
    }

    func bounds(of log: EventLogID) -> EventLogBounds {
        EventLogBounds(
            oldestSequence: logs[Int(log.number)].oldestSequence,
            nextSequence: recent.nextSequence(log.number))
    }

    func residentSequence(of log: EventLogID) -> UInt64 {
        max(recent.residentSequence(log.number), logs[Int(log.number)].oldestSequence)
    }

    func load(
        _ request: EventPageRequest, _ body: @escaping (Result<EventPage, StoreFault>) -> Void
    ) {
        if let fault = startThread() { return body(.failure(fault)) }
        var request = request
        let log = Int(request.log.number)
        request.sequence = max(request.sequence, logs[log].oldestSequence)
        readsMade += 1
        readers[readsMade] = body
        queue.add(
            StoreQueue.PageJob(
                token: readsMade, request: request, end: residentSequence(of: request.log)))
    }

    /// Whether pages are on their way.
    var isReading: Bool { !readers.isEmpty }

    func deliver(_ pages: [(token: UInt64, page: Result<EventPage, StoreFault>)]) {
        for (token, page) in pages { readers.removeValue(forKey: token)?(page) }
    }

    /// Lets go of what is saved and more than the tail has room for.
    func drop(savedTicket: UInt64) { recent.drop(savedTicket: savedTicket) }

    // MARK: The start

    private func restore(_ reader: StoreReader) throws(StoreFault) {
        for row in try reader.logs() {
            // Numbers are given from 0 without gaps, and no log is ever removed.
            guard row.number == UInt32(logs.count) else {
                throw StoreFault(
                    .corrupt,
                    "a log of the store is missing: number \(logs.count) of the table logs")
            }
            _ = addLog(Array(row.name.utf8), nextSequence: row.nextSequence)
        }
        let pieces = try reader.pieces()
        var ends = logs.indices.map { recent.nextSequence(UInt32($0)) }
        var rows: [(piece: StoreReader.PieceRow, end: UInt64)] = []
        for piece in pieces.reversed() where Int(piece.log) < ends.count {
            rows.append((piece, ends[Int(piece.log)]))
            ends[Int(piece.log)] = min(piece.first, ends[Int(piece.log)])
        }
        for (piece, end) in rows.reversed() { try restore(piece, end: end, reader) }
        for log in logs.indices { logs[log].oldestSequence = ends[log] }
    }

    private func restore(
        _ piece: StoreReader.PieceRow, end: UInt64, _ reader: StoreReader
    ) throws(StoreFault) {
        let bytes: Int
        if let known = piece.bytes {
            bytes = known
        } else {
            bytes = try reader.bytes(ofLog: piece.log, from: piece.first)
            batch.add(.closedPiece(number: piece.number, bytes: bytes))
        }
        let events = end > piece.first ? end - piece.first : 0
        retention.restore(
            number: piece.number, log: piece.log, first: piece.first, events: events, bytes: bytes)
    }
}
