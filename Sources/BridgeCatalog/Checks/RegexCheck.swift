/// Looks whether the pattern of a field compiles (IN-30).
enum RegexCheck {
    /// What is wrong with a pattern; nil when it compiles.
    static func fault(of pattern: String) -> String? {
        do {
            _ = try Regex(pattern)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
