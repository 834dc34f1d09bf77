/// Writes compact JSON as UTF-8, without Foundation.
///
/// Beside what JSON demands it escapes U+007F, U+0085, U+2028 and U+2029, so that no line reader
/// splits a payload. Keys come in the order of the calls; the caller keeps objects well formed.
public struct PayloadWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8]
    /// Whether the next member or item needs a comma before it.
    private var needsComma = false

    /// Makes a writer that appends to `bytes`.
    public init(appendingTo bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// The text written.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Opens an object as the next value.
    public mutating func beginObject() { open(0x7B) }

    /// Closes the object opened last.
    public mutating func endObject() { close(0x7D) }

    /// Opens an array as the next value.
    public mutating func beginArray() { open(0x5B) }

    /// Closes the array opened last.
    public mutating func endArray() { close(0x5D) }

    /// Writes the key of the next value.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        separate()
        quote(value)
        needsComma = true
    }

    /// Writes an integer, bare.
    public mutating func integer(_ value: Int64) {
        raw(value.description)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// Writes a finite double; a whole one without a fraction, -0.0 as `0` (OB-58).
    ///
    /// JSON has no word for infinities and NaN: they become `null`.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return raw("null") }
        if let whole = Int64(exactly: value) { return integer(whole) }
        raw(value.description)
    }

    /// Writes a finite double that stays apart from an integer: a whole one ends in `.0`.
    public mutating func double(_ value: Double) {
        raw(value.isFinite ? value.description : "null")
    }

    /// Writes JSON that holds several members or parts of them; the caller sees to the commas.
    mutating func fragment(_ json: StaticString) {
        json.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = false
    }

    /// Writes text that is JSON already.
    private mutating func raw(_ value: String) {
        separate()
        bytes.append(contentsOf: value.utf8)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
    }

    private mutating func quote(_ value: String) {
        PayloadWriter.quote(value, to: &bytes)
    }
}
