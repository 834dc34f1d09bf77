import BridgeProtocol
import Testing

extension TestClient {
    /// The error that a request is answered with.
    ///
    /// - Throws: `Unexpected` when it succeeds.
    func refusal(_ body: ClientFrame.Body, deadlineMs: UInt32 = 0) throws -> BridgeError {
        try refusal(of: send(body, deadlineMs: deadlineMs))
    }

    /// The error that a request that was sent before is answered with.
    func refusal(of id: UInt64) throws -> BridgeError {
        do {
            throw Unexpected(try answer(to: id))
        } catch let error as BridgeError {
            return error
        }
    }

    /// The next frame, which has to be an error.
    func nextError() throws -> (id: UInt64, error: BridgeError) {
        guard let frame = try nextFrame(), case .error(let error) = frame.body else {
            throw Unexpected("no error")
        }
        return (frame.id, error.bridgeError)
    }

    /// Sends a ping and waits for it: the connection lives and is in step.
    func expectServed(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let payload: [UInt8] = [1, 2, 3]
        let reply = try call(.ping(with(PingRequest()) { $0.payload = payload }))
        #expect(
            reply == .ping(with(PingReply()) { $0.payload = payload }),
            sourceLocation: sourceLocation)
    }
}

extension TestBroker {
    /// The next request on a fresh connection is served, in both modes.
    func expectServesOthers(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for mode in [WireMode.binary, .line] {
            try client(mode).expectServed(sourceLocation: sourceLocation)
        }
    }

    /// A connection in line mode, for raw text.
    func talk() throws -> LineTalk {
        LineTalk(try connect())
    }
}

/// Lines of text to the broker and back, as they are on the wire.
final class LineTalk {
    let wire: any TestWire
    private var unread: [UInt8] = []

    init(_ wire: any TestWire) {
        self.wire = wire
    }

    func send(_ text: String) throws {
        try wire.send(Array(text.utf8))
    }

    /// Sends one line and waits for one.
    func ask(_ line: String) throws -> String {
        try send(line + "\n")
        guard let answer = try nextLine() else { throw Unexpected("the broker closed") }
        return answer
    }

    /// The next line without its line end; nil when the broker has closed.
    func nextLine() throws -> String? {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            guard let bytes = try wire.receive() else { return nil }
            unread += bytes
        }
    }

    /// All lines until the broker closes.
    func untilClosed() throws -> [String] {
        var lines: [String] = []
        while let line = try nextLine() { lines.append(line) }
        return lines
    }
}

extension String {
    /// Whether it holds every one of the texts.
    func holds(_ texts: [String]) -> Bool {
        texts.allSatisfy { contains($0) }
    }
}
