import FlowEngine

/// Reads a file of `onboardings/`.
struct OnboardingReader {
    let scope: DocumentScope

    /// Reads the onboarding of that id.
    func onboarding(_ cursor: JSONCursor, id: String) -> OnboardingContent? {
        guard let object = cursor.object("an onboarding: an object with \"screens\"") else {
            return nil
        }
        defer { object.close() }
        LocaleReader(scope: scope).readLocales(of: object)
        return OnboardingContent(
            id: id, locales: scope.locales, defaultLocale: scope.defaultLocale,
            screens: ScreenReader(scope: scope).screens(of: object))
    }
}
