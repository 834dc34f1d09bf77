/// `decode`: frames as JSON, without a broker.
enum DecodeVerb: Verb {
    static let name = "decode"
    static let operands = "[FILE|-]"
    static let operandCount = 0...1
    static let summary = "print captured frames, or bytes of the wire, as JSON"
    static let details = """
        Reads what `capture` wrote, in either form, or frames as they are on the wire: binary with
        their lengths, lines of JSON, or hexadecimal digits with comments behind #. Prints one line
        a frame, with the names of the schema of this program. Which side sent bare frames is tried:
        a client's first; --as says it.
        """
    static let needsBroker = false
    static let examples = [
        "bridgectl encode '{\"id\":7,\"ping\":{}}' | bridgectl decode",
        "echo '00 00 00 04  08 07 62 00  # ping' | bridgectl decode --as client",
        "bridgectl capture - -n 2 | bridgectl decode - | jq -c '[.direction,.name]'",
    ]
    static let options = ["as"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let path = arguments.operands.first ?? "-"
        let side = try arguments.watching.side.map { text throws(Exit) in try FrameSide(text) }
        let name = path == "-" ? "standard input" : path
        for record in try CaptureReader.read(try FileBytes.read(path), name, side) {
            if output.prefersJSON {
                output.print(output.isPretty ? JSONText.pretty(record.json) : record.json)
            } else {
                output.print(record.text)
            }
        }
    }
}
