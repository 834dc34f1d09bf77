import FlowEngine

// What happens by itself as time goes on.
extension SDKDevice {
    /// Keeps `nextDue` up to date. Mutating, as a getter on a value this large copies it first,
    /// which shows in the time of a gesture.
    mutating func reckonDue() {
        if needsRelease {
            nextDue = now
            return
        }
        // No timers and products of views in the background (VW-8, VW-28).
        nextDue = earlier(isInBackground ? nil : stack.due, questions.due)
        if identity.isCreating { nextDue = earlier(nextDue, creationDue) }
        for call in calls { nextDue = earlier(nextDue, call.due) }
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
        let timers = stack.views[top].sessionDue
        if let due = stack.views[top].loading.due, due <= timers ?? due {
            continueProducts(of: top, outputs: &outputs)
        } else {
            input(.timeReached, to: top, outputs: &outputs)
        }
    }
}

extension ViewStack {
    /// Timers and products of the view in control.
    fileprivate var due: Instant? {
        guard let top else { return nil }
        // Most gestures are of views that have their products.
        if case .done = views[top].loading { return views[top].sessionDue }
        return earlier(views[top].sessionDue, views[top].loading.due)
    }
}

private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a else { return b }
    guard let b else { return a }
    return min(a, b)
}
