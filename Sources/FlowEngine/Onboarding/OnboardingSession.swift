/// One onboarding on screen, or ready to be: the runtime behind an onboarding controller.
public struct OnboardingSession: ViewRuntime {
    /// How far loading came (OB-5 to OB-7).
    enum Loading: Sendable {
        case notStarted, done, failed
    }

    /// Screens that going back remembers at most; the oldest are forgotten.
    static let historyMax = 1000

    let document: OnboardingDocument
    let opensExternalBrowser: Bool
    /// Whether its content can be fetched when it appears for the first time (OB-5, OB-7).
    public var isReachable: Bool
    private let locale: Int
    var loading = Loading.notStarted
    var isShown = false
    var isInBackground = false
    var inputs = InputState()
    /// Index of the screen that is open.
    var screen = 0
    var history: [Int32] = []
    /// The screen of index 1 was shown before (OB-37).
    var sawSecondScreen = false
    /// A screen with the ID `final` was shown in this presentation (OB-42).
    var sawFinalScreen = false
    /// Slots of the e-mail fields that were collected in this presentation (OB-41).
    var collectedEmails: [Int32] = []

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

    /// Handles one input and appends its effects, in order.
    ///
    /// - Throws: `GestureRefusal` for an impossible gesture; then nothing changed (GEN-6).
    public mutating func handle(
        _ input: ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        switch input {
        case .gesture(let gesture): try perform(gesture, environment, &effects)
        case .appear: appear(&effects)
        case .disappear:
            inputs.dropPending(document.screens)
            isShown = false
        case .enterBackground:
            inputs.dropPending(document.screens)
            isInBackground = true
        case .enterForeground: isInBackground = false
        case .timeReached, .productsLoaded, .requestEnded: break
        case .alertAnswered:
            throw GestureRefusal(
                .wrongState, "no alert is open: an onboarding has none", field: "alert_action_id")
        case .message(let json): try deliver(json, &effects)
        }
    }

    /// Always nil: an onboarding has no timers.
    public var nextDue: Instant? { nil }

    /// The locale it is shown in.
    public var shownLocale: LocaleDocument { document.content.locales[localeIndex] }

    var localeIndex: Int {
        document.content.locales.indices.contains(locale)
            ? locale : document.content.defaultLocale
    }

    /// The screen that is open. Only for onboardings that have loaded.
    var table: ScreenTable { document.screens[screen] }

    /// Where the onboarding stands (OB-2, OB-3).
    var meta: OnboardingMeta {
        OnboardingMeta(
            onboardingID: document.content.id, screenClientID: table.id,
            screenIndex: Int32(screen), screensTotal: Int32(document.screens.tables.count))
    }

    func tell(_ callback: OnboardingCallback, _ effects: inout [ViewEffect]) {
        effects.append(.onboarding(callback, meta))
    }

    func tell(_ event: OnboardingAnalytics, _ effects: inout [ViewEffect]) {
        effects.append(.onboarding(.analytics(event), meta))
    }

    /// Loads at the first appearance (OB-5, OB-47); later ones show what was there (OB-56).
    private mutating func appear(_ effects: inout [ViewEffect]) {
        isShown = true
        isInBackground = false
        sawFinalScreen = false
        collectedEmails.removeAll()
        guard loading == .notStarted else { return }
        guard isReachable, !document.screens.tables.isEmpty else {
            loading = .failed
            return effects.append(
                .onboardingFailed(
                    ViewError(
                        code: 4200, name: "webKit",
                        message: "the onboarding cannot be loaded: the network is not reachable")))
        }
        loading = .done
        presetPickers()
        tell(.didFinishLoading, &effects)
        tell(.onboardingStarted, &effects)
        announce(&effects)
    }

    private mutating func presetPickers() {
        for entry in document.screens.tables.lazy.flatMap(\.entries) {
            guard case .picker(let picker) = entry.content,
                let date = picker.document.initial?.date
            else { continue }
            inputs.setWord(picker.slot, to: OnboardingDate(date).word)
        }
    }
}
