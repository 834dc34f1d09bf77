import FlowEngine

// What happens by itself as time goes on.
extension SDKDevice {
    /// What `nextDue` has to be, reckoned anew.
    @inline(__always) var due: Instant? {
        if needsRelease { return now }
        var next = earlier(viewDue, questions.due)
        if identity.isCreating { next = earlier(next, creationDue) }
        for call in calls { next = earlier(next, call.due) }
        return next
    }

    /// Keeps `nextDue` up to date. Mutating, as a getter on a value this large copies it first,
    /// which shows in the time of a gesture.
    mutating func reckonDue() {
        nextDue = due
    }

    /// Runs what is due until then, in order of due time; in the order of arrival what is due at
    /// one instant.
    public mutating func advance(to now: Instant, outputs: inout [DeviceOutput]) {
        while let due = nextDue, due <= now {
            moveClock(to: due)
            runDue(&outputs)
            reckonDue()
        }
        moveClock(to: now)
    }

    /// Time does not go back.
    private mutating func moveClock(to now: Instant) {
        if environment.now < now { environment.now = now }
    }

    /// Timers and products of the view in control; nothing in the background (VW-8, VW-28).
    private var viewDue: Instant? {
        guard !isInBackground, let top = stack.top else { return nil }
        // Most gestures are of views that have their products.
        if case .done = stack.views[top].loading { return stack.views[top].session?.nextDue }
        return earlier(stack.views[top].session?.nextDue, stack.views[top].loading.due)
    }

    private var creationDue: Instant? {
        guard let creation = identity.creation else { return nil }
        return creation.due(alwaysFails: conditions.alwaysFails(creation.method))
    }

    /// Runs one thing of those due now.
    private mutating func runDue(_ outputs: inout [DeviceOutput]) {
        if needsRelease {
            releaseCalls(outputs: &outputs)
        } else if let due = creationDue, due <= now {
            continueCreation(&outputs)
        } else if let index = calls.firstIndex(where: { $0.due.map { $0 <= now } ?? false }) {
            finish(index, outputs: &outputs)
            releaseCalls(outputs: &outputs)
        } else if let due = questions.due, due <= now {
            expireQuestion(&outputs)
        } else if let top = stack.top {
            runView(top, &outputs)
        }
    }

    /// Runs the timers or the products of the view in control, whichever fell due first.
    private mutating func runView(_ top: Int, _ outputs: inout [DeviceOutput]) {
        let timers = stack.views[top].session?.nextDue
        if let due = stack.views[top].loading.due, due <= timers ?? due {
            continueProducts(of: top, outputs: &outputs)
        } else {
            input(.timeReached, to: top, outputs: &outputs)
        }
    }

    private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a else { return b }
        guard let b else { return a }
        return min(a, b)
    }
}
