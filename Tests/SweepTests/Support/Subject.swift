import BridgeProtocol
import GoldenFrames

/// A frame and its line, whose every change is tried.
struct Subject: CustomStringConvertible {
    let description: String
    let isRequest: Bool
    /// With its length of four bytes.
    let frame: [UInt8]
    /// With LF.
    let line: [UInt8]

    /// The golden frames.
    static let golden = GoldenFrame.all.map {
        Subject(
            description: $0.description, isRequest: $0.isRequest, frame: $0.frame,
            line: Array("\($0.line)\n".utf8))
    }

    /// Examples with every field: each request, each answer and each kind of event.
    static let examples: [Subject] = {
        let requests = MethodTable.all.compactMap { Subject(example: $0.exampleRequest(), true) }
        let answers = MethodTable.all.compactMap { Subject(example: $0.exampleReply(), false) }
        let events = EventKindTable.names.compactMap { kind in
            EventKindTable.exampleLine(of: kind).flatMap { Subject(example: $0, false) }
        }
        return requests + answers + events
    }()

    private init(description: String, isRequest: Bool, frame: [UInt8], line: [UInt8]) {
        self.description = description
        self.isRequest = isRequest
        self.frame = frame
        self.line = line
    }

    private init?(example line: String, _ isRequest: Bool) {
        let coder = WireCoder()
        let buffer = ByteBuffer()
        let bytes = Array(line.utf8)
        do {
            if isRequest {
                let frame = try bytes.withUnsafeBytes { try coder.decodeClientFrame(line: $0) }
                try coder.encode(frame, mode: .binary, into: buffer)
            } else {
                let frame = try bytes.withUnsafeBytes { try coder.decodeServerFrame(line: $0) }
                coder.encode(frame, mode: .binary, into: buffer)
            }
        } catch {
            return nil
        }
        self.init(
            description: line, isRequest: isRequest, frame: Array(buffer.readable),
            line: bytes + [0x0A])
    }
}

/// How often each verdict came.
struct Tally: CustomStringConvertible {
    private(set) var counts: [String: Int] = [:]

    var total: Int { counts.values.reduce(0, +) }

    mutating func count(_ verdicts: [Verdict]) {
        counts[verdicts.map(\.sort).joined(separator: ", then "), default: 0] += 1
    }

    var description: String {
        let parts = counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
        return "\(total) cases: " + parts.joined(separator: "; ")
    }
}
