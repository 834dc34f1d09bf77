/// Reads the text of a number field as a JSON number (OB-27, OB-58).
enum NumberText {
    /// nil: no JSON number, or one beyond the range of a double. White space around it is ignored.
    static func value(of text: String) -> Double? {
        let bytes = trimmed(text)
        guard isNumber(bytes[...]), let value = Double(String(decoding: bytes, as: UTF8.self)),
            value.isFinite
        else { return nil }
        return value
    }

    private static func trimmed(_ text: String) -> [UInt8] {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return [] }
        return Array(text[first...last].utf8)
    }

    /// The grammar of RFC 8259, section 6.
    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if rest.first == 0x2D { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return false }
        rest = rest.dropFirst(whole.count)
        if rest.first == 0x2E {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(fraction.count + 1)
        }
        if rest.first == 0x65 || rest.first == 0x45 {
            rest.removeFirst()
            if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
            guard !rest.isEmpty else { return false }
            rest = rest.drop(while: isDigit)
        }
        return rest.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }
}
