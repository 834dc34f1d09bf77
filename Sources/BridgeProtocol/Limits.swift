/// Every limit of the broker, in one place. Each has a name under which the command line
/// (`--limit name=value`) sets it and `status` shows it.
public struct Limits: Sendable, Equatable {
    /// Payload of one frame, either way.
    public var frameBytesMax: UInt64 = 1 << 20
    /// The smallest `max_frame` that a client may ask for.
    public var clientFrameBytesMin: UInt64 = 512 << 10
    /// White space before the first `{` of a line-mode connection.
    public var leadingSpaceBytesMax: UInt64 = 64
    /// One read from a connection.
    public var readChunkBytes: UInt64 = 64 << 10
    /// Messages within messages, of one frame.
    public var nestingMax: UInt64 = 32
    /// Repeated elements of one message.
    public var elementsMax: UInt64 = 10_000
    /// Text of one gesture or field (GEN-13).
    public var textBytesMax: UInt64 = 32 << 10
    /// Silence of a new connection before its first byte.
    public var firstByteMs: UInt64 = 10_000
    /// From the first byte of a binary connection to its `hello`.
    public var helloMs: UInt64 = 5_000
    /// From the first byte of a frame or line to its last.
    public var unfinishedFrameMs: UInt64 = 10_000
    /// Connections at a time.
    public var connectionsMax: UInt64 = 1_024
    /// Connections of one uid at a time.
    public var connectionsPerUidMax: UInt64 = 256
    /// Connections that have not sent a frame yet.
    public var ungreetedConnectionsMax: UInt64 = 64
    /// Bytes queued for a client from which on its events are dropped from the queue.
    public var queueSoftBytes: UInt64 = 1 << 20
    /// How long a client may stay over the soft limit.
    public var queueSoftMs: UInt64 = 10_000
    /// Bytes queued for a client at which it is disconnected.
    public var queueHardBytes: UInt64 = 8 << 20
    /// Bytes queued for all clients of one uid at which the largest queue is disconnected.
    public var queuePerUidBytes: UInt64 = 64 << 20
    /// Requests of one connection that wait.
    public var pendingRequestsMax: UInt64 = 128
    /// Pieces of slow work that wait for a worker thread or run there.
    public var workQueueMax: UInt64 = 1_024
    /// Bytes of the fallback files of all devices; those with the same bytes share them.
    public var fallbackFileBytesMax: UInt64 = 512 << 20
    /// Subscriptions of one connection.
    public var subscriptionsMax: UInt64 = 1_024
    /// Open devices of the broker.
    public var devicesMax: UInt64 = 200_000
    /// Closed devices whose stored state is kept; the one closed longest ago that no connection
    /// uses is forgotten.
    public var closedDevicesMax: UInt64 = 200_000
    /// Connections that have ended and are told by `status`; the oldest goes.
    public var closedConnectionsMax: UInt64 = 64
    /// Connections that watch the others at a time.
    public var monitorsMax: UInt64 = 8
    /// Frames that wait for one connection that watches; what is over is left out and counted.
    public var monitorQueueBytes: UInt64 = 4 << 20
    /// Text, or raw bytes, of one frame for a connection that watches; the rest is cut off.
    public var monitorFrameBytesMax: UInt64 = 256 << 10
    /// Profiles of the simulated backend, also those that no device uses any more.
    public var profilesMax: UInt64 = 1_000_000
    /// Views of one device.
    public var viewsMax: UInt64 = 1_024
    /// Recorded events of the broker; the oldest go first.
    public var eventsMax: UInt64 = 100_000
    /// Bytes of recorded events; the oldest go first.
    public var eventBytesMax: UInt64 = 256 << 20
    /// Bytes of recent events that a broker with a store on disk keeps in memory.
    public var recentEventBytesMax: UInt64 = 4 << 20
    /// Bytes that wait to be saved, at which what changes something is refused.
    public var unsavedBytesMax: UInt64 = 32 << 20
    /// Bytes of a connection that wait for the store, at which it is not read from.
    public var heldBytesMax: UInt64 = 256 << 10
    /// Instants of a device at which something falls due, in one advance of its clock.
    public var dueInstantsMax: UInt64 = 100_000
    /// Entries of one page of `list_*`, `get_events` and `get_screen`.
    public var pageMax: UInt64 = 1_000
    /// Descriptors that are kept for the broker's own files.
    public var reservedDescriptors: UInt64 = 32
    /// First wait after a failed accept; it doubles up to `acceptBackoffMaxMs`.
    public var acceptBackoffMs: UInt64 = 10
    /// Longest wait after failed accepts.
    public var acceptBackoffMaxMs: UInt64 = 1_000
    /// From SIGTERM to the end, at the most.
    public var shutdownGraceMs: UInt64 = 10_000
    /// From SIGTERM, how long a connection of a passed socket may still send its first frame.
    public var shutdownFirstFrameMs: UInt64 = 500

    /// Makes the defaults.
    public init() {}
}

/// One row of the table of limits.
public struct LimitRow: Sendable {
    /// As on the command line and in `status`.
    public let name: String
    /// `bytes`, `ms`, or what is counted.
    public let unit: String
    /// One sentence for people.
    public let meaning: String
    /// The values that make sense.
    public let range: ClosedRange<UInt64>
    let path: WritableKeyPath<Limits, UInt64> & Sendable
}

extension Limits {
    /// The table: every limit with its name, unit, meaning and range.
    public static let table: [LimitRow] = [
        row(
            "frameBytesMax", "bytes", "payload of one frame, either way", 512 << 10...16_777_215,
            \.frameBytesMax),
        row(
            "clientFrameBytesMin", "bytes", "the smallest max_frame that a client may ask for",
            1_024...16_777_215, \.clientFrameBytesMin),
        row(
            "leadingSpaceBytesMax", "bytes", "white space before the first { of a connection",
            0...4_096, \.leadingSpaceBytesMax),
        row(
            "readChunkBytes", "bytes", "one read from a connection", 4_096...1 << 20,
            \.readChunkBytes),
        row(
            "nestingMax", "levels", "messages within messages, of one frame", 32...32, \.nestingMax),
        row(
            "elementsMax", "elements", "repeated elements of one message", 10_000...10_000,
            \.elementsMax),
        row(
            "textBytesMax", "bytes", "text of one gesture or field", 32 << 10...32 << 10,
            \.textBytesMax),
        row(
            "firstByteMs", "ms", "silence of a new connection before its first byte", 1...3_600_000,
            \.firstByteMs),
        row(
            "helloMs", "ms", "from the first byte of a binary connection to its hello",
            1...3_600_000, \.helloMs),
        row(
            "unfinishedFrameMs", "ms", "from the first byte of a frame or line to its last",
            1...3_600_000, \.unfinishedFrameMs),
        row(
            "connectionsMax", "connections", "connections at a time", 1...1_000_000,
            \.connectionsMax),
        row(
            "connectionsPerUidMax", "connections", "connections of one uid at a time",
            1...1_000_000, \.connectionsPerUidMax),
        row(
            "ungreetedConnectionsMax", "connections", "connections that have not sent a frame yet",
            1...1_000_000, \.ungreetedConnectionsMax),
        row(
            "queueSoftBytes", "bytes",
            "queued for a client from which on its events are dropped from the queue",
            1_024...1 << 32, \.queueSoftBytes),
        row(
            "queueSoftMs", "ms", "how long a client may stay over queueSoftBytes", 1...3_600_000,
            \.queueSoftMs),
        row(
            "queueHardBytes", "bytes", "queued for a client at which it is disconnected",
            1_024...1 << 32, \.queueHardBytes),
        row(
            "queuePerUidBytes", "bytes",
            "queued for all clients of one uid at which the largest queue is disconnected",
            1_024...1 << 34, \.queuePerUidBytes),
        row(
            "pendingRequestsMax", "requests", "requests of one connection that wait", 1...1_000_000,
            \.pendingRequestsMax),
        row(
            "workQueueMax", "pieces",
            "pieces of slow work (loading a catalog) that wait for a worker thread or run there",
            1...1_000_000, \.workQueueMax),
        row(
            "fallbackFileBytesMax", "bytes",
            "fallback files of all devices; those with the same bytes share them",
            1_024...1 << 40, \.fallbackFileBytesMax),
        row(
            "subscriptionsMax", "subscriptions", "subscriptions of one connection", 1...1_000_000,
            \.subscriptionsMax),
        row("devicesMax", "devices", "open devices of the broker", 1...10_000_000, \.devicesMax),
        row(
            "closedDevicesMax", "devices",
            "closed devices that are kept; the one closed longest ago is forgotten",
            1...10_000_000, \.closedDevicesMax),
        row(
            "closedConnectionsMax", "connections",
            "connections that have ended and that status tells; the oldest goes", 0...1_000,
            \.closedConnectionsMax),
        row(
            "monitorsMax", "connections", "connections that watch the others", 0...64,
            \.monitorsMax),
        row(
            "monitorQueueBytes", "bytes",
            "frames that wait for a connection that watches; what is over is left out",
            64 << 10...1 << 32, \.monitorQueueBytes),
        row(
            "monitorFrameBytesMax", "bytes",
            "text or raw bytes of one frame for a connection that watches; the rest is cut off",
            256...256 << 10, \.monitorFrameBytesMax),
        row(
            "profilesMax", "profiles",
            "profiles of the backend; what would make one more is refused", 1...100_000_000,
            \.profilesMax),
        row("viewsMax", "views", "views of one device", 1...1_000_000, \.viewsMax),
        row(
            "eventsMax", "events", "recorded events of the broker; the oldest go first",
            1...100_000_000, \.eventsMax),
        row(
            "eventBytesMax", "bytes", "bytes of recorded events; the oldest go first",
            1 << 20...1 << 40, \.eventBytesMax),
        row(
            "recentEventBytesMax", "bytes",
            "recent events that stay in memory; older ones are read from the store",
            0...1 << 40, \.recentEventBytesMax),
        row(
            "unsavedBytesMax", "bytes",
            "what waits to be saved, at which requests that change something are refused",
            1 << 20...1 << 40, \.unsavedBytesMax),
        row(
            "heldBytesMax", "bytes",
            "output of a connection that waits for the store or its own replays, at which it is "
                + "not read from",
            1_024...1 << 32, \.heldBytesMax),
        row(
            "pageMax", "entries", "entries of one page of list_*, get_events and get_screen",
            1...100_000, \.pageMax),
        row(
            "dueInstantsMax", "instants",
            "instants of a device at which something falls due, in one advance of its clock",
            1...10_000_000, \.dueInstantsMax),
        row(
            "reservedDescriptors", "descriptors",
            "of the host's limit, kept for files; a connection that needs one is refused",
            0...100_000, \.reservedDescriptors),
        row(
            "acceptBackoffMs", "ms", "first wait after a failed accept; it doubles", 1...60_000,
            \.acceptBackoffMs),
        row(
            "acceptBackoffMaxMs", "ms", "longest wait after failed accepts", 1...60_000,
            \.acceptBackoffMaxMs),
        row(
            "shutdownGraceMs", "ms", "from SIGTERM to the end, at the most", 0...3_600_000,
            \.shutdownGraceMs),
        row(
            "shutdownFirstFrameMs", "ms",
            "from SIGTERM, how long a connection of a passed socket may send its first frame",
            0...3_600_000, \.shutdownFirstFrameMs),
    ]

    private static func row(
        _ name: String, _ unit: String, _ meaning: String, _ range: ClosedRange<UInt64>,
        _ path: WritableKeyPath<Limits, UInt64> & Sendable
    ) -> LimitRow {
        LimitRow(name: name, unit: unit, meaning: meaning, range: range, path: path)
    }

    /// The value of a row.
    public subscript(row: LimitRow) -> UInt64 {
        self[keyPath: row.path]
    }

    /// Sets a limit from `name=value`.
    ///
    /// - Throws: INVALID_ARGUMENT for an unknown name, which lists the known ones, and for a value
    ///   that is no whole number or out of the row's range.
    public mutating func set(_ assignment: String) throws(BridgeError) {
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw BridgeError(.invalidArgument, "\"\(assignment)\" is no limit: write name=value")
        }
        guard let row = Limits.table.first(where: { $0.name == parts[0] }) else {
            let known = Limits.table.map(\.name).joined(separator: ", ")
            throw BridgeError(.invalidArgument, "no limit \"\(parts[0])\"; there are \(known)")
        }
        guard let value = UInt64(parts[1]), row.range.contains(value) else {
            throw BridgeError(
                .invalidArgument,
                "\(row.name)=\(parts[1]): a whole number from \(row.range.lowerBound) to "
                    + "\(row.range.upperBound) \(row.unit)")
        }
        self[keyPath: row.path] = value
    }
}
