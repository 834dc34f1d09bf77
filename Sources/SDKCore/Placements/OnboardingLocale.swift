import FlowEngine

/// A locale as onboardings are matched by: lower case, `_` as `-` (PL-6).
struct OnboardingLocale: Equatable {
    private let id: String

    /// Blank: `en`.
    init(_ text: String) {
        let trimmed = text.trimmed()
        id = trimmed.isEmpty ? "en" : String(trimmed.lowercased().map { $0 == "_" ? "-" : $0 })
    }

    static func == (a: Self, b: Self) -> Bool { a.id.isExactly(b.id) }

    /// The locale of the document that fits: the same, else the part before the first hyphen,
    /// else the default one.
    func index(in content: OnboardingContent) -> Int {
        if let exact = index(of: self, in: content) { return exact }
        return index(of: OnboardingLocale(language), in: content) ?? content.defaultLocale
    }

    /// The part before the first hyphen.
    private var language: String { String(id.prefix { $0 != "-" }) }

    /// Whether both are of one language (PL-48).
    func hasLanguage(of other: Self) -> Bool { language.isExactly(other.language) }

    private func index(of wanted: Self, in content: OnboardingContent) -> Int? {
        content.locales.firstIndex { OnboardingLocale($0.id) == wanted }
    }
}
