/// Walks the fields of one serialized protobuf message. Trusts its bytes to be sound, and stops
/// where they are not.
struct ProtoReader: Sequence, IteratorProtocol {
    /// One field as it is on the wire.
    struct Field {
        let number: Int
        /// Of a varint or a fixed-width field.
        let integer: UInt64
        /// Of a length-delimited field.
        let bytes: ArraySlice<UInt8>

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func next() -> Field? {
        guard let tag = varint() else { return nil }
        let number = Int(truncatingIfNeeded: tag >> 3)
        switch tag & 7 {
        case 0:
            guard let value = varint() else { return nil }
            return Field(number: number, integer: value, bytes: [])
        case 1: return fixed(8, number)
        case 5: return fixed(4, number)
        case 2:
            guard let length = varint(), length <= rest.count else { return nil }
            let bytes = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            return Field(number: number, integer: 0, bytes: bytes)
        default: return nil
        }
    }

    private mutating func fixed(_ width: Int, _ number: Int) -> Field? {
        guard rest.count >= width else { return nil }
        let value = rest.prefix(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(width)
        return Field(number: number, integer: value, bytes: [])
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
