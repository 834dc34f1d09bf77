import BridgeProtocol
import Synchronization

/// The events of one subscription between the connection's thread and their consumer.
///
/// Bounded in events and in bytes, so that the connection never waits for a slow consumer. What
/// does not fit is not kept: one `lagged` event stands in its place and names the first and the
/// last sequence that is missing; those events stay in the broker's record.
final class EventQueue: Sendable {
    /// What a consumer gets.
    enum Turn {
        case event(Event)
        /// No further event will come.
        case end
        /// The connection was lost.
        case lost(BridgeError)
        /// The consumer's task was cancelled.
        case cancelled
    }

    fileprivate struct Entry {
        var event: Event
        let bytes: Int
    }

    fileprivate struct State {
        var entries: [Entry] = []
        /// Entries before this one have been taken.
        var head = 0
        var bytes = 0
        var waiters: [(ticket: UInt64, continuation: CheckedContinuation<Turn, Never>)] = []
        var nextTicket: UInt64 = 1
        var end: Turn?
        /// The last entry is a `lagged` event of this side, still open at its end.
        var isDropping = false

        var count: Int { entries.count - head }
    }

    private let state = Mutex(State())
    private let eventsMax: Int
    private let bytesMax: Int

    init(eventsMax: Int, bytesMax: Int) {
        self.eventsMax = max(eventsMax, 1)
        self.bytesMax = max(bytesMax, 1)
    }

    /// Adds an event, or counts it as missing when there is no room.
    func push(_ event: Event, bytes: Int) {
        let waiter = state.withLock { state -> CheckedContinuation<Turn, Never>? in
            guard state.end == nil else { return nil }
            if !state.waiters.isEmpty { return state.waiters.removeFirst().continuation }
            if state.count >= eventsMax || state.bytes + bytes > bytesMax && state.count > 0 {
                state.drop(event)
            } else {
                state.entries.append(Entry(event: event, bytes: bytes))
                state.bytes += bytes
                state.isDropping = false
            }
            return nil
        }
        waiter?.resume(returning: .event(event))
    }

    /// Ends the queue: what it holds is still handed out, then `turn` for ever.
    func finish(_ turn: Turn) {
        let waiters = state.withLock { state in
            if state.end == nil { state.end = turn }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: turn) }
    }

    /// The next event if it is there already; nil if the consumer has to wait.
    func poll() -> Turn? {
        state.withLock { $0.take() }
    }

    /// A number for one wait, to cancel it by.
    func makeTicket() -> UInt64 {
        state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
    }

    /// Resumes the continuation with the next event, at once or when it comes.
    func wait(_ ticket: UInt64, _ continuation: CheckedContinuation<Turn, Never>) {
        let turn = state.withLock { state -> Turn? in
            if let turn = state.take() { return turn }
            state.waiters.append((ticket, continuation))
            return nil
        }
        if let turn { continuation.resume(returning: turn) }
    }

    /// Ends one wait without an event. Does nothing when it is over already.
    func cancel(_ ticket: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Turn, Never>? in
            guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else {
                return nil
            }
            return state.waiters.remove(at: index).continuation
        }
        waiter?.resume(returning: .cancelled)
    }
}

extension EventQueue.State {
    /// Notes that an event is missing, in the `lagged` event at the end.
    fileprivate mutating func drop(_ event: Event) {
        if isDropping, case .lagged(var lagged) = entries[entries.count - 1].event.kind {
            lagged.toSequence = max(lagged.toSequence, event.lastSequence)
            entries[entries.count - 1].event.kind = .lagged(lagged)
            return
        }
        isDropping = true
        var stand = Event()
        stand.device = event.device
        stand.timeMs = event.timeMs
        stand.timeZone = event.timeZone
        stand.subscriptionId = event.subscriptionId
        stand.kind = .lagged(
            with(Lagged()) {
                $0.fromSequence = event.firstSequence
                $0.toSequence = event.lastSequence
                $0.reason =
                    "the buffer of this client's subscription was full; get_events has the record"
            })
        entries.append(EventQueue.Entry(event: stand, bytes: 0))
    }

    fileprivate mutating func take() -> EventQueue.Turn? {
        guard head < entries.count else { return end }
        let entry = entries[head]
        head += 1
        bytes -= entry.bytes
        if head == entries.count { isDropping = false }
        if head > 64, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        } else if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        }
        return .event(entry.event)
    }
}

extension Event {
    /// The first sequence that this event tells about.
    fileprivate var firstSequence: UInt64 {
        if case .lagged(let lagged) = kind { return lagged.fromSequence }
        return sequence
    }

    /// The last sequence that this event tells about.
    fileprivate var lastSequence: UInt64 {
        if case .lagged(let lagged) = kind { return lagged.toSequence }
        return sequence
    }
}
