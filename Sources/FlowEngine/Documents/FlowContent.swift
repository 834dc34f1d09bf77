/// How a timer behaves when it is started again (FC-15).
public enum TimerMode: Sendable, Hashable {
    case restart, `continue`, persisted, custom
}

/// A timer of a flow (FC-14 to FC-16).
public struct TimerDocument: Sendable, Equatable {
    /// What texts and the app's map call it.
    public var id: String
    /// What happens when it is started again.
    public var mode: TimerMode
    /// How long it runs, in milliseconds.
    public var durationMs: Int64
    /// A fixed end that wins over the mode, in Unix milliseconds.
    public var endsAt: Instant?
    /// What runs at its end, once.
    public var actions: [ActionDocument]

    /// Makes a timer.
    public init(
        id: String, mode: TimerMode = .continue, durationMs: Int64, endsAt: Instant? = nil,
        actions: [ActionDocument] = []
    ) {
        self.id = id
        self.mode = mode
        self.durationMs = durationMs
        self.endsAt = endsAt
        self.actions = actions
    }
}

/// A navigator: a place that shows one live screen (NAV-17).
public struct NavigatorDocument: Sendable, Equatable {
    /// What actions call it.
    public var id: String
    /// The navigator with the highest order is on top.
    public var order: Int

    /// Makes a navigator.
    public init(id: String, order: Int) {
        self.id = id
        self.order = order
    }
}

/// The content of a flow document, as the catalog gives it.
public struct FlowContent: Sendable, Equatable {
    /// Flow version id.
    public var id: String
    /// In the order of `LocalizedText.texts`.
    public var locales: [LocaleDocument]
    /// Index in `locales`.
    public var defaultLocale: Int
    /// In the order that `screen_order` counts (NAV-4).
    public var screens: [ScreenDocument]
    /// Always holds the main one first.
    public var navigators: [NavigatorDocument]
    /// The timers that texts and actions name.
    public var timers: [TimerDocument]
    /// Variables with their initial values.
    public var variables: [String: VariableValue]
    /// False: published before the feature (NAV-13).
    public var reportsAnalytics: Bool

    /// Makes the content of a flow.
    public init(
        id: String, locales: [LocaleDocument] = [LocaleDocument(id: "en")], defaultLocale: Int = 0,
        screens: [ScreenDocument],
        navigators: [NavigatorDocument] = [NavigatorDocument(id: "main", order: 0)],
        timers: [TimerDocument] = [], variables: [String: VariableValue] = [:],
        reportsAnalytics: Bool = true
    ) {
        self.id = id
        self.locales = locales
        self.defaultLocale = defaultLocale
        self.screens = screens
        self.navigators = navigators
        self.timers = timers
        self.variables = variables
        self.reportsAnalytics = reportsAnalytics
    }
}

/// The content of an onboarding document.
public struct OnboardingContent: Sendable, Equatable {
    /// Reported as `onboardingId`.
    public var id: String
    /// In the order of `LocalizedText.texts`.
    public var locales: [LocaleDocument]
    /// Index in `locales`.
    public var defaultLocale: Int
    /// In the order that `screenIndex` counts (OB-3).
    public var screens: [ScreenDocument]

    /// Makes the content of an onboarding.
    public init(
        id: String, locales: [LocaleDocument] = [LocaleDocument(id: "en")], defaultLocale: Int = 0,
        screens: [ScreenDocument]
    ) {
        self.id = id
        self.locales = locales
        self.defaultLocale = defaultLocale
        self.screens = screens
    }
}
