/// What the first bytes of a connection look like when they are neither of the two modes.
enum Dialect {
    /// One line for a person who pointed the wrong program at this socket.
    ///
    /// Source: protocol.md, "Wrong dialect" and the two modes.
    static func describe(_ bytes: UnsafeRawBufferPointer) -> String {
        let seen = hex(bytes.prefix(8))
        return
            "first bytes \(seen)\(guess(bytes)): this socket speaks frames (a length of 4 bytes, "
            + "big-endian, then a protobuf message) or lines of JSON that begin with {"
    }

    /// The fault of a connection that began with `{` but goes on as no JSON object does.
    static func describeBrace(_ bytes: UnsafeRawBufferPointer) -> String {
        let next = bytes.count > 1 ? hex(bytes.dropFirst().prefix(1)) : "nothing"
        return
            "a line of JSON begins with { and a quote, here byte \(next) follows (\(hex(bytes.prefix(8)))"
            + "): if 7b was meant as a varint length of 123, this socket wants a length of 4 bytes, "
            + "big-endian"
    }

    private static func guess(_ bytes: UnsafeRawBufferPointer) -> String {
        if startsWithHTTP(bytes) { return ", which looks like an HTTP request" }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return ", a UTF-8 byte order mark" }
        guard let first = bytes.first else { return "" }
        if first == UInt8(ascii: "[") { return ", a JSON array" }
        if first == UInt8(ascii: "\"") { return ", a JSON string" }
        if bytes.count >= 4, bytes[1...3].allSatisfy({ $0 == 0 }) {
            return ", which looks like a little-endian length of \(first)"
        }
        if looksLikeText(bytes.prefix(16)) { return ", which looks like text" }
        if bytes.count > 1, Int(first) == bytes.count - 1 || first & 0x80 != 0 {
            return ", which looks like a varint length"
        }
        return ", which may be a varint length or a message without one"
    }

    private static func startsWithHTTP(_ bytes: UnsafeRawBufferPointer) -> Bool {
        ["GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "CONNECT ", "PRI * HTTP"]
            .contains { bytes.starts(with: $0.utf8) }
    }

    private static func looksLikeText(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.count > 1 && bytes.allSatisfy { (0x20..<0x7F).contains($0) || (9...13).contains($0) }
    }

    private static func hex(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
