/// The log of one device: its pieces, oldest first.
struct EventLog {
    /// The pieces, after those that were taken off and stand at the front until they are as many:
    /// so taking one off costs the same however many there are.
    private var chunks: [EventChunk] = []
    /// The place of the oldest piece.
    private var first = 0
    private(set) var nextSequence: UInt64 = 1

    /// Makes a log without pieces; its next event gets that sequence.
    init(nextSequence: UInt64 = 1) {
        self.nextSequence = nextSequence
    }

    var oldest: EventChunk? { first < chunks.count ? chunks[first] : nil }

    var oldestSequence: UInt64 { oldest?.firstSequence ?? nextSequence }

    func hasRoom(forEventOf length: Int, eventsMax: Int) -> Bool {
        guard let last = chunks.last else { return false }
        return last.count < eventsMax && last.hasRoom(forEventOf: length)
    }

    /// How large the next piece is to be.
    func nextCapacity(max limit: Int) -> Int {
        guard let last = chunks.last else {
            return min(limit, EventStoreLimits.firstChunkBytes)
        }
        return min(limit, last.capacity * EventStoreLimits.chunkGrowth)
    }

    mutating func add(_ chunk: EventChunk) {
        chunks.append(chunk)
    }

    /// Appends to the last piece, which has room. Returns where the bytes are now.
    @discardableResult
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, tag: EventTag, ticket: UInt64 = 0
    ) -> UnsafeRawPointer {
        nextSequence += 1
        return chunks[chunks.count - 1].append(bytes, tag: tag, ticket: ticket)
    }

    /// Takes the oldest piece off; the caller frees it.
    mutating func removeFirst() -> EventChunk {
        let removed = chunks[first]
        first += 1
        if first >= chunks.count - first {
            chunks.removeSubrange(..<first)
            first = 0
        }
        return removed
    }

    /// Where the event of that sequence lies, or the oldest one when it was trimmed; nil: it is
    /// still to come.
    func place(of sequence: UInt64) -> (chunk: Int, event: Int)? {
        guard sequence < nextSequence, let oldest else { return nil }
        if sequence <= oldest.firstSequence { return (first, 0) }
        var low = first
        var high = chunks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if chunks[middle].firstSequence <= sequence { low = middle } else { high = middle }
        }
        return (low, Int(sequence - chunks[low].firstSequence))
    }

    /// Reads on from a sequence, as `EventStore.read` says.
    func read(
        from sequence: UInt64, filter: EventFilter, _ body: (StoredEvent) -> EventReadStep
    ) -> UInt64 {
        guard var place = place(of: sequence) else { return max(sequence, nextSequence) }
        while place.chunk < chunks.count {
            let chunk = chunks[place.chunk]
            while place.event < chunk.count {
                let event = chunk.event(place.event)
                place.event += 1
                guard filter.passes(event.tag) else { continue }
                switch body(event) {
                case .more: continue
                case .stop: return event.sequence + 1
                case .stopBefore: return event.sequence
                }
            }
            place = (place.chunk + 1, 0)
        }
        return nextSequence
    }

    func free() {
        for chunk in chunks[first...] { chunk.free() }
    }
}
