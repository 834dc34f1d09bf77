import FlowEngine

// Activation and the creation of the profile (ID).
extension SDKDevice {
    /// The method by whose conditions the creation of a profile goes.
    static let creationMethod = "activate"

    /// The name of the device that activates itself (ID-34).
    static let selfActivatingName = "default"

    /// `activate` (ID-2 to ID-10).
    mutating func activate(
        _ activation: Activation, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        guard identity.activation != .explicit else {
            throw .sdk(AdaptyError(.activateOnceError, "activate was called on this device before"))
        }
        if let key = identity.apiKey, !key.isExactly(activation.apiKey) { wipe() }
        let userID = activation.customerUserID.trimmed()
        let wasAutomatic = identity.activation == .automatic
        identity.activation = .explicit
        identity.apiKey = activation.apiKey
        identity.appAccountToken = userID.isEmpty ? "" : activation.appAccountToken
        identity.isObserver = activation.observerMode
        identity.isUIActivated =
            activation.activatesUI || (wasAutomatic && identity.isUIActivated)
        settleProfile(customerUserID: userID, outputs: &outputs)
    }

    /// Activates the device `default` at the first call that needs it (ID-34).
    ///
    /// - Throws: `notActivated` on every other device that was not activated (ID-1).
    mutating func requireActivation(outputs: inout [DeviceOutput]) throws(DeviceFault) {
        if identity.activation != .none { return }
        guard configuration.name == Self.selfActivatingName else {
            throw .sdk(
                AdaptyError(
                    .notActivated,
                    "the SDK is not activated on device \"\(configuration.name.readable())\": "
                        + "call activate first"))
        }
        identity.activation = .automatic
        identity.isUIActivated = true
        settleProfile(customerUserID: "", outputs: &outputs)
    }

    /// Keeps the stored profile, or makes one, or goes over to that of the ID (ID-3 to ID-5).
    private mutating func settleProfile(
        customerUserID: String, outputs: inout [DeviceOutput]
    ) {
        if let stored = identity.stored {
            let isSame = stored.profile.customerUserID.isExactly(customerUserID)
            if customerUserID.isEmpty || isSame {
                if identity.creation == nil {
                    outputs.append(.callback(.didLoadLatestProfile(stored.profile)))
                }
                return
            }
            supersedeCreation(&outputs)
        } else {
            var profile = Profile(profileID: freshProfileID())
            profile.customerUserID = customerUserID
            identity.stored = ProfileRecord(profile: profile)
        }
        beginCreation(customerUserID: customerUserID, outputs: &outputs)
    }

    /// Forgets the profile and all that was fetched for it (ID-7).
    private mutating func wipe() {
        identity.stored = nil
        identity.creation = nil
        identity.isAnalyticsDisabled = false
        fetched.removeAll()
    }

    /// An id that the backend does not know (ID-3).
    private mutating func freshProfileID() -> String {
        while true {
            let id = generator.nextID().description
            if backend.profileRecord(id) == nil { return id }
        }
    }
}

// MARK: - Creation

extension SDKDevice {
    /// Ends a creation that another one takes the place of; who waits for it gets 3006 (ID-30).
    private mutating func supersedeCreation(_ outputs: inout [DeviceOutput]) {
        guard identity.creation != nil else { return }
        identity.creation = nil
        while let index = calls.firstIndex(where: \.isAwaitingProfile) {
            answer(index, .failure(.sdk(Self.profileChanged)), outputs: &outputs)
        }
        releaseCalls(outputs: &outputs)
    }

    static let profileChanged = AdaptyError(
        .profileWasChanged, "the profile was changed while the call ran")

    private mutating func beginCreation(
        customerUserID: String, outputs: inout [DeviceOutput]
    ) {
        identity.creation = ProfileCreation(
            customerUserID: customerUserID, phase: .pausing(until: now))
        continueCreation(&outputs)
    }

    /// Makes the next attempt, or takes the answer to the last one.
    mutating func continueCreation(_ outputs: inout [DeviceOutput]) {
        guard let creation = identity.creation else { return }
        switch creation.phase {
        case .asking(_, let succeeds):
            endAttempt(succeeds: succeeds, outputs: &outputs)
        case .pausing:
            let encounter = conditions.meet(Self.creationMethod)
            let succeeds = encounter.error == nil
            if encounter.latencyMs == 0 {
                endAttempt(succeeds: succeeds, outputs: &outputs)
            } else {
                let until = now.advanced(byMs: encounter.latencyMs)
                identity.creation?.phase = .asking(until: until, succeeds: succeeds)
            }
        }
    }

    /// Tries again after a pause, or takes over what the backend made and lets the calls go on.
    private mutating func endAttempt(succeeds: Bool, outputs: inout [DeviceOutput]) {
        guard succeeds, let creation = identity.creation, let old = identity.stored else {
            let until = now.advanced(byMs: SDKLimits.creationPauseMs)
            identity.creation?.phase = .pausing(until: until)
            return
        }
        let record = backendProfile(creation, current: old.profile.profileID)
        if !record.profile.profileID.isExactly(old.profile.profileID) {
            identity.isAnalyticsDisabled = false
            fetched.removeAll()
        }
        identity.stored = record
        identity.creation = nil
        outputs.append(.callback(.didLoadLatestProfile(record.profile)))
        askForWaiting(outputs: &outputs)
    }

    private mutating func backendProfile(
        _ creation: ProfileCreation, current: String
    ) -> ProfileRecord {
        if creation.customerUserID.isEmpty { return backend.create(current, at: now) }
        var drawn = generator
        let record = backend.identify(creation.customerUserID, current: current, at: now) {
            while true {
                let id = drawn.nextID().description
                if backend.profileRecord(id) == nil { return id }
            }
        }
        generator = drawn
        return record
    }

    /// Moves the next attempt past those that could not have succeeded; they are on a grid.
    mutating func skipMissedAttempts() {
        guard case .pausing(let until) = identity.creation?.phase, until < now else { return }
        let missed = (now.ms - until.ms + SDKLimits.creationPauseMs - 1) / SDKLimits.creationPauseMs
        identity.creation?.phase = .pausing(
            until: until.advanced(byMs: missed * SDKLimits.creationPauseMs))
    }
}
