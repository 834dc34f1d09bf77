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
        bytes.append(0x22)
        let isWritten = value.utf8.withContiguousStorageIfAvailable { text in
            guard text.allSatisfy(Self.isPlain) else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        if isWritten != true {
            for scalar in value.unicodeScalars { append(scalar) }
        }
        bytes.append(0x22)
    }

    /// Whether a byte stands for itself: ASCII that needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22: escape(0x22)
        case 0x5C: escape(0x5C)
        case 0x08: escape(0x62)
        case 0x09: escape(0x74)
        case 0x0A: escape(0x6E)
        case 0x0C: escape(0x66)
        case 0x0D: escape(0x72)
        case 0..<0x20, 0x7F, 0x85, 0x2028, 0x2029: escapeUnit(scalar.value)
        case 0x20..<0x7F: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        default: bytes.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
        }
    }

    private mutating func escape(_ letter: UInt8) {
        bytes.append(0x5C)
        bytes.append(letter)
    }

    private mutating func escapeUnit(_ unit: UInt32) {
        escape(0x75)
        for shift: UInt32 in [12, 8, 4, 0] {
            let digit = UInt8((unit >> shift) & 0xF)
            bytes.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
        }
    }
}
