/// Names the log of one device within a store.
public struct EventLogID: Sendable, Hashable {
    /// Given by the store, from 0, without gaps.
    public let number: UInt32

    /// Makes an id out of a number that a store gave.
    public init(number: UInt32) {
        self.number = number
    }
}

/// What a reader can choose by without looking into an event.
public struct EventTag: Sendable, Hashable {
    /// The kind of the event; the store does not know what it means. At most 127.
    public let kind: UInt8
    /// Stands for the view that the event belongs to; 0: none. Two views of one log may share a
    /// tag, so a reader that wants one view has to look again.
    public let view: UInt64

    /// Makes a tag.
    public init(kind: UInt8, view: UInt64 = 0) {
        precondition(kind < 128, "an event kind is at most 127, got \(kind)")
        self.kind = kind
        self.view = view
    }
}

/// Which events a reader wants.
public struct EventFilter: Sendable, Equatable {
    /// Bit k stands for kind k.
    private var lowKinds: UInt64 = 0
    /// Bit k stands for kind 64 + k.
    private var highKinds: UInt64 = 0
    /// nil: of any view and of none.
    private var view: UInt64?

    /// Lets every event through.
    public static let all = EventFilter(kinds: nil, view: nil)

    /// Lets events of these kinds and of that view tag through; nil: of all.
    public init(kinds: [UInt8]?, view: UInt64?) {
        self.view = view
        guard let kinds else {
            lowKinds = .max
            highKinds = .max
            return
        }
        for kind in kinds where kind < 128 {
            if kind < 64 {
                lowKinds |= 1 << UInt64(kind)
            } else {
                highKinds |= 1 << UInt64(kind - 64)
            }
        }
    }

    /// Whether an event of that tag passes.
    public func passes(_ tag: EventTag) -> Bool {
        let word = tag.kind < 64 ? lowKinds : highKinds
        guard word & (1 << UInt64(tag.kind & 63)) != 0 else { return false }
        return view == nil || view == tag.view
    }
}

/// An event as a reader gets it.
public struct StoredEvent {
    /// From 1, by one per event of the log, without gaps.
    public let sequence: UInt64
    /// What it was appended with.
    public let tag: EventTag
    /// The encoded event; valid only until the closure that got it returns.
    public let bytes: UnsafeRawBufferPointer
}

/// What a log still holds.
public struct EventLogBounds: Sendable, Equatable {
    /// The oldest event kept; the next sequence when none is.
    public var oldestSequence: UInt64
    /// The sequence that the next event gets.
    public var nextSequence: UInt64
    /// Events kept.
    public var events: UInt64 { nextSequence - oldestSequence }
}

/// How much a store holds, and may hold.
public struct EventStoreUsage: Sendable, Equatable {
    /// Events kept, of all logs.
    public var events: UInt64
    /// Bytes of memory or disk that hold them.
    public var bytes: UInt64
    /// Events that were trimmed since the start.
    public var trimmedEvents: UInt64
}

/// Why an event was not stored.
public enum EventStoreError: Error, Sendable, Equatable {
    /// Another event came first: the log's next sequence is not the expected one.
    case unexpectedSequence(expected: UInt64, next: UInt64)
    /// The event alone is over the store's limit.
    case tooLarge(bytes: Int, limit: Int)
}

/// The recorded events of all devices of a broker: one log per device, sequences without gaps.
///
/// Speaks in appends with an expected sequence and in reads from a sequence, so that an engine on
/// disk or on other machines can take the place of the memory without a change above it.
///
/// Isolation: one thread.
public protocol EventStore: AnyObject {
    /// The log of that name, made empty if there is none.
    func log(named name: String) -> EventLogID

    /// Appends an event and trims the oldest ones of the store that are then over its limits.
    ///
    /// - Parameter expected: The sequence that the event has to get; nil: whichever is next.
    /// - Returns: The sequence of the event.
    /// - Throws: `unexpectedSequence`, `tooLarge`; then nothing was stored or trimmed.
    @discardableResult
    func append(
        _ bytes: UnsafeRawBufferPointer, tag: EventTag, to log: EventLogID, expecting: UInt64?
    ) throws(EventStoreError) -> UInt64

    /// Reads events that are at hand in order, from a sequence on, until the closure says stop or
    /// the end is reached. The closure must not append to the store.
    ///
    /// - Parameter sequence: Where to begin; what was trimmed, and what is not at hand
    ///   (`residentSequence`), is passed over.
    /// - Returns: The sequence to go on from: behind the last event that was looked at.
    @discardableResult
    func read(
        _ log: EventLogID, from sequence: UInt64, filter: EventFilter,
        _ body: (StoredEvent) -> EventReadStep
    ) -> UInt64

    /// What the log still holds.
    func bounds(of log: EventLogID) -> EventLogBounds

    /// The bytes of the last event of a log; nil: it has none. Meant for the start, before the first
    /// change.
    ///
    /// - Throws: a `StoreFault` when it cannot be read.
    /// Blocking: until it is read.
    func lastEvent(of log: EventLogID) throws(StoreFault) -> [UInt8]?

    /// The oldest sequence that `read` gives; older ones that the log holds come through `load`.
    func residentSequence(of log: EventLogID) -> UInt64

    /// Fetches a page of events that are not at hand. The closure gets it later, on the same
    /// thread, or before this returns where all events are at hand.
    ///
    /// Cancellation: none; a page that nobody wants any more is let go of by the closure.
    func load(
        _ request: EventPageRequest, _ body: @escaping (Result<EventPage, StoreFault>) -> Void)

    /// How much the store holds.
    var usage: EventStoreUsage { get }
}

/// Whether a reader wants more.
public enum EventReadStep: Sendable, Hashable {
    case more
    /// The event just given was taken, and it was the last.
    case stop
    /// The event just given was not taken: going on begins with it.
    case stopBefore
}
