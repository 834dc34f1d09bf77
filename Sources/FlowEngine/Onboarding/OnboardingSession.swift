/// One onboarding on screen, or ready to be.
public struct OnboardingSession: ViewRuntime {
    let document: OnboardingDocument
    let locale: Int
    let opensExternalBrowser: Bool
    /// Whether its content can be fetched when it appears for the first time (OB-5, OB-7).
    public var isReachable: Bool
    var isLoaded = false

    /// Makes a session that has loaded nothing yet (OB-5).
    ///
    /// - Parameters:
    ///   - locale: Index in `OnboardingContent.locales`; out of range: the default locale.
    ///   - opensExternalBrowser: Where links open (OB-57).
    ///   - isReachable: Whether loading at the first appearance succeeds (OB-7).
    public init(
        document: OnboardingDocument, locale: Int, opensExternalBrowser: Bool, isReachable: Bool
    ) {
        self.document = document
        self.locale = locale
        self.opensExternalBrowser = opensExternalBrowser
        self.isReachable = isReachable
    }

    public mutating func handle(
        _ input: ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        guard input == .appear, !isLoaded, let first = document.content.screens.first else {
            return
        }
        isLoaded = true
        let meta = OnboardingMeta(
            onboardingID: document.content.id, screenClientID: first.id, screenIndex: 0,
            screensTotal: Int32(document.content.screens.count))
        effects.append(.onboarding(.didFinishLoading, meta))
    }

    public var nextDue: Instant? { nil }

    public func snapshot(elements range: Range<Int>) -> [ScreenSnapshot] { [] }

    public var shownLocale: LocaleDocument { document.content.locales[locale] }
}
