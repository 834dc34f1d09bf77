import Synchronization

/// A regular expression that a whole text has to match (IN-30).
///
/// It reads code points, as the SDK's own expressions do, not grapheme clusters.
final class TextPattern: Sendable {
    /// The lock guards the expression, which is no `Sendable` value by itself.
    private let regex: Mutex<Regex<AnyRegexOutput>>

    /// nil when it does not compile: then it is ignored.
    init?(_ pattern: String) {
        do {
            regex = Mutex(try Regex(pattern).matchingSemantics(.unicodeScalar))
        } catch {
            return nil
        }
    }

    /// Whether the first match in the text is the whole text.
    func accepts(_ text: String) -> Bool {
        regex.withLock { regex in
            do {
                guard let match = try regex.firstMatch(in: text) else { return false }
                return match.range == text.startIndex..<text.endIndex
            } catch {
                return false
            }
        }
    }
}
