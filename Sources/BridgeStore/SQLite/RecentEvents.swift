/// The events that are in memory: all that are not saved yet, and before them as many as
/// `tailBytesMax` has room for.
struct RecentEvents {
    private var logs: [EventLog] = []
    /// The logs of all pieces, oldest piece first.
    private var order = ChunkOrder()
    /// Bytes of all pieces.
    private(set) var bytes = 0
    private let tailBytesMax: Int
    private let limits: EventStoreLimits

    init(tailBytesMax: Int, limits: EventStoreLimits) {
        self.tailBytesMax = tailBytesMax
        self.limits = limits
    }

    /// Adds a log whose next event gets that sequence; its number is the count of those before.
    mutating func addLog(nextSequence: UInt64) {
        logs.append(EventLog(nextSequence: nextSequence))
    }

    func nextSequence(_ log: UInt32) -> UInt64 { logs[Int(log)].nextSequence }

    /// The oldest event in memory; the next sequence when there is none.
    func residentSequence(_ log: UInt32) -> UInt64 { logs[Int(log)].oldestSequence }

    /// Appends an event; returns where its bytes stay until a ticket past `ticket` was saved.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, tag: EventTag, to log: UInt32, ticket: UInt64
    ) -> UnsafeRawBufferPointer {
        let index = Int(log)
        if !logs[index].hasRoom(forEventOf: bytes.count, eventsMax: limits.chunkEventsMax) {
            addChunk(to: index, atLeast: EventChunk.bytes(forEventOf: bytes.count))
        }
        let place = logs[index].append(bytes, tag: tag, ticket: ticket)
        return UnsafeRawBufferPointer(start: place, count: bytes.count)
    }

    private mutating func addChunk(to index: Int, atLeast size: Int) {
        let capacity = max(size, logs[index].nextCapacity(max: limits.chunkBytesMax))
        let first = logs[index].nextSequence
        logs[index].add(EventChunk(capacity: capacity, firstSequence: first))
        order.append(UInt32(index))
        bytes += capacity
    }

    /// Lets go of the oldest pieces while there are too many bytes and they are saved.
    mutating func drop(savedTicket: UInt64) {
        while bytes > tailBytesMax, let log = order.first {
            guard let chunk = logs[Int(log)].oldest, chunk.ticket <= savedTicket else {
                return
            }
            _ = order.popFirst()
            bytes -= chunk.capacity
            logs[Int(log)].removeFirst().free()
        }
    }

    func read(
        _ log: UInt32, from sequence: UInt64, filter: EventFilter,
        _ body: (StoredEvent) -> EventReadStep
    ) -> UInt64 {
        logs[Int(log)].read(from: sequence, filter: filter, body)
    }

    func free() {
        for log in logs { log.free() }
    }
}
