import FlowEngine

// The creation of the profile at the backend: its attempts, and who waits for it (ID-20, ID-30).
extension SDKDevice {
    static let profileChanged = AdaptyError(
        .profileWasChanged, "the profile was changed while the call ran")

    /// Begins a creation and makes its first attempt. One under way is superseded: who waits for
    /// that one gets 3006 (ID-19, ID-30).
    mutating func begin(_ creation: ProfileCreation, outputs: inout [DeviceOutput]) {
        let superseded = identity.creation
        identity.creation = creation
        if let superseded {
            answer(superseded.waiters, .failure(.sdk(Self.profileChanged)), outputs: &outputs)
            while let index = calls.firstIndex(where: \.isAwaitingProfile) {
                answer(index, .failure(.sdk(Self.profileChanged)), outputs: &outputs)
            }
            releaseCalls(outputs: &outputs)
        }
        continueCreation(&outputs)
    }

    /// Makes the next attempt, or takes the answer to the last one.
    mutating func continueCreation(_ outputs: inout [DeviceOutput]) {
        guard let creation = identity.creation else { return }
        switch creation.phase {
        case .asking(_, let succeeds):
            endAttempt(succeeds: succeeds, outputs: &outputs)
        case .pausing:
            let encounter = conditions.meet(creation.method)
            let succeeds = encounter.failure == nil
            if encounter.latencyMs == 0 {
                endAttempt(succeeds: succeeds, outputs: &outputs)
            } else {
                let until = now.advanced(byMs: encounter.latencyMs)
                identity.creation?.phase = .asking(until: until, succeeds: succeeds)
            }
        }
    }

    /// Tries again after a pause, or takes what the backend answered and lets the calls go on.
    private mutating func endAttempt(succeeds: Bool, outputs: inout [DeviceOutput]) {
        guard succeeds, let creation = identity.creation, let old = identity.stored else {
            let until = now.advanced(byMs: SDKLimits.creationPauseMs)
            identity.creation?.phase = .pausing(until: until)
            return
        }
        if creation.isFor("") { return refuse(creation, outputs: &outputs) }
        let record = backendProfile(creation, current: old.profile.profileID).asOf(now)
        let isNews =
            !identity.isCreated || creation.isAlwaysAnnounced || !record.hasSameContent(as: old)
        if !record.profile.profileID.isExactly(old.profile.profileID) { forgetProfileContent() }
        identity.stored = record
        identity.isCreated = true
        identity.appAccountToken = creation.appAccountToken
        identity.creation = nil
        if isNews { outputs.append(.callback(.didLoadLatestProfile(record.profile))) }
        answer(creation.waiters, .success(.done), outputs: &outputs)
        askForWaiting(outputs: &outputs)
    }

    /// The backend takes no empty user ID (ID-11): the device stays who it is.
    private mutating func refuse(_ creation: ProfileCreation, outputs: inout [DeviceOutput]) {
        identity.creation = nil
        let error = AdaptyError(
            .badRequest, "\(creation.method): the backend takes no empty customer user ID")
        answer(creation.waiters, .failure(.sdk(error)), outputs: &outputs)
        if identity.isCreated { return askForWaiting(outputs: &outputs) }
        begin(
            ProfileCreation(method: Self.activation, customerUserID: nil, at: now),
            outputs: &outputs)
    }

    private mutating func backendProfile(
        _ creation: ProfileCreation, current: String
    ) -> ProfileRecord {
        guard let userID = creation.customerUserID else {
            return backend.profileRecord(current) ?? backend.create(current, at: now)
        }
        var drawn = generator
        let record = backend.identify(userID, current: current, at: now) {
            backend.freshProfileID(from: &drawn)
        }
        generator = drawn
        return record
    }

    private func answer(
        _ waiters: [CallID], _ result: Result<SDKAnswer, DeviceFault>,
        outputs: inout [DeviceOutput]
    ) {
        for waiter in waiters { outputs.append(.answer(waiter, result)) }
    }

    /// Moves the next attempt past those that could not have succeeded; they are on a grid.
    mutating func skipMissedAttempts() {
        guard case .pausing(let until) = identity.creation?.phase, until < now else { return }
        let missed = (now.ms - until.ms + SDKLimits.creationPauseMs - 1) / SDKLimits.creationPauseMs
        identity.creation?.phase = .pausing(
            until: until.advanced(byMs: missed * SDKLimits.creationPauseMs))
    }
}

// MARK: - The stored profile

extension SDKDevice {
    /// Stores a new profile that the backend does not have yet (ID-3, ID-23).
    mutating func storeFreshProfile() {
        let id = backend.freshProfileID(from: &generator)
        identity.stored = ProfileRecord(profile: Profile(profileID: id))
        identity.isCreated = false
    }

    /// Forgets what belongs to the profile that the device leaves: what was fetched for it, and
    /// its choice of analytics (ID-17, ID-23, PRO-7).
    mutating func forgetProfileContent() {
        identity.isAnalyticsDisabled = false
        fetched.removeAll()
        cache.removeAll()
    }
}

extension Backend {
    /// Draws an id that this backend does not know (ID-3).
    fileprivate func freshProfileID(from generator: inout SeededGenerator) -> String {
        while true {
            let id = generator.nextID().description
            if profileRecord(id) == nil { return id }
        }
    }
}
