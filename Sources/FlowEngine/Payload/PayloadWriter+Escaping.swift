extension PayloadWriter {
    /// Appends text between quotes, escaping what JSON or a line reader needs escaped. Runs of
    /// bytes that need none are copied as a whole.
    static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        var text = text
        text.withUTF8 { escape($0, to: &bytes) }
        bytes.append(0x22)
    }

    private static func escape(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        var place = 0
        while place < text.count {
            let width = escapedWidth(text, place)
            guard width > 0 else {
                place += 1
                continue
            }
            bytes.append(contentsOf: text[start..<place])
            append(scalar(text, place, width), to: &bytes)
            place += width
            start = place
        }
        bytes.append(contentsOf: text[start...])
    }

    /// How many bytes of a code point to be escaped begin there; 0: none does.
    private static func escapedWidth(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        switch text[place] {
        case 0..<0x20, 0x22, 0x5C, 0x7F: return 1
        case 0xC2: return text[place + 1] == 0x85 ? 2 : 0
        case 0xE2:
            let isSeparator = text[place + 1] == 0x80 && (0xA8...0xA9).contains(text[place + 2])
            return isSeparator ? 3 : 0
        default: return 0
        }
    }

    private static func scalar(
        _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ width: Int
    ) -> UInt16 {
        switch width {
        case 1: UInt16(text[place])
        case 2: 0x85
        default: text[place + 2] == 0xA8 ? 0x2028 : 0x2029
        }
    }

    private static func append(_ scalar: UInt16, to bytes: inout [UInt8]) {
        bytes.append(0x5C)
        switch scalar {
        case 0x22, 0x5C: bytes.append(UInt8(scalar))
        case 0x08: bytes.append(0x62)
        case 0x09: bytes.append(0x74)
        case 0x0A: bytes.append(0x6E)
        case 0x0C: bytes.append(0x66)
        case 0x0D: bytes.append(0x72)
        default:
            bytes.append(0x75)
            for shift: UInt16 in [12, 8, 4, 0] {
                let digit = UInt8((scalar >> shift) & 0xF)
                bytes.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
            }
        }
    }
}
