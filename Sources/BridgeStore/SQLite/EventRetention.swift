/// Which events the file keeps: pieces of logs in the order in which they began, the oldest of which
/// go when the store is over its limits.
struct EventRetention {
    /// What a row takes beside its event, about.
    static let rowBytes = 24

    private struct Piece {
        let log: UInt32
        let first: UInt64
        var events: UInt64 = 0
        var bytes = 0
    }

    let limits: EventStoreLimits
    private(set) var usage = EventStoreUsage(events: 0, bytes: 0, trimmedEvents: 0)
    private var pieces: [Piece] = []
    /// The place of the oldest piece in `pieces`.
    private var head = 0
    /// The number of the piece at `head`.
    private var headNumber: UInt64 = 1

    init(limits: EventStoreLimits) {
        self.limits = limits
    }

    /// The number that the next piece gets.
    var nextNumber: UInt64 { headNumber + UInt64(pieces.count - head) }

    /// Takes over a piece that the file has; the oldest first.
    mutating func restore(number: UInt64, log: UInt32, first: UInt64, events: UInt64, bytes: Int) {
        // A number that is missing was trimmed: an empty piece stands for it.
        if pieces.isEmpty { headNumber = number }
        while nextNumber < number { pieces.append(Piece(log: log, first: first)) }
        pieces.append(Piece(log: log, first: first, events: events, bytes: bytes))
        usage.events += events
        usage.bytes += UInt64(bytes)
    }

    /// Whether a piece is there and takes one more event of that length.
    func hasRoom(in number: UInt64, for length: Int) -> Bool {
        guard number >= headNumber, number < nextNumber else { return false }
        let piece = pieces[place(number)]
        return piece.events < UInt64(limits.chunkEventsMax)
            && piece.bytes + length + Self.rowBytes <= limits.chunkBytesMax
    }

    /// Begins a piece; returns its number.
    mutating func begin(log: UInt32, first: UInt64) -> UInt64 {
        pieces.append(Piece(log: log, first: first))
        return nextNumber - 1
    }

    /// Counts an event into a piece.
    mutating func add(to number: UInt64, length: Int) {
        pieces[place(number)].events += 1
        pieces[place(number)].bytes += length + Self.rowBytes
        usage.events += 1
        usage.bytes += UInt64(length + Self.rowBytes)
    }

    /// Bytes of a piece that is there.
    func bytes(of number: UInt64) -> Int {
        number >= headNumber && number < nextNumber ? pieces[place(number)].bytes : 0
    }

    /// Takes the oldest piece off, if one more event of that length is too much; nil: it fits.
    mutating func trimForOneMore(length: Int) -> PieceTrim? {
        let isOver =
            usage.events >= UInt64(limits.eventsMax)
            || usage.bytes + UInt64(length + Self.rowBytes) > UInt64(limits.bytesMax)
        guard isOver, head < pieces.count else { return nil }
        let piece = pieces[head]
        let trim = PieceTrim(
            number: headNumber, log: piece.log, sequences: piece.first..<piece.first + piece.events)
        usage.events -= piece.events
        usage.bytes -= UInt64(piece.bytes)
        usage.trimmedEvents += piece.events
        head += 1
        headNumber += 1
        if head > 1_024, head * 2 > pieces.count {
            pieces.removeFirst(head)
            head = 0
        }
        return trim
    }

    private func place(_ number: UInt64) -> Int { head + Int(number - headNumber) }
}
