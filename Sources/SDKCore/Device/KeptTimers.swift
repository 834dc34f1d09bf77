import FlowEngine

/// Ends of timers that outlive their view: `continue` ones for this process of the app, persisted
/// ones across its restarts (FC-15, GEN-11).
///
/// Bounds: `SDKLimits.keptTimersMax`; what ended goes first, then what ends first.
struct KeptTimers: Sendable, Equatable {
    private var timers: [String: Timer] = [:]

    private struct Timer: Sendable, Equatable {
        let endsAt: Instant
        let isPersisted: Bool
    }

    /// Takes over the persisted timers of a former process.
    init(persisted: [String: Instant] = [:]) {
        if persisted.isEmpty { return }  // mapping nothing makes room for something
        timers = persisted.mapValues { Timer(endsAt: $0, isPersisted: true) }
    }

    /// Keeps a timer that a view started.
    mutating func keep(_ id: String, mode: TimerMode, endsAt: Instant, now: Instant) {
        if timers[id] == nil && timers.count >= SDKLimits.keptTimersMax { makeRoom(now) }
        timers[id] = Timer(endsAt: endsAt, isPersisted: mode == .persisted)
    }

    private mutating func makeRoom(_ now: Instant) {
        timers = timers.filter { now < $0.value.endsAt }
        guard timers.count >= SDKLimits.keptTimersMax,
            let first = timers.min(by: { ($0.value.endsAt, $0.key) < ($1.value.endsAt, $1.key) })
        else { return }
        timers[first.key] = nil
    }

    /// All of them, as a view takes them.
    var ends: [String: Instant] { timers.isEmpty ? [:] : timers.mapValues(\.endsAt) }

    /// Those that the next process of the app finds.
    var persisted: [String: Instant] {
        timers.filter(\.value.isPersisted).mapValues(\.endsAt)
    }
}
