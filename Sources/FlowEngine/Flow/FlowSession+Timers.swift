extension FlowSession {
    /// How long a custom timer without an end runs: one hour (FC-14).
    static let customTimerMs: Int64 = 3_600_000

    /// Starts a timer that came on screen, or leaves it running, by its mode (FC-15).
    mutating func start(
        _ timer: Int, navigator: Int, _ now: Instant, _ effects: inout [ViewEffect]
    ) {
        let definition = document.content.timers[timer]
        if let fixed = definition.endsAt {
            return schedule.set(timer: timer, endsAt: fixed, navigator: navigator)
        }
        switch definition.mode {
        case .restart:
            schedule.set(timer: timer, endsAt: end(of: definition, now), navigator: navigator)
        case .custom:
            let end =
                options.timers.exactly(definition.id)
                ?? now.advanced(byMs: Self.customTimerMs)
            schedule.set(timer: timer, endsAt: end, navigator: navigator)
        case .continue, .persisted: keepOrStart(timer, definition, navigator, now, &effects)
        }
    }

    /// Runs what has fallen due, in that order; nothing in the background (VW-28).
    mutating func runDue(_ turn: inout FlowTurn) {
        while isShown, !isInBackground, !turn.isClosed, let item = schedule.takeDue(turn.now) {
            let navigator = livePlace(of: item.navigator) == nil ? topNavigator : item.navigator
            switch item.work {
            case .timer(let timer):
                run(document.content.timers[timer].actions, navigator: navigator, &turn)
            case .answer(let actions): run(actions, navigator: navigator, &turn)
            }
        }
    }

    /// A running one of this view, else one that the owner kept, else a new one.
    private mutating func keepOrStart(
        _ timer: Int, _ definition: TimerDocument, _ navigator: Int, _ now: Instant,
        _ effects: inout [ViewEffect]
    ) {
        if schedule.isRunning(timer) { return }
        let own = schedule.end(ofTimer: timer)
        let others = keptTimers.exactly(definition.id)
        for case let kept? in [own, others] where now < kept {
            return schedule.set(timer: timer, endsAt: kept, navigator: navigator)
        }
        let end = end(of: definition, now)
        schedule.set(timer: timer, endsAt: end, navigator: navigator)
        effects.append(.timerStarted(id: definition.id, mode: definition.mode, endsAt: end))
    }

    /// Whole seconds from now (FC-16); a part of a second counts as one.
    private func end(of timer: TimerDocument, _ now: Instant) -> Instant {
        let part = timer.durationMs % 1000
        return now.advanced(byMs: timer.durationMs).advanced(byMs: part > 0 ? 1000 - part : 0)
    }
}
