import Glibc

/// A text that is compared and hashed byte by byte.
///
/// Swift's `String` takes a composed and a decomposed letter for one; IDs and typed text keep
/// them apart (GEN-4, IN-66, PL-1, PL-16).
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: ExactText, b: ExactText) -> Bool {
        a.text.isExactly(b.text)
    }

    package func hash(into hasher: inout Hasher) {
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
    package func isExactly(_ other: String) -> Bool {
        let count = utf8.count
        if count != other.utf8.count { return false }
        if count == 0 { return true }
        let same = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                // Empty ones are dealt with, so both have an address.
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else {
                    return false
                }
                return memcmp(mine, theirs, count) == 0
            }
        }
        if let same, let same { return same }
        return utf8.elementsEqual(other.utf8)
    }

    /// Whether it comes first when both are compared as UTF-8 bytes (PL-24, GEN-3).
    package func precedesInBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Whether it has nothing but white space and line ends (GEN-5).
    var isBlank: Bool {
        unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }
}

extension Dictionary where Key == String {
    /// The value of that very name, compared without Unicode normalisation.
    func exactly(_ name: String) -> Value? {
        guard let place = index(forKey: name), keys[place].isExactly(name) else { return nil }
        return values[place]
    }
}
