/// Decides which addresses of links and URL actions can be resolved (ACT-5).
package enum LinkAddress {
    /// Whether it is an absolute URL: a scheme (RFC 3986, 3.1), a colon, and something after it,
    /// without white space or control characters.
    package static func isResolvable(_ url: String) -> Bool {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: 0x3A), let first = bytes.first, isLetter(first),
            bytes[..<colon].allSatisfy(isSchemeByte), bytes.index(after: colon) < bytes.endIndex
        else { return false }
        return url.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D
            || byte == 0x2E
    }
}
