import FlowEngine

/// The runtime of a view, whichever it is: exactly one of the two is there.
///
/// Neither an existential nor an enum: the session lies inline and is changed in its place, so
/// that a gesture copies nothing.
struct ViewSession: ViewRuntime {
    private var flow: FlowSession?
    /// At most one; a list, so that a flow keeps no room for it.
    private var onboarding: [OnboardingSession] = []
    /// Kept up to date by `handle`, so that looking at it costs nothing.
    private(set) var nextDue: Instant?

    init(_ flow: FlowSession) {
        self.flow = flow
    }

    init(_ onboarding: OnboardingSession) {
        self.onboarding = [onboarding]
    }

    /// Tells a flow the timers of the device that outlive their views (FC-15).
    mutating func keep(_ ends: [String: Instant]) {
        flow?.keptTimers = ends
    }

    mutating func handle(
        _ input: ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        if flow != nil {
            try flow?.handle(input, in: environment, effects: &effects)
            nextDue = flow?.nextDue
        } else {
            try onboarding[0].handle(input, in: environment, effects: &effects)
            nextDue = onboarding[0].nextDue
        }
    }

    /// Whether a gesture would buy or restore (ACT-28).
    func asksStore(_ gesture: Gesture) -> Bool {
        flow?.asksStore(gesture) ?? false
    }

    func snapshot(elements range: Range<Int>) -> [ScreenSnapshot] {
        flow?.snapshot(elements: range) ?? onboarding[0].snapshot(elements: range)
    }

    var shownLocale: LocaleDocument {
        flow?.shownLocale ?? onboarding[0].shownLocale
    }
}
