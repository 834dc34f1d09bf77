/// Where output of a connection begins that must not leave yet, and what it waits for.
///
/// Bytes of a connection leave in their order, so what is behind held bytes waits with them.
struct HeldOutput {
    /// Counted from the opening of the connection; both rise.
    private var marks: [(start: UInt64, ticket: UInt64)] = []

    /// The first byte that is held; nil: none is.
    var start: UInt64? { marks.first?.start }

    /// Holds what is written from that byte on until the ticket is released.
    mutating func hold(from start: UInt64, until ticket: UInt64) {
        if let last = marks.last, last.ticket >= ticket { return }
        marks.append((start, ticket))
    }

    /// Lets go of what waited for that ticket or an earlier one.
    mutating func release(upTo ticket: UInt64) {
        let released = marks.prefix { $0.ticket <= ticket }
        marks.removeFirst(released.count)
    }

    /// Forgets all marks.
    mutating func removeAll() { marks = [] }
}

extension Connection {
    /// Queued bytes that wait for a ticket, with those behind them.
    public var heldBytes: Int { queuedBytes - sendableBytes }

    /// Whether something waits for a ticket, or would if it were written now.
    public var isHolding: Bool { held.start != nil }

    /// Queued bytes that may leave.
    var sendableBytes: Int {
        held.start.map { Int(clamping: $0 - min($0, sentBytes)) } ?? queuedBytes
    }

    /// Holds what is written from now on until `release` has come to the ticket. Tickets rise.
    public func hold(until ticket: UInt64) {
        held.hold(from: sentBytes + UInt64(queuedBytes), until: ticket)
    }

    /// Lets what waited for that ticket or an earlier one leave with this wake-up.
    public func release(upTo ticket: UInt64) {
        held.release(upTo: ticket)
        transport.willWrite(self)
    }

    /// Throws away what is held, and nothing is held any more: whole frames, at a frame's border.
    public func dropHeld() {
        output?.truncate(to: sendableBytes)
        held.removeAll()
        transport.willWrite(self)
    }
}
