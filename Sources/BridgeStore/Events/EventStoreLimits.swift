/// How much a store keeps, of all logs together; the oldest goes.
public struct EventStoreLimits: Sendable, Equatable {
    /// Events; at least 1.
    public var eventsMax: Int
    /// Bytes of the pieces that hold them, at least `bytesMin`; free room in a piece counts too.
    public var bytesMax: Int

    /// The least `bytesMax`.
    public static let bytesMin = 4_096

    /// Makes limits; 100 000 events and 256 MiB without.
    public init(eventsMax: Int = 100_000, bytesMax: Int = 256 << 20) {
        precondition(eventsMax >= 1, "a store keeps at least 1 event, got \(eventsMax)")
        precondition(
            bytesMax >= Self.bytesMin,
            "a store has at least \(Self.bytesMin) bytes, got \(bytesMax)")
        self.eventsMax = eventsMax
        self.bytesMax = bytesMax
    }

    /// The first piece of a log is small, as most devices have little to tell.
    static let firstChunkBytes = 256
    /// Each further piece is that many times larger, up to the largest.
    static let chunkGrowth = 4

    /// The largest piece: trimming drops whole ones, so it is a small part of the limit.
    var chunkBytesMax: Int { min(64 << 10, max(Self.firstChunkBytes, bytesMax / 16 & ~7)) }

    /// Events of one piece, for the same reason.
    var chunkEventsMax: Int { max(1, eventsMax / 16) }
}
