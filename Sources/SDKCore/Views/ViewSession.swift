import FlowEngine

/// The runtime of a view, whichever it is: exactly one of the two is there.
///
/// Neither an existential nor an enum: the session lies inline and is changed in its place, so
/// that a gesture copies nothing.
struct ViewSession {
    private var flow: FlowSession?
    /// At most one; a list, so that a flow keeps no room for it.
    private var onboarding: [OnboardingSession] = []

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

    /// Handles an input as `ViewRuntime.handle` does. Returns when the next is due by itself: asking
    /// a session for that later would copy it.
    mutating func handle(
        _ input: consuming ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) -> Instant? {
        if flow != nil {
            try flow?.due(after: input, in: environment, effects: &effects) ?? nil
        } else {
            try onboarding[0].due(after: input, in: environment, effects: &effects)
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

extension ViewRuntime {
    /// Handles an input, and returns when the next is due.
    @inline(__always)
    fileprivate mutating func due(
        after input: consuming ViewInput, in environment: ViewEnvironment,
        effects: inout [ViewEffect]
    ) throws(GestureRefusal) -> Instant? {
        try handle(input, in: environment, effects: &effects)
        return nextDue
    }
}
