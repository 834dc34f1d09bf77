/// Names a view of a device: a UUID drawn from the device's seed (VW-1).
///
/// Its text has 36 characters with upper-case digits, as Foundation prints UUIDs; no other
/// spelling is read.
public struct ViewID: Sendable, Hashable {
    /// The first 8 bytes, big-endian.
    public let high: UInt64
    /// The last 8 bytes, big-endian.
    public let low: UInt64

    /// Makes an id from its 128 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the text of an id; nil unless it is exactly what `description` would print.
    public init?(_ text: String) {
        let parsed = text.utf8.withContiguousStorageIfAvailable { ViewID(utf8: $0) }
        guard let id = parsed ?? ViewID(copying: text) else { return nil }
        self = id
    }

    /// Reads the bytes of an id's text, without allocating; nil as for `init(_:)`.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == Self.textBytes else { return nil }
        let hyphen = UInt8(ascii: "-")
        var faults = (bytes[8] ^ hyphen) | (bytes[13] ^ hyphen)
        faults |= (bytes[18] ^ hyphen) | (bytes[23] ^ hyphen)
        let first = Self.digits(bytes, 0..<8, &faults)
        let second = Self.digits(bytes, 9..<13, &faults)
        let third = Self.digits(bytes, 14..<18, &faults)
        let fourth = Self.digits(bytes, 19..<23, &faults)
        let fifth = Self.digits(bytes, 24..<36, &faults)
        guard faults == 0 else { return nil }
        self.init(high: first << 32 | second << 16 | third, low: fourth << 48 | fifth)
    }

    /// Bytes of an id's text.
    public static let textBytes = 36

    private init?(copying text: String) {
        var copy = text
        guard let id = copy.withUTF8({ ViewID(utf8: $0) }) else { return nil }
        self = id
    }

    private static func isHyphen(_ place: Int) -> Bool {
        place == 8 || place == 13 || place == 18 || place == 23
    }

    /// The number that the digits spell; `faults` is not 0 after one that is none.
    private static func digits(
        _ bytes: UnsafeBufferPointer<UInt8>, _ places: Range<Int>, _ faults: inout UInt8
    ) -> UInt64 {
        var word: UInt64 = 0
        for place in places {
            let decimal = bytes[place] &- 0x30
            let letter = bytes[place] &- 0x41
            let digit = decimal < 10 ? decimal : letter &+ 10
            if decimal >= 10 && letter >= 6 { faults = 1 }
            word = word << 4 | UInt64(digit)
        }
        return word
    }
}

extension ViewID: CustomStringConvertible {
    /// The 36 characters.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.textBytes) { buffer in
            write(to: buffer)
            return Self.textBytes
        }
    }

    /// Writes the 36 characters to the start of the buffer, which must have room for them.
    public func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
        precondition(buffer.count >= Self.textBytes, "a view id needs 36 bytes")
        var shift = 60
        var word = high
        for place in 0..<Self.textBytes {
            if Self.isHyphen(place) {
                buffer[place] = UInt8(ascii: "-")
                continue
            }
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 0xf
            buffer[place] = digit < 10 ? 0x30 + digit : 0x41 + digit - 10
            shift -= 4
            if shift < 0 {
                shift = 60
                word = low
            }
        }
    }
}
