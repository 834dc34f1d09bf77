import BridgeProtocol
import Testing

/// Plays the app and the finger in a test: sends requests, waits for their answers, and keeps
/// the events that came in between.
final class TestClient {
    let wire: any TestWire
    let mode: WireMode
    private let coder = WireCoder()
    private var unread: [UInt8] = []
    private var nextID: UInt64 = 1
    /// Frames that came and were not taken yet, in order.
    private var frames: [ServerFrame] = []
    /// Events that came, in order, until they are taken.
    private(set) var events: [Event] = []
    /// How many events had come in all when an answer came, by the id of its request.
    private(set) var eventsBefore: [UInt64: Int] = [:]
    private var eventsSeen = 0

    init(wire: any TestWire, mode: WireMode) {
        self.wire = wire
        self.mode = mode
    }

    // MARK: Requests

    @discardableResult
    func hello() throws -> WelcomeReply {
        let reply = try call(
            .hello(
                with(HelloRequest()) {
                    $0.protocolMajor = 1
                    $0.clientName = "test"
                }))
        guard case .welcome(let welcome) = reply else { throw Unexpected(reply) }
        return welcome
    }

    /// Sends a request and waits for its answer; events that come first are kept.
    ///
    /// - Throws: the `BridgeError` of an error answer.
    @discardableResult
    func call(_ body: ClientFrame.Body, deadlineMs: UInt32 = 0) throws -> ServerFrame.Body {
        try answer(to: send(body, deadlineMs: deadlineMs))
    }

    /// Sends a request without waiting; returns its id.
    @discardableResult
    func send(_ body: ClientFrame.Body, id: UInt64? = nil, deadlineMs: UInt32 = 0) throws -> UInt64
    {
        let id = id ?? nextID
        nextID = max(nextID, id) + 1
        var frame = ClientFrame()
        frame.id = id
        frame.deadlineMs = deadlineMs
        frame.body = body
        let buffer = ByteBuffer()
        try coder.encode(frame, mode: mode, into: buffer)
        try wire.send(Array(buffer.readable))
        return id
    }

    /// Waits for the answer to a request.
    func answer(to id: UInt64) throws -> ServerFrame.Body {
        while true {
            if let index = frames.firstIndex(where: { $0.id == id && !$0.isEvent }) {
                let frame = frames.remove(at: index)
                guard let body = frame.body else { throw Unexpected("an answer without a body") }
                if case .error(let error) = body { throw error.bridgeError }
                return body
            }
            try readMore()
        }
    }

    /// Waits for the next frame that is no event, whatever its id; nil when the broker closed.
    func nextFrame() throws -> ServerFrame? {
        while frames.isEmpty {
            guard try readSome() else { return nil }
        }
        return frames.removeFirst()
    }

    /// Waits until the broker has closed the connection; returns the frames that came before.
    func untilClosed() throws -> [ServerFrame] {
        while try readSome() {}
        defer { frames = [] }
        return frames
    }

    // MARK: Events

    /// Takes the events that have come so far.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Waits until so many events have come, and takes them all.
    func events(count: Int) throws -> [Event] {
        while events.count < count { try readMore() }
        return takeEvents()
    }

    // MARK: Reading

    private func readMore() throws {
        guard try readSome() else { throw Unexpected("the broker closed the connection") }
    }

    private func readSome() throws -> Bool {
        guard let bytes = try wire.receive() else { return false }
        unread += bytes
        while let frame = try takeFrame() {
            if case .event(let event) = frame.body {
                events.append(event)
                eventsSeen += 1
            } else {
                eventsBefore[frame.id] = eventsSeen
                frames.append(frame)
            }
        }
        return true
    }

    private func takeFrame() throws -> ServerFrame? {
        // An error before the mode is known is a line of JSON in either mode.
        if mode == .line || unread.first == UInt8(ascii: "{") { return try takeLine() }
        guard unread.count >= 4 else { return nil }
        let length = unread[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard unread.count >= 4 + length else { return nil }
        defer { unread.removeFirst(4 + length) }
        return try unread[4..<4 + length].withUnsafeBytes {
            try coder.decodeServerFrame(binary: $0)
        }
    }

    private func takeLine() throws -> ServerFrame? {
        guard let end = unread.firstIndex(of: 0x0A) else { return nil }
        defer { unread.removeFirst(end + 1) }
        return try unread[..<end].withUnsafeBytes { try coder.decodeServerFrame(line: $0) }
    }
}

/// Something came that the test did not expect.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ what: Any) {
        description = "unexpected: \(what)"
    }
}

extension ServerFrame {
    var isEvent: Bool {
        if case .event = body { return true }
        return false
    }
}
