/// Decodes base64 in either alphabet, padded or not, and returns the number of bytes; nil for
/// text that is no base64. `out` has room for three bytes in four, and four more.
func decodeBase64(
    _ text: UnsafeBufferPointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>
) -> Int? {
    var end = text.count
    while end > 0 && text.count - end < 2 && text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    if end != text.count && text.count % 4 != 0 { return nil }
    if end % 4 == 1 { return nil }
    var written = 0
    var bits: UInt32 = 0
    for i in 0..<end {
        guard let digit = base64Value(text[i]) else { return nil }
        bits = bits << 6 | digit
        if i % 4 == 3 {
            out[written] = UInt8(truncatingIfNeeded: bits >> 16)
            out[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            out[written + 2] = UInt8(truncatingIfNeeded: bits)
            written += 3
        }
    }
    switch end % 4 {
    case 2:
        out[written] = UInt8(truncatingIfNeeded: bits >> 4)
        written += 1
    case 3:
        out[written] = UInt8(truncatingIfNeeded: bits >> 10)
        out[written + 1] = UInt8(truncatingIfNeeded: bits >> 2)
        written += 2
    default: break
    }
    return written
}

private func base64Value(_ code: UInt8) -> UInt32? {
    switch code {
    case 0x41...0x5A: UInt32(code - 0x41)
    case 0x61...0x7A: UInt32(code - 0x61) + 26
    case 0x30...0x39: UInt32(code - 0x30) + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
}
