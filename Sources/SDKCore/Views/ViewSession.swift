import FlowEngine

/// The runtime of a view, whichever it is.
///
/// An enum rather than an existential: the session lies inline, and gestures reach it without a
/// box. Each call moves the session out and back, so that it is never copied.
enum ViewSession: ViewRuntime {
    case flow(FlowSession)
    case onboarding(OnboardingSession)

    mutating func handle(
        _ input: ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        switch consume self {
        case .flow(var session):
            do throws(GestureRefusal) {
                try session.handle(input, in: environment, effects: &effects)
                self = .flow(session)
            } catch {
                self = .flow(session)
                throw error
            }
        case .onboarding(var session):
            do throws(GestureRefusal) {
                try session.handle(input, in: environment, effects: &effects)
                self = .onboarding(session)
            } catch {
                self = .onboarding(session)
                throw error
            }
        }
    }

    var nextDue: Instant? {
        switch self {
        case .flow(let session): session.nextDue
        case .onboarding(let session): session.nextDue
        }
    }

    func snapshot(elements range: Range<Int>) -> [ScreenSnapshot] {
        switch self {
        case .flow(let session): session.snapshot(elements: range)
        case .onboarding(let session): session.snapshot(elements: range)
        }
    }

    var shownLocale: LocaleDocument {
        switch self {
        case .flow(let session): session.shownLocale
        case .onboarding(let session): session.shownLocale
        }
    }
}
