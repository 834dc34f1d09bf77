/// The form of text that counts as an e-mail address for `userEmailCollected` (OB-41).
enum EmailForm {
    /// Whether it is `x@y`: one `@`, something on both sides, no white space.
    static func matches(_ text: String) -> Bool {
        let sides = text.utf8.split(separator: 0x40, omittingEmptySubsequences: false)
        return sides.count == 2 && sides.allSatisfy { !$0.isEmpty }
            && !text.unicodeScalars.contains { $0.properties.isWhitespace }
    }
}
