/// A text that is compared and hashed byte by byte.
///
/// Swift's `String` takes a composed and a decomposed letter for one; IDs and typed text keep
/// them apart (GEN-4, IN-66).
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (a: ExactText, b: ExactText) -> Bool {
        a.text.hasSameBytes(as: b.text)
    }

    func hash(into hasher: inout Hasher) {
        let hashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if hashed == nil {
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

extension String {
    /// Whether both are the same code points, without Unicode normalisation.
    func hasSameBytes(as other: String) -> Bool {
        if utf8.count != other.utf8.count { return false }
        let same = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                mine.elementsEqual(theirs)
            }
        }
        if let same, let same { return same }
        return utf8.elementsEqual(other.utf8)
    }

    /// Whether it has nothing but white space and line ends (GEN-5).
    var isBlank: Bool {
        unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }
}
