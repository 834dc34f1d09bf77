/// What a store on disk may hold and use.
public struct StoreLimits: Sendable, Equatable {
    /// Events of all logs.
    public var events = EventStoreLimits()
    /// Bytes of recent events that stay in memory.
    public var tailBytesMax = 4 << 20
    /// Bytes that wait to be saved, from which on no more should come.
    public var unsavedBytesMax = 32 << 20
    /// Backend events that are kept.
    public var backendEventsMax = 10_000
    /// The write-ahead log is cut to this size when it was moved into the file.
    public var journalBytesMax = 16 << 20

    /// Makes the defaults.
    public init() {}
}
