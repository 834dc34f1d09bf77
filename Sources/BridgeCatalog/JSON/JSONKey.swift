import CJansson

/// Reads keys out of a text that a `JSONScanner` has walked over.
enum JSONKey {
    /// The text of a key, whose place has the quotes in it; nil: it has an escape that stands for
    /// no text, such as half a surrogate pair.
    static func text(_ bytes: UnsafeRawBufferPointer, in place: Range<Int>) -> String? {
        let inner = bytes[place.lowerBound + 1..<place.upperBound - 1]
        guard inner.contains(UInt8(ascii: "\\")) else {
            return String(decoding: inner, as: UTF8.self)
        }
        let quoted = UnsafeRawBufferPointer(rebasing: bytes[place])
        var error = json_error_t()
        let root = fb_json_load(
            quoted.baseAddress?.assumingMemoryBound(to: CChar.self), quoted.count,
            Int(JSON_DECODE_ANY), &error)
        guard let root else { return nil }
        defer { json_decref(root) }
        guard let start = json_string_value(root) else { return nil }
        return String(
            decoding: UnsafeRawBufferPointer(start: start, count: json_string_length(root)),
            as: UTF8.self)
    }
}
