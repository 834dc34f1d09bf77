/// An onboarding made ready to run: its content and the tables that all of its sessions share.
public final class OnboardingDocument: Sendable {
    /// The content it was made from.
    public let content: OnboardingContent

    let screens: ScreenSet

    /// Makes the tables. A locale is put in if there is none.
    public init(_ content: OnboardingContent) {
        var content = content
        content.defaultLocale = LocaleDocument.complete(
            &content.locales, default: content.defaultLocale)
        self.content = content
        var builder = ScreenTableBuilder(defaultLocale: content.defaultLocale)
        screens = ScreenSet(
            content.screens.enumerated().map { index, screen in
                let names = NameTable(screen.elements.map(\.id))
                return ScreenTable(
                    index: index, document: screen, names: names,
                    entries: builder.entries(of: screen, names: names),
                    isLast: index == content.screens.count - 1)
            })
    }

    /// The index of a locale id, compared exactly; nil: none of that id.
    public func localeIndex(of id: String) -> Int? {
        content.locales.firstIndex { $0.id.isExactly(id) }
    }
}
