import BridgeProtocol

/// `capture`: what passes through a broker, into a file.
enum CaptureVerb: Verb {
    static let name = "capture"
    static let operands = "FILE|-"
    static let operandCount = 1...1
    static let summary = "write the frames of all connections to a file for Wireshark or replay"
    static let details = """
        Writes what `monitor --traffic` shows, until it is interrupted or after --count frames: as
        pcapng (link type USER0; examples/wireshark has a dissector), or, for a FILE that ends in
        .ndjson or with --format ndjson, as lines of JSON. The file is readable by its owner only.
        Each frame is in the file as soon as it came.

        Values of users are hidden. With --show-values the frames are in the file as they were;
        `replay` needs that.
        """
    static let examples = [
        "bridgectl capture traffic.pcapng -n 20",
        "bridgectl capture traffic.ndjson --show-values -n 20",
        "bridgectl capture - --format ndjson --match kind=error -n 1 | jq .frame.error",
        "echo '{\"id\":1,\"monitor\":{}}' | nc -U \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = [
        "count", "format", "match", "show-values", "headers-only", "size",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let path = arguments.operands[0]
        let isPcapng = try arguments.captureFormat(for: path) == .pcapng
        try MatchOption.check(arguments.matches, framesToo: true)
        let connection = try await Traffic.watch(
            arguments, raw: isPcapng && arguments.showsValues && !arguments.hasHeadersOnly)
        let file = try GrowingFile(path)
        if isPcapng { try file.write(Pcapng.beginning(version: Program.version)) }
        var left = arguments.count ?? .max
        var dropped: UInt64 = 0
        while left > 0 {
            guard var frame = try Traffic.next(connection) else { throw .lost(connection.path) }
            if !isPcapng {
                try file.write(Array((FrameLine(frame).json + "\n").utf8))
            } else if frame.direction != .none {
                frame.dropped += dropped
                dropped = 0
                try file.write(Pcapng.packet(frame))
            } else {
                dropped += frame.dropped
            }
            if frame.direction != .none { left -= 1 }
        }
    }
}

/// The form of a capture.
enum CaptureFormat: String {
    case pcapng, ndjson

    init(_ text: String?) throws(Exit) {
        guard let format = CaptureFormat(rawValue: text ?? "") else {
            throw .usage("--format \(text ?? ""): pcapng or ndjson is wanted")
        }
        self = format
    }
}

extension Arguments {
    /// By `--format`, else by the ending of the name.
    fileprivate func captureFormat(for path: String) throws(Exit) -> CaptureFormat {
        if let format = watching.format { return try CaptureFormat(format) }
        return path.hasSuffix(".ndjson") || path.hasSuffix(".jsonl") ? .ndjson : .pcapng
    }
}
