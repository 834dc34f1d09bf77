/// A text that equals another only code point by code point (GEN-4, PL-1, PL-16).
///
/// Swift's `String` treats canonically equivalent texts as one; identifiers here do not.
struct ExactText: Sendable, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (a: ExactText, b: ExactText) -> Bool {
        a.text.isExactly(b.text)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8.max)
    }
}

extension String {
    /// Whether both hold the same code points.
    func isExactly(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether it comes first when both are compared as UTF-8 bytes (PL-24).
    func precedesInBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
