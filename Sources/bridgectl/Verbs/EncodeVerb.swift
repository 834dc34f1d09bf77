import BridgeProtocol
import Glibc

/// `encode`: frames from JSON, without a broker.
enum EncodeVerb: Verb {
    static let name = "encode"
    static let operands = "[JSON|-|@FILE]"
    static let operandCount = 0...1
    static let summary = "make binary frames from JSON"
    static let details = """
        Each line of the input is a frame as in line mode, of a client unless --as broker is given.
        Prints the frames as they are on the wire, with their lengths; on a terminal, or with --hex,
        as hexadecimal digits, one frame a line.
        """
    static let needsBroker = false
    static let examples = [
        "bridgectl encode --hex '{\"id\":7,\"getFlow\":{\"placementId\":\"onboarding\"}}'",
        "bridgectl encode --as broker --hex '{\"id\":7,\"ping\":{}}'",
        "bridgectl encode @hello.json | nc -U -N \"$FLOWBRIDGE_SOCKET\" | bridgectl decode --as broker",
    ]
    static let options = ["as", "hex"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let side = try arguments.watching.side.map { text throws(Exit) in try FrameSide(text) }
        let text = try input(arguments.operands.first ?? "-")
        let isHex = arguments.watching.isHex || Output.isTerminal
        let file = try GrowingFile("-")
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated()
        where !line.allSatisfy(\.isWhitespace) {
            let bytes = try frame(String(line), index + 1, side ?? .client)
            try file.write(isHex ? Array((bytes.hex + "\n").utf8) : bytes)
        }
    }

    private static func input(_ word: String) throws(Exit) -> String {
        if word != "-", !word.hasPrefix("@") { return word }
        let path = word == "-" ? "-" : String(word.dropFirst())
        return String(decoding: try FileBytes.read(path), as: UTF8.self)
    }

    private static func frame(
        _ line: String, _ number: Int, _ side: FrameSide
    ) throws(Exit) -> [UInt8] {
        let (coder, buffer) = (WireCoder(), ByteBuffer())
        do {
            try Array(line.utf8).withUnsafeBytes { bytes in
                if side == .client {
                    _ = try coder.encode(
                        try WireCoder().decodeClientFrame(line: bytes), mode: .binary, into: buffer)
                } else {
                    _ = coder.encode(
                        try WireCoder().decodeServerFrame(line: bytes), mode: .binary, into: buffer)
                }
            }
        } catch let WireFault.payload(_, error) {
            throw .usage("line \(number): \(error.message)")
        } catch {
            throw .usage("line \(number): \(error)")
        }
        return Array(buffer.readable)
    }
}
