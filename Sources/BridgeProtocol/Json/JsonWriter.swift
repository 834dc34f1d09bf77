import CBridgeWire

/// Writes JSON tokens straight into a buffer.
///
/// Bytes count in the buffer once `finish` was called. Every character at which some reader splits
/// lines is escaped: C0, U+007F, C1 with U+0085, U+2028, U+2029.
struct JsonWriter {
    private let buffer: ByteBuffer
    private var start: UnsafeMutablePointer<UInt8>
    private var at: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
        start = buffer.reserve(256).assumingMemoryBound(to: UInt8.self)
        at = start
        end = start + buffer.writableBytes
    }

    /// Bytes written and not handed to the buffer yet, and those of the buffer before them.
    var count: Int { buffer.count + (at - start) }

    /// Hands what was written to the buffer.
    mutating func finish() {
        buffer.commit(at - start)
        start = at
    }

    /// Makes sure that `bytes` bytes fit.
    @inline(__always)
    private mutating func need(_ bytes: Int) {
        if end - at < bytes { grow(bytes) }
    }

    @inline(never)
    private mutating func grow(_ bytes: Int) {
        buffer.commit(at - start)
        start = buffer.reserve(max(bytes, 256)).assumingMemoryBound(to: UInt8.self)
        at = start
        end = start + buffer.writableBytes
    }

    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        need(1)
        at.pointee = byte
        at += 1
    }

    /// Bytes that are JSON already.
    @inline(__always)
    mutating func raw(_ text: UnsafePointer<CChar>, _ count: Int) {
        need(count)
        UnsafeMutableRawPointer(at).copyMemory(from: text, byteCount: count)
        at += count
    }

    mutating func raw(_ text: StaticString) {
        need(text.utf8CodeUnitCount)
        at.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        at += text.utf8CodeUnitCount
    }

    mutating func ascii(_ text: String) {
        for code in text.utf8 { byte(code) }
    }

    /// A decimal number, without quotes.
    mutating func unsigned(_ value: UInt64) {
        need(20)
        if value < 10 {
            at.pointee = 0x30 + UInt8(truncatingIfNeeded: value)
            at += 1
            return
        }
        var digits = 1
        var limit: UInt64 = 10
        while value >= limit {
            digits += 1
            if digits == 20 { break }
            limit *= 10
        }
        var rest = value
        var place = at + digits
        at = place
        for _ in 0..<digits {
            place -= 1
            place.pointee = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    mutating func signed(_ value: Int64) {
        if value < 0 { byte(UInt8(ascii: "-")) }
        unsigned(value.magnitude)
    }

    /// The shortest text that reads back as the same double; NaN and infinities as strings.
    mutating func double(_ value: Double) {
        if value.isFinite {
            ascii(value.description)
        } else if value.isNaN {
            raw("\"NaN\"")
        } else {
            raw(value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
        }
    }

    mutating func float(_ value: Float) {
        if value.isFinite { ascii(value.description) } else { double(Double(value)) }
    }

    /// Standard base64 with padding, in quotes.
    mutating func base64(_ bytes: UnsafeBufferPointer<UInt8>) {
        need((bytes.count + 2) / 3 * 4 + 2)
        byte(UInt8(ascii: "\""))
        var i = 0
        while i < bytes.count {
            let left = bytes.count - i
            let b0 = bytes[i]
            let b1 = left > 1 ? bytes[i + 1] : 0
            let b2 = left > 2 ? bytes[i + 2] : 0
            at[0] = base64Digit(b0 >> 2)
            at[1] = base64Digit((b0 & 3) << 4 | b1 >> 4)
            at[2] = left > 1 ? base64Digit((b1 & 15) << 2 | b2 >> 6) : UInt8(ascii: "=")
            at[3] = left > 2 ? base64Digit(b2 & 63) : UInt8(ascii: "=")
            at += 4
            i += 3
        }
        byte(UInt8(ascii: "\""))
    }

    /// A text in quotes. The bytes are valid UTF-8.
    mutating func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        need(count * 6 + 10)
        at.pointee = UInt8(ascii: "\"")
        at += 1
        var i = 0
        while i < count {
            if count - i >= 8 {
                let word = UnsafeRawPointer(bytes + i).loadUnaligned(as: UInt64.self)
                UnsafeMutableRawPointer(at).storeBytes(of: word, as: UInt64.self)
                let plain = plainBytes(word.littleEndian)
                at += plain
                i += plain
                if plain == 8 { continue }
            }
            i += character(bytes + i, count - i)
        }
        at.pointee = UInt8(ascii: "\"")
        at += 1
    }

    /// Writes the character at `bytes`, escaped if need be, and returns how many bytes it took.
    @inline(__always)
    private mutating func character(_ bytes: UnsafePointer<UInt8>, _ left: Int) -> Int {
        let code = bytes[0]
        if code >= 0x20 && code < 0x7F && code != 0x22 && code != 0x5C {
            at.pointee = code
            at += 1
            return 1
        }
        return special(bytes, left)
    }

    private mutating func special(_ bytes: UnsafePointer<UInt8>, _ left: Int) -> Int {
        let code = bytes[0]
        if code < 0x80 {
            escapeAscii(code)
            return 1
        }
        if code == 0xC2 && left > 1 && bytes[1] < 0xA0 {
            escape(UInt16(bytes[1]))
            return 2
        }
        if code == 0xE2 && left > 2 && bytes[1] == 0x80 && (bytes[2] == 0xA8 || bytes[2] == 0xA9) {
            escape(0x2000 | UInt16(bytes[2] & 0x3F))
            return 3
        }
        at.pointee = code
        at += 1
        return 1
    }

    private mutating func escapeAscii(_ code: UInt8) {
        switch code {
        case 0x22, 0x5C: short(code)
        case 0x08: short(UInt8(ascii: "b"))
        case 0x09: short(UInt8(ascii: "t"))
        case 0x0A: short(UInt8(ascii: "n"))
        case 0x0C: short(UInt8(ascii: "f"))
        case 0x0D: short(UInt8(ascii: "r"))
        default: escape(UInt16(code))
        }
    }

    private mutating func short(_ letter: UInt8) {
        at[0] = 0x5C
        at[1] = letter
        at += 2
    }

    private mutating func escape(_ unit: UInt16) {
        at[0] = 0x5C
        at[1] = UInt8(ascii: "u")
        for i in 0..<4 {
            let digit = UInt8(truncatingIfNeeded: unit >> (12 - 4 * UInt16(i))) & 15
            at[2 + i] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
        at += 6
    }
}

/// How many of eight bytes, from the first in memory on, need no escape: all from 0x20 to 0x7E, no
/// quote, no backslash.
@inline(__always)
private func plainBytes(_ word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let below = (word &- ones &* 0x20) & ~word
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let delete = word ^ (ones &* 0x7F)
    let found =
        word | below | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        | ((delete &- ones) & ~delete)
    // A borrow may mark a byte behind a real hit too, never one before it.
    return (found & highs).trailingZeroBitCount >> 3
}

private func base64Digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: 0x41 + value
    case 26..<52: 0x61 + value - 26
    case 52..<62: 0x30 + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
}
