/// `replay`: the clients of a capture, once more.
enum ReplayVerb: Verb {
    static let name = "replay"
    static let operands = "FILE|-"
    static let operandCount = 1...1
    static let summary = "play the clients of a capture again and tell the first difference"
    static let details = """
        Sends the requests of a capture in their order, each captured connection on one of its own,
        and compares answers and events with those of the capture. Ends with 1 at the first
        difference and says where it is. Wants a capture made with --show-values, from before its
        clients began, and a broker in the state that the first one had: best a new one.

        Passed over are members that end in Ms or Ns, sequences, and answers of status and describe.
        Ids that are drawn anew (16 hexadecimal digits or more) are bound to those of the capture,
        and requests are sent with the new ones.
        """
    static let examples = [
        "bridgectl capture run.ndjson --show-values -n 20 && bridgectl replay run.ndjson",
        "bridgectl replay run.ndjson --socket /tmp/new/bridge.sock",
        "jq -c 'select(.kind==\"request\").frame' run.ndjson | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let path = arguments.operands[0]
        let records = try CaptureReader.read(
            try FileBytes.read(path), path == "-" ? "standard input" : path, nil)
        var replay = Replay(arguments)
        let difference = try await replay.play(records)
        let counts = replay.counts
        if output.prefersJSON {
            let told = difference.map { ",\"difference\":\(JSONText.quoted($0))" } ?? ""
            output.printJSON(
                "{\"same\":\(difference == nil),\"requests\":\(counts.requests),"
                    + "\"answers\":\(counts.answers),\"events\":\(counts.events)\(told)}")
        } else if difference == nil {
            output.print(
                "\(counts.requests) requests sent, \(counts.answers) answers and "
                    + "\(counts.events) events the same")
        }
        if let difference { throw .failure(difference) }
    }
}
