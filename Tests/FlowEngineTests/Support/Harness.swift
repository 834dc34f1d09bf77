import Testing

@testable import FlowEngine

/// A session with a clock, a zone and a record of its effects.
struct Harness<Session: ViewRuntime> {
    var session: Session
    var now = Instant(ms: 1_705_320_000_000)  // 2024-01-15T12:00:00Z
    var zone = TimeZoneRules.utc
    private(set) var effects: [ViewEffect] = []

    init(_ session: Session) {
        self.session = session
    }

    var environment: ViewEnvironment { ViewEnvironment(now: now, zone: zone) }

    /// What came since the last look, as lines.
    mutating func take() -> [String] {
        defer { effects = [] }
        return effects.map(\.line)
    }

    mutating func takeEffects() -> [ViewEffect] {
        defer { effects = [] }
        return effects
    }

    mutating func send(_ input: ViewInput) throws {
        try session.handle(input, in: environment, effects: &effects)
    }

    mutating func perform(_ gestures: Gesture...) throws {
        for gesture in gestures { try send(.gesture(gesture)) }
    }

    /// The refusal of a gesture; fails the test if it was possible.
    mutating func refusal(
        of gesture: Gesture, sourceLocation: SourceLocation = #_sourceLocation
    ) -> GestureRefusal? {
        do {
            try send(.gesture(gesture))
            Issue.record("\(gesture) was possible", sourceLocation: sourceLocation)
            return nil
        } catch {
            return error as? GestureRefusal
        }
    }

    /// Presents the view and forgets what that caused.
    mutating func present() throws {
        try send(.appear)
        effects = []
    }

    /// Lets time pass, waking the session at each instant that it asks for.
    mutating func advance(byMs span: Int64) throws {
        let end = now.advanced(byMs: span)
        while let due = session.nextDue, due <= end {
            now = max(now, due)
            try send(.timeReached)
        }
        now = end
    }

    func element(_ name: String) -> ElementSnapshot? {
        session.snapshot(elements: 0..<1000).last?.elements.first { $0.id == name }
    }

    /// The text, instant or flag that an element shows.
    func value(_ name: String) -> ElementValue? { element(name)?.value }

    /// Names of the selected options of an element.
    func selection(_ name: String) -> [String] {
        element(name)?.options.filter(\.isSelected).map(\.id) ?? []
    }

    var screenID: String? { session.snapshot(elements: 0..<0).last?.screenID }
}

extension Harness where Session == FlowSession {
    /// A flow of these screens in English.
    init(
        _ screens: ScreenDocument..., timers: [TimerDocument] = [],
        variables: [String: VariableValue] = [:], navigators: [NavigatorDocument] = [.main],
        options: FlowSessionOptions = FlowSessionOptions(locale: 0), reportsAnalytics: Bool = true
    ) {
        self.init(
            FlowContent(
                id: "flow", screens: screens, navigators: navigators, timers: timers,
                variables: variables, reportsAnalytics: reportsAnalytics), options: options)
    }

    init(_ content: FlowContent, options: FlowSessionOptions = FlowSessionOptions(locale: 0)) {
        self.init(FlowSession(document: FlowDocument(content), options: options))
    }
}

extension Harness where Session == OnboardingSession {
    /// An onboarding of these screens in English.
    init(
        _ screens: ScreenDocument..., id: String = "onboarding_123", isReachable: Bool = true,
        opensExternalBrowser: Bool = false
    ) {
        self.init(
            OnboardingSession(
                document: OnboardingDocument(OnboardingContent(id: id, screens: screens)),
                locale: 0, opensExternalBrowser: opensExternalBrowser, isReachable: isReachable))
    }
}
