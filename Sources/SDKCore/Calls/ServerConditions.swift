/// The conditions under which a device's calls meet the simulated service.
struct ServerConditions: Sendable {
    private(set) var isOffline = false
    /// Grows with each change.
    private(set) var writes: UInt32 = 0
    private(set) var calls: [CallCondition] = []

    init(_ stored: StoredConditions = StoredConditions()) {
        isOffline = stored.isOffline
        calls = stored.calls
    }

    /// What one call meets.
    struct Encounter {
        /// How long the answer takes.
        var latencyMs: Int64 = 0
        /// What it fails with, if it fails.
        var failure: ServerFailure?
    }

    /// Replaces the conditions of each method and server that the change names; several for one
    /// method hold one after the other, in the order given.
    ///
    /// - Throws: LIMIT_EXCEEDED when more than `SDKLimits.conditionsMax` would hold; then nothing
    ///   changed.
    mutating func apply(_ change: ConditionsChange) throws(DeviceFault) {
        var kept = change.clear ? [] : calls
        kept.removeAll { old in
            change.calls.contains { $0.method == old.method && $0.server == old.server }
        }
        kept += change.calls
        guard kept.count <= SDKLimits.conditionsMax else {
            throw .limitExceeded(
                "a device has at most \(SDKLimits.conditionsMax) call conditions, "
                    + "got \(kept.count): clear those that are over",
                field: "calls")
        }
        calls = kept
        writes &+= 1
        isOffline = change.offline ?? (change.clear ? false : isOffline)
    }

    /// What a call of that method meets now at a server; uses up one call of the condition. A
    /// condition for the method comes before one for every method.
    mutating func meet(_ method: String, at server: CallCondition.Server = .main) -> Encounter {
        if isOffline { return Encounter(failure: .offline(method)) }
        guard let place = place(of: method, at: server) else { return Encounter() }
        let condition = calls[place]
        if condition.calls > 0 { writes &+= 1 }
        if condition.calls > 1 {
            calls[place].calls -= 1
        } else if condition.calls == 1 {
            calls.remove(at: place)
        }
        return Encounter(
            latencyMs: Int64(condition.latencyMs),
            failure: ServerFailure(httpStatus: condition.httpStatus, method: method, server))
    }

    /// Whether every call of that method fails until the conditions are changed.
    func alwaysFails(_ method: String) -> Bool {
        if isOffline { return true }
        guard let place = place(of: method, at: .main) else { return false }
        return calls[place].calls == 0
            && ServerFailure(httpStatus: calls[place].httpStatus, method: method, .main) != nil
    }

    private func place(of method: String, at server: CallCondition.Server) -> Int? {
        calls.firstIndex { $0.server == server && $0.method == method }
            ?? calls.firstIndex { $0.server == server && $0.method.isEmpty }
    }
}
