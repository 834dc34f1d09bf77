/// Event logs in memory.
///
/// An append copies the bytes into the log's last piece: no allocation until that is full. Reads
/// find their first event by a binary search over the pieces. Trimming drops the oldest piece of
/// the store, whichever log it belongs to.
///
/// Durability: memory. Isolation: one thread.
public final class MemoryEventStore: EventStore {
    /// What it was made with.
    public let limits: EventStoreLimits
    /// How much it holds; its bytes are those of all pieces, with their free room.
    public private(set) var usage = EventStoreUsage(events: 0, bytes: 0, trimmedEvents: 0)

    private var logs: [EventLog] = []
    /// By the bytes of their names: two spellings of one text are two logs.
    private var numbers: [[UInt8]: UInt32] = [:]
    /// The logs of all pieces, oldest piece first.
    private var order = ChunkOrder()

    /// Makes an empty store.
    public init(limits: EventStoreLimits = EventStoreLimits()) {
        self.limits = limits
    }

    deinit {
        for log in logs { log.free() }
    }

    /// The log of that name, compared byte by byte; made empty if there is none.
    public func log(named name: String) -> EventLogID {
        let key = Array(name.utf8)
        if let number = numbers[key] { return EventLogID(number: number) }
        let number = UInt32(logs.count)
        numbers[key] = number
        logs.append(EventLog())
        return EventLogID(number: number)
    }

    /// Appends an event; trims before that what would be over the limits then.
    ///
    /// - Throws: As `EventStore` says.
    @discardableResult
    public func append(
        _ bytes: UnsafeRawBufferPointer, tag: EventTag, to log: EventLogID, expecting: UInt64?
    ) throws(EventStoreError) -> UInt64 {
        let index = Int(log.number)
        let sequence = logs[index].nextSequence
        if let expecting, expecting != sequence {
            throw .unexpectedSequence(expected: expecting, next: sequence)
        }
        let size = EventChunk.bytes(forEventOf: bytes.count)
        guard size <= limits.bytesMax else {
            throw .tooLarge(bytes: bytes.count, limit: limits.bytesMax)
        }
        while usage.events >= UInt64(limits.eventsMax) { trimOldest() }
        if !logs[index].hasRoom(forEventOf: bytes.count, eventsMax: limits.chunkEventsMax) {
            addChunk(to: index, atLeast: size)
        }
        logs[index].append(bytes, tag: tag)
        usage.events += 1
        return sequence
    }

    /// Reads events in order; finds the first one by a binary search over the pieces.
    @discardableResult
    public func read(
        _ log: EventLogID, from sequence: UInt64, filter: EventFilter,
        _ body: (StoredEvent) -> EventReadStep
    ) -> UInt64 {
        logs[Int(log.number)].read(from: sequence, filter: filter, body)
    }

    /// What the log still holds.
    public func bounds(of log: EventLogID) -> EventLogBounds {
        let log = logs[Int(log.number)]
        return EventLogBounds(
            oldestSequence: log.oldestSequence, nextSequence: log.nextSequence)
    }

    /// Copies the last event.
    public func lastEvent(of log: EventLogID) -> [UInt8]? {
        var last: [UInt8]?
        read(
            log, from: bounds(of: log).nextSequence - 1, filter: EventFilter(kinds: nil, view: nil)
        ) { event in
            last = Array(event.bytes)
            return .stop
        }
        return last
    }

    /// All events are at hand.
    public func residentSequence(of log: EventLogID) -> UInt64 {
        logs[Int(log.number)].oldestSequence
    }

    /// Gives a page at once; `read` does it without a copy.
    public func load(
        _ request: EventPageRequest, _ body: @escaping (Result<EventPage, StoreFault>) -> Void
    ) {
        var page = EventPage(next: 0)
        page.next = read(request.log, from: request.sequence, filter: request.filter) { event in
            guard page.hasRoom(for: event, request) else { return .stopBefore }
            page.append(event)
            return .more
        }
        body(.success(page))
    }

    private func addChunk(to index: Int, atLeast size: Int) {
        let capacity = max(size, logs[index].nextCapacity(max: limits.chunkBytesMax))
        while usage.bytes + UInt64(capacity) > UInt64(limits.bytesMax) { trimOldest() }
        logs[index].add(EventChunk(capacity: capacity, firstSequence: logs[index].nextSequence))
        order.append(UInt32(index))
        usage.bytes += UInt64(capacity)
    }

    private func trimOldest() {
        guard let index = order.popFirst() else {
            preconditionFailure("the store counts events that no piece holds")
        }
        let chunk = logs[Int(index)].removeFirst()
        usage.events -= UInt64(chunk.count)
        usage.bytes -= UInt64(chunk.capacity)
        usage.trimmedEvents += UInt64(chunk.count)
        chunk.free()
    }
}
