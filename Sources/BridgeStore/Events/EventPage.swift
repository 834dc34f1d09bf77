/// Which events a reader wants that are not at hand.
public struct EventPageRequest: Sendable {
    /// Of which log.
    public var log: EventLogID
    /// Where to begin.
    public var sequence: UInt64
    /// Which of them.
    public var filter: EventFilter
    /// Events at the most; at least 1.
    public var eventsMax: Int
    /// About how many bytes; at least one event comes.
    public var bytesMax: Int

    /// Makes a request.
    public init(
        log: EventLogID, sequence: UInt64, filter: EventFilter, eventsMax: Int, bytesMax: Int
    ) {
        self.log = log
        self.sequence = sequence
        self.filter = filter
        self.eventsMax = eventsMax
        self.bytesMax = bytesMax
    }
}

/// Events that were fetched.
public struct EventPage: Sendable {
    struct Row: Sendable {
        let sequence: UInt64
        let tag: EventTag
        let bytes: Range<Int>
    }

    var rows: [Row] = []
    var bytes: [UInt8] = []
    /// The sequence to go on from: behind the last event that was looked at.
    public internal(set) var next: UInt64

    init(next: UInt64) {
        self.next = next
    }

    /// Whether the event still fits; the first always does.
    func hasRoom(for event: StoredEvent, _ request: EventPageRequest) -> Bool {
        rows.isEmpty
            || rows.count < request.eventsMax && bytes.count + event.bytes.count <= request.bytesMax
    }

    mutating func append(_ event: StoredEvent) {
        let start = bytes.count
        bytes.append(contentsOf: event.bytes)
        rows.append(Row(sequence: event.sequence, tag: event.tag, bytes: start..<bytes.count))
    }

    /// Gives the events in order, until the closure says stop.
    ///
    /// - Returns: The sequence to go on from.
    public func read(_ body: (StoredEvent) -> EventReadStep) -> UInt64 {
        bytes.withUnsafeBytes { all in
            for row in rows {
                let event = StoredEvent(
                    sequence: row.sequence, tag: row.tag,
                    bytes: UnsafeRawBufferPointer(rebasing: all[row.bytes]))
                switch body(event) {
                case .more: continue
                case .stop: return row.sequence + 1
                case .stopBefore: return row.sequence
                }
            }
            return next
        }
    }
}
