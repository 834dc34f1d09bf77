import BridgeProtocol

/// Plays the clients of a capture again, in the order of the capture.
///
/// Each captured connection gets one of its own, which ends behind its last frame. A request is sent where it stands; where an answer
/// or an event stands, the one of this run is waited for and compared.
struct Replay {
    /// What was done until the end, or until the first difference.
    struct Counts {
        var requests = 0
        var answers = 0
        var events = 0
    }

    private let arguments: Arguments
    private var connections: [UInt64: ReplayConnection] = [:]
    private var comparison = ReplayComparison()
    private(set) var counts = Counts()

    /// Requests that are part of watching and greeting, and are not sent.
    private static let left: Set<String> = ["hello", "monitor"]
    /// Answers that tell of the broker itself.
    private static let uncompared: Set<String> = ["status", "describe"]

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    /// Plays all; returns the first difference with its place, nil: there is none.
    mutating func play(_ records: [CaptureRecord]) async throws(Exit) -> String? {
        var last: [UInt64: Int] = [:]
        for (index, record) in records.enumerated() { last[record.connection] = index }
        for (index, record) in records.enumerated() {
            let place =
                "frame \(index + 1) (conn \(record.connection), \(record.kind) \(record.name), "
                + "id \(record.id))"
            if let found = try await step(record, place) { return "\(place): \(found)" }
            guard last[record.connection] == index,
                let connection = connections.removeValue(forKey: record.connection)
            else { continue }
            if let event = try connection.eventsLeft() {
                return "behind \(place): one more event came: \(event)"
            }
        }
        return nil
    }

    private mutating func step(
        _ record: CaptureRecord, _ place: String
    ) async throws(Exit) -> String? {
        switch record.kind {
        case "request" where !Self.left.contains(record.name):
            try await send(record, place)
            return nil
        case "answer" where !Self.left.contains(record.name), "error" where record.id != 0:
            return try compareAnswer(record, place)
        case "event": return try await compareEvent(record, place)
        default: return nil
        }
    }

    private mutating func send(_ record: CaptureRecord, _ place: String) async throws(Exit) {
        let frame = comparison.renamed(try whole(record, place))
        let connection = try await connection(record.connection)
        let request: ClientFrame
        do {
            request = try Array(frame.compact.utf8).withUnsafeBytes {
                try WireCoder().decodeClientFrame(line: $0)
            }
        } catch {
            throw .failure("\(place): no request of this protocol")
        }
        try connection.send(request)
        counts.requests += 1
    }

    private mutating func compareAnswer(
        _ record: CaptureRecord, _ place: String
    ) throws(Exit) -> String? {
        // Its request was before the capture began.
        guard let connection = connections[record.connection], connection.hasAsked(record.id) else {
            return nil
        }
        guard let seen = try connection.answer(to: record.id) else { return "no answer came" }
        counts.answers += 1
        if Self.uncompared.contains(record.name) { return nil }
        return comparison.difference(try whole(record, place), seen)
    }

    private mutating func compareEvent(
        _ record: CaptureRecord, _ place: String
    ) async throws(Exit) -> String? {
        let connection = try await connection(record.connection)
        guard let seen = try connection.event() else { return "the event did not come" }
        counts.events += 1
        return comparison.difference(try whole(record, place), seen)
    }

    private func whole(_ record: CaptureRecord, _ place: String) throws(Exit) -> JSONNode {
        let isHidden = record.headers.contains { $0.name == "redacted" && $0.value.bool == true }
        guard let frame = record.frame, !isHidden else {
            let what = isHidden ? "its values are hidden" : "it is not whole"
            throw .failure("\(place): \(what); capture with --show-values, without --size")
        }
        return frame
    }

    private mutating func connection(_ id: UInt64) async throws(Exit) -> ReplayConnection {
        if let connection = connections[id] { return connection }
        let made = ReplayConnection(
            try await RawConnection.open(arguments), timeoutMs: arguments.timeout.wholeMs)
        connections[id] = made
        return made
    }
}

/// One client that is played again, with what came and was not compared yet.
final class ReplayConnection {
    private let raw: RawConnection
    private let timeoutMs: Int32
    private var asked: Set<UInt64> = []
    private var answers: [UInt64: ServerFrame] = [:]
    private var events: [ServerFrame] = []

    init(_ raw: RawConnection, timeoutMs: Int32) {
        self.raw = raw
        self.timeoutMs = timeoutMs
    }

    func send(_ frame: ClientFrame) throws(Exit) {
        asked.insert(frame.id)
        try raw.send(frame)
    }

    func hasAsked(_ id: UInt64) -> Bool { asked.contains(id) }

    /// The answer to a request; nil when none comes in time.
    func answer(to id: UInt64) throws(Exit) -> JSONNode? {
        while answers[id] == nil {
            guard try readMore(timeoutMs) else { return nil }
        }
        return answers.removeValue(forKey: id).flatMap(Self.node)
    }

    /// The next event; nil when none comes in time.
    func event() throws(Exit) -> JSONNode? {
        while events.isEmpty {
            guard try readMore(timeoutMs) else { return nil }
        }
        return Self.node(events.removeFirst())
    }

    /// An event that came and was not in the capture.
    func eventsLeft() throws(Exit) -> String? {
        while try readMore(0) {}
        return events.first.flatMap(Self.node)?.compact
    }

    private func readMore(_ waitMs: Int32) throws(Exit) -> Bool {
        let frame: ServerFrame?
        do throws(Exit) {
            frame = try raw.next(waitMs: waitMs)
        } catch {
            if error.code == ExitCode.timeout { return false }
            throw error
        }
        guard let frame else { return false }
        if case .event = frame.body {
            events.append(frame)
        } else {
            answers[frame.id] = frame
        }
        return true
    }

    private static func node(_ frame: ServerFrame) -> JSONNode? {
        try? JSONTreeReader.read(FrameJSON.line(of: frame))
    }
}
