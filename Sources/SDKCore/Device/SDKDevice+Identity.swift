import FlowEngine

// `identify` and `logout` (ID-11 to ID-33).
extension SDKDevice {
    /// `identify`: goes over to the profile of a user (ID-11 to ID-21).
    ///
    /// - Returns: nil: the answer comes with the end of the creation.
    /// - Throws: LIMIT_EXCEEDED beyond `SDKLimits.waitingCallsMax`.
    mutating func identify(
        _ customerUserID: String, appAccountToken: String, id: CallID,
        outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> SDKAnswer? {
        let userID = customerUserID.trimmed()
        if let creation = identity.creation, creation.isFor(userID) {
            try waitForCreation(id)
            identity.creation?.takeToken(appAccountToken)
            return nil
        }
        var creation = ProfileCreation(method: Self.identification, customerUserID: userID, at: now)
        if !userID.isEmpty && identity.isNow(userID) {
            creation.appAccountToken = identity.appAccountToken
            creation.takeToken(appAccountToken)
            if !creation.isAlwaysAnnounced && identity.creation == nil { return .done }
        } else {
            creation.appAccountToken = appAccountToken
        }
        try requireRoom()
        creation.waiters = [id]
        begin(creation, outputs: &outputs)
        return nil
    }

    /// `logout`: forgets the named profile at once and creates an anonymous one (ID-22, ID-23,
    /// ID-32, ID-33).
    ///
    /// - Returns: nil: the answer comes with the end of the creation.
    /// - Throws: 3020 on an anonymous profile; LIMIT_EXCEEDED as `identify`.
    mutating func logout(
        id: CallID, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> SDKAnswer? {
        if let creation = identity.creation, creation.customerUserID == nil {
            try waitForCreation(id)
            return nil
        }
        if identity.creation == nil, identity.isNow("") {
            throw .sdk(
                AdaptyError(.unidentifiedUserLogout, "logout: the profile is anonymous already"))
        }
        try requireRoom()
        storeFreshProfile()
        forgetProfileContent()
        identity.appAccountToken = ""
        var creation = ProfileCreation(method: Self.leaving, customerUserID: nil, at: now)
        creation.waiters = [id]
        begin(creation, outputs: &outputs)
        return nil
    }

    /// The methods by whose conditions the creation of a profile by `identify` and `logout` goes.
    static let (identification, leaving) = ("identify", "logout")

    /// Ends the waiting of `identify` or `logout`; the creation goes on (ID-31).
    ///
    /// - Returns: False if no such call waits for the creation.
    mutating func leaveCreation(_ id: CallID) -> Bool {
        guard let place = identity.creation?.waiters.firstIndex(of: id) else { return false }
        identity.creation?.waiters.remove(at: place)
        return true
    }

    private mutating func waitForCreation(_ id: CallID) throws(DeviceFault) {
        try requireRoom()
        identity.creation?.waiters.append(id)
    }

    /// - Throws: LIMIT_EXCEEDED when more than `SDKLimits.waitingCallsMax` calls would wait.
    func requireRoom(forCalls count: Int = 1) throws(DeviceFault) {
        let waiting = calls.count + (identity.creation?.waiters.count ?? 0)
        guard count > SDKLimits.waitingCallsMax - waiting else { return }
        throw .limitExceeded(
            "a device has at most \(SDKLimits.waitingCallsMax) calls waiting, \(waiting) do and "
                + "\(count) came: wait for answers or cancel some",
            field: "")
    }
}

extension DeviceIdentity {
    /// Whether the stored profile is that user's, and the backend has it; empty: anonymous.
    func isNow(_ userID: String) -> Bool {
        isCreated && (stored?.profile.customerUserID.isExactly(userID) ?? false)
    }
}
