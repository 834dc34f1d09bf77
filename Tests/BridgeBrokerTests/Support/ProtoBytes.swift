/// Protobuf written by hand, so that tests can also write what no library would.
enum ProtoBytes {
    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// A field of a number.
    static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
        varint(field << 3) + varint(value)
    }

    /// A field of bytes, a text or a message.
    static func bytes(_ field: UInt64, _ payload: [UInt8] = []) -> [UInt8] {
        varint(field << 3 | 2) + varint(UInt64(payload.count)) + payload
    }

    static func text(_ field: UInt64, _ text: String) -> [UInt8] {
        bytes(field, Array(text.utf8))
    }

    /// A frame with the id of a request and one member of its body, framed.
    static func request(_ id: UInt64, _ method: UInt64, _ payload: [UInt8] = []) -> [UInt8] {
        framed(number(1, id) + bytes(method, payload))
    }
}

/// A frame: four bytes of length, big-endian, then the payload.
func framed(_ payload: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(payload.count).bigEndian) { Array($0) } + payload
}
