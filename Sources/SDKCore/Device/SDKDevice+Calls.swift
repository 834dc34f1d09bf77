import FlowEngine

// Calls of the SDK's surface, from their start to their answer.
extension SDKDevice {
    /// Starts a call; it is answered at once or, if it has to wait, by `advance`.
    ///
    /// The answer is the last output that the call causes at once (GEN-1).
    public mutating func start(
        _ call: SDKCall, id: CallID, at now: Instant, outputs: inout [DeviceOutput]
    ) {
        defer { nextDue = due }
        advance(to: now, outputs: &outputs)
        do throws(DeviceFault) {
            guard let answer = try begin(call, id: id, outputs: &outputs) else { return }
            outputs.append(.answer(id, .success(answer)))
        } catch {
            outputs.append(.answer(id, .failure(error)))
        }
    }

    /// Ends a waiting call with `operationInterrupted` (GEN-10). What it had already changed on
    /// the backend stays; a profile that is being created is not stopped (ID-31).
    ///
    /// - Returns: False if no such call waits; then nothing happens.
    public mutating func cancel(
        _ id: CallID, at now: Instant, outputs: inout [DeviceOutput]
    ) -> Bool {
        defer { nextDue = due }
        advance(to: now, outputs: &outputs)
        let error = AdaptyError(.operationInterrupted, "the call was cancelled")
        if leaveCreation(id) {
            outputs.append(.answer(id, .failure(.sdk(error))))
            return true
        }
        guard let index = calls.firstIndex(where: { $0.id == id }) else { return false }
        answer(index, .failure(.sdk(error)), outputs: &outputs)
        releaseCalls(outputs: &outputs)
        return true
    }

    /// Ends a waiting call without an answer; the caller gives it. What waited behind it starts at
    /// the next `advance`, for which `nextDue` asks at once.
    ///
    /// - Returns: False if no such call waits.
    public mutating func expire(_ id: CallID) -> Bool {
        defer { nextDue = due }
        if leaveCreation(id) { return true }
        guard let index = calls.firstIndex(where: { $0.id == id }) else { return false }
        calls.remove(at: index)
        if calls.isEmpty { calls = [] }
        needsRelease = calls.contains(where: \.isHeld)
        return true
    }

    /// Answers what the device can answer by itself; nil: the call is answered otherwise.
    private mutating func begin(
        _ call: SDKCall, id: CallID, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> SDKAnswer? {
        if case .activate(let activation) = call {
            try activate(activation, outputs: &outputs)
            return .done
        }
        try requireActivation(outputs: &outputs)
        let request: BackendRequest
        switch call {
        case .activate: return nil
        case .identify(let userID, let token):
            return try identify(userID, appAccountToken: token, id: id, outputs: &outputs)
        case .logout: return try logout(id: id, outputs: &outputs)
        case .logShowFlow(let variationID): return try logShowFlow(variationID)
        case .getProfile: request = .getProfile
        case .updateProfile(let update):
            request = .updateProfile(
                try ProfileChange(update, dayExists: configuration.zone.dayExists))
        case .getFlow(let fetch): request = .fetch(fetch, .flow)
        case .getOnboarding(let fetch): request = .fetch(fetch, .onboarding)
        case .getFlowConfiguration(let configuration):
            request = try flowConfigurationRequest(configuration)
        case .getOnboardingConfiguration(let variationID, let opensExternalBrowser):
            return try onboardingConfiguration(
                variationID: variationID, opensExternalBrowser: opensExternalBrowser)
        }
        try queue(request, id: id, outputs: &outputs)
        return nil
    }

    private mutating func queue(
        _ request: BackendRequest, id: CallID, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        try requireRoomForCall()
        calls.append(WaitingCall(id: id, request: request, phase: .behindUpdate))
        if isBehindUpdate(calls.count - 1) { return }
        work(on: calls.count - 1, outputs: &outputs)
        releaseCalls(outputs: &outputs)
    }

    /// Whether an update that came before it has not been applied yet (PRO-24).
    private func isBehindUpdate(_ index: Int) -> Bool {
        calls[index].request.needsProfile && calls[..<index].contains { $0.request.isUpdate }
    }

    /// Starts the calls that no update is before any more, in the order of arrival.
    mutating func releaseCalls(outputs: inout [DeviceOutput]) {
        needsRelease = false
        while let index = calls.indices.first(where: {
            calls[$0].isHeld && !isBehindUpdate($0)
        }) {
            work(on: index, outputs: &outputs)
        }
    }

    /// Lets the calls go on that waited for the profile (ID-30).
    mutating func askForWaiting(outputs: inout [DeviceOutput]) {
        while let index = calls.firstIndex(where: \.isAwaitingProfile) {
            ask(index, outputs: &outputs)
        }
        releaseCalls(outputs: &outputs)
    }

    /// Begins the work of a call: its span of time starts now.
    private mutating func work(on index: Int, outputs: inout [DeviceOutput]) {
        let request = calls[index].request
        let now = self.now
        calls[index].lateAt = request.spanMs.map { now.advanced(byMs: $0) }
        keepAnalyticsChoice(of: request)
        if request.needsProfile && identity.creation != nil {
            calls[index].phase = .awaitingProfile
        } else {
            ask(index, outputs: &outputs)
        }
    }

    /// Asks the backend; what it will answer is settled now, when it comes is told by `until`.
    private mutating func ask(_ index: Int, outputs: inout [DeviceOutput]) {
        let request = calls[index].request
        let encounter = conditions.meet(request.method)
        let until = now.advanced(byMs: encounter.latencyMs)
        if let lateAt = calls[index].lateAt, until >= lateAt {
            let error = ServerConditions.late(request.method, afterMs: request.spanMs ?? 0)
            calls[index].phase = .asking(until: lateAt, .failure(error))
        } else if let error = encounter.error {
            calls[index].phase = .asking(until: until, reply(to: request, failing: error))
        } else {
            calls[index].phase = .asking(until: until, reply(to: request))
        }
        if case .asking(let until, _) = calls[index].phase, until <= now {
            finish(index, outputs: &outputs)
        }
    }

    /// Ends a call whose time has come.
    mutating func finish(_ index: Int, outputs: inout [DeviceOutput]) {
        let call = calls[index]
        switch call.phase {
        case .behindUpdate: return
        case .awaitingProfile:
            let error = ServerConditions.late(
                call.request.method, afterMs: call.request.spanMs ?? 0)
            answer(index, .failure(.sdk(error)), outputs: &outputs)
        case .asking(_, let reply):
            let result: Result<SDKAnswer, DeviceFault>
            do throws(DeviceFault) {
                result = .success(try take(reply, for: call.request, outputs: &outputs))
            } catch {
                result = .failure(error)
            }
            answer(index, result, outputs: &outputs)
        }
    }

    mutating func answer(
        _ index: Int, _ result: Result<SDKAnswer, DeviceFault>, outputs: inout [DeviceOutput]
    ) {
        let call = calls.remove(at: index)
        if calls.isEmpty { calls = [] }  // an idle device keeps no room for calls
        outputs.append(.answer(call.id, result))
    }
}

extension WaitingCall {
    var isAwaitingProfile: Bool {
        if case .awaitingProfile = phase { true } else { false }
    }

    var isHeld: Bool {
        if case .behindUpdate = phase { true } else { false }
    }
}
