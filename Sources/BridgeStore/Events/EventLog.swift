/// The log of one device: its pieces, oldest first.
struct EventLog {
    private(set) var chunks: [EventChunk] = []
    private(set) var nextSequence: UInt64 = 1

    var oldestSequence: UInt64 { chunks.first?.firstSequence ?? nextSequence }

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

    /// Appends to the last piece, which has room.
    mutating func append(_ bytes: UnsafeRawBufferPointer, tag: EventTag) {
        chunks[chunks.count - 1].append(bytes, tag: tag)
        nextSequence += 1
    }

    /// Takes the oldest piece off; the caller frees it.
    mutating func removeFirst() -> EventChunk {
        chunks.removeFirst()
    }

    /// Where the event of that sequence lies, or the oldest one when it was trimmed; nil: it is
    /// still to come.
    func place(of sequence: UInt64) -> (chunk: Int, event: Int)? {
        guard sequence < nextSequence, let first = chunks.first else { return nil }
        if sequence <= first.firstSequence { return (0, 0) }
        var low = 0
        var high = chunks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if chunks[middle].firstSequence <= sequence { low = middle } else { high = middle }
        }
        return (low, Int(sequence - chunks[low].firstSequence))
    }

    func free() {
        for chunk in chunks { chunk.free() }
    }
}
