/// What may be typed into a field, and what becomes of it (GEN-13, IN-30, IN-32).
public enum TextEntry {
    /// Bounds: 32 KiB of UTF-8 for one text; `textBytesMax` of the bridge's limits (GEN-13).
    public static let bytesMax = 32 * 1024

    /// Refuses a text that no finger can type into that field; the message never holds the text.
    static func check(_ text: String, for field: FieldEntry, named name: String)
        throws(GestureRefusal)
    {
        let count = text.utf8.count
        if count > bytesMax {
            throw GestureRefusal(
                .limitExceeded,
                "the text for \"\(name)\" has \(count) bytes; at most \(bytesMax) are allowed",
                field: "text")
        }
        switch firstFault(in: text, isMultiline: field.document.isMultiline) {
        case nil: return
        case .lineEnd:
            throw GestureRefusal(
                .invalidArgument,
                "the text for \"\(name)\" has a line break, and that field has a single line",
                field: "text")
        case .control(let scalar):
            throw GestureRefusal(
                .invalidArgument,
                "the text for \"\(name)\" has the control character U+\(hex(scalar)); "
                    + "remove it",
                field: "text")
        }
    }

    /// The text that the field holds after typing `typed` over `former` (IN-30).
    static func accepted(_ typed: String, over former: String, in field: FieldEntry) -> String {
        var text = typed
        if let max = field.document.maxLength, text.utf8.count > max {
            text = String(text.prefix(max))
        }
        if text.isEmpty { return text }
        if let pattern = field.pattern, !pattern.accepts(text) { return former }
        return text
    }

    private enum Fault {
        case lineEnd
        case control(Unicode.Scalar)
    }

    private static func firstFault(in text: String, isMultiline: Bool) -> Fault? {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
                if !isMultiline { return .lineEnd }
            case 0..<0x20, 0x7F..<0xA0: return .control(scalar)
            default: continue
            }
        }
        return nil
    }

    private static func hex(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
