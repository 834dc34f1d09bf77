import FlowEngine

// Calls of the SDK's surface, from their start to their answer.
extension SDKDevice {
    /// Starts a call; it is answered at once or, if it has to wait, by `advance`.
    ///
    /// The answer is the last output that the call causes at once (GEN-1).
    public mutating func start(
        _ call: SDKCall, id: CallID, at now: Instant, outputs: inout [DeviceOutput]
    ) {
        defer { reckonDue() }
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
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        guard leaveCreation(id) || forget(id) else { return false }
        let error = AdaptyError(.operationInterrupted, "the call was cancelled")
        outputs.append(.answer(id, .failure(.sdk(error))))
        releaseCalls(outputs: &outputs)
        return true
    }

    /// Ends a waiting call without an answer; the caller gives it. What waited behind it starts at
    /// the next `advance`, for which `nextDue` asks at once.
    ///
    /// - Returns: False if no such call waits.
    public mutating func expire(_ id: CallID) -> Bool {
        defer { reckonDue() }
        if leaveCreation(id) { return true }
        guard forget(id) else { return false }
        needsRelease = calls.contains { $0.isHeld || $0.isAwaitingFile }
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
        case .getFlow(let fetch): request = try self.request(fetch, .flow, .targeted)
        case .getOnboarding(let fetch): request = try self.request(fetch, .onboarding, .targeted)
        case .getFlowForDefaultAudience(let fetch):
            request = try self.request(fetch, .flow, .defaultAudience)
        case .getOnboardingForDefaultAudience(let fetch):
            request = try self.request(fetch, .onboarding, .defaultAudience)
        case .preloadFlows(let placementIDs, let loadTimeoutMs):
            return try preload(
                placementIDs, loadTimeoutMs: loadTimeoutMs, id: id, outputs: &outputs)
        case .getFlowConfiguration(let configuration):
            request = try flowConfigurationRequest(configuration)
        case .getOnboardingConfiguration(let variationID, let opensExternalBrowser):
            return try onboardingConfiguration(
                variationID: variationID, opensExternalBrowser: opensExternalBrowser)
        case .getPaywallProducts(let variationID):
            let flow = try fetchedFlow(variationID)
            request = .paywallProducts(backend.catalog.offer(of: flow.content))
        case .makePurchase(let variationID, let productID):
            request = .purchase(try productToBuy(productID, variationID: variationID))
        case .restorePurchases: request = .restore
        }
        try queue(request, from: .app(id), outputs: &outputs)
        return nil
    }

    /// Lets go of a waiting call; false: there is none of that id.
    private mutating func forget(_ id: CallID) -> Bool {
        if let place = filesBeingRead.firstIndex(of: id) {
            filesBeingRead.remove(at: place)
            return true
        }
        guard calls.contains(where: { $0.id == id }) else { return false }
        calls.removeAll { $0.id == id }
        if calls.isEmpty { calls = [] }
        preloads[id] = nil
        return true
    }

    private func request(
        _ request: FetchRequest, _ type: PlacementType, _ kind: Fetch.Kind
    ) throws(DeviceFault) -> BackendRequest {
        do throws(AdaptyError) {
            return .fetch(try Fetch(request, type, kind))
        } catch {
            throw .sdk(error)
        }
    }

    /// - Throws: LIMIT_EXCEEDED beyond `SDKLimits.waitingCallsMax`.
    mutating func queue(
        _ request: BackendRequest, from asker: Asker, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        try requireRoom()
        calls.append(WaitingCall(asker: asker, request: request))
        if isBehindUpdate(calls.count - 1) { return }
        work(on: calls.count - 1, outputs: &outputs)
        releaseCalls(outputs: &outputs)
    }

    /// Whether an update that came before it has not been applied yet (PRO-24).
    private func isBehindUpdate(_ index: Int) -> Bool {
        calls[index].request.needsProfile && calls[..<index].contains { $0.request.isUpdate }
    }

    /// Starts the calls that no update is before any more, and lets those go on that waited for a
    /// file, in the order of arrival.
    mutating func releaseCalls(outputs: inout [DeviceOutput]) {
        needsRelease = false
        while let index = calls.indices.first(where: { isReleasable($0) }) {
            if calls[index].isAwaitingFile {
                goOnWithFile(index, outputs: &outputs)
            } else {
                work(on: index, outputs: &outputs)
            }
        }
    }

    private func isReleasable(_ index: Int) -> Bool {
        if calls[index].isAwaitingFile { return filesBeingRead.isEmpty }
        return calls[index].isHeld && !isBehindUpdate(index)
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
        calls[index].startedAt = now
        keepAnalyticsChoice(of: request)
        if request.needsProfile && identity.isCreating {
            calls[index].phase = .awaitingProfile
        } else {
            ask(index, outputs: &outputs)
        }
    }

    /// Answers a call out of what the device has, or asks the main backend.
    mutating func ask(_ index: Int, outputs: inout [DeviceOutput]) {
        calls[index].profileID = identity.profileID
        switch calls[index].request {
        case .fetch(let fetch):
            if let content = contentByPolicy(for: fetch) {
                return end(index, with: content, outputs: &outputs)
            }
        case .flowConfiguration(let request, let flow):
            if endLocally(request, of: flow, at: index, outputs: &outputs) { return }
        case .paywallProducts, .purchase, .restore: return askStore(index, outputs: &outputs)
        case .getProfile, .updateProfile: break
        }
        ask(index, .main, outputs: &outputs)
    }

    /// Asks a server; what it will answer is settled now, when it comes is told by `until`.
    mutating func ask(
        _ index: Int, _ server: CallCondition.Server, outputs: inout [DeviceOutput]
    ) {
        let call = calls[index]
        let encounter = conditions.meet(call.request.method, at: server)
        var until = now.advanced(byMs: encounter.latencyMs)
        let reply: BackendReply
        if let lateAt = call.lateAt(server), until >= lateAt {
            until = lateAt
            reply = .failure(.late(call.request.method, server, afterMs: lateAt.ms - now.ms))
        } else if let failure = encounter.failure {
            reply = self.reply(to: call.request, failing: failure)
        } else {
            reply = self.reply(to: call, from: server)
        }
        if until <= now {
            take(reply, at: index, from: server, outputs: &outputs)
        } else {
            calls[index].phase = .asking(server, until: until, reply)
        }
    }

    /// Goes on with a call whose time has come.
    mutating func finish(_ index: Int, outputs: inout [DeviceOutput]) {
        switch calls[index].phase {
        case .behindUpdate, .awaitingFile: return
        case .awaitingProfile:
            let (request, spanMs) = (calls[index].request, calls[index].request.spanMs ?? 0)
            calls[index].profileID = identity.profileID
            let failure = ServerFailure.late(
                request.method, .main, afterMs: spanMs - request.reserveMs)
            take(.failure(failure), at: index, from: .main, outputs: &outputs)
        case .asking(let server, _, let reply):
            take(reply, at: index, from: server, outputs: &outputs)
        }
    }

    mutating func answer(
        _ index: Int, _ result: Result<SDKAnswer, DeviceFault>, outputs: inout [DeviceOutput]
    ) {
        let call = calls.remove(at: index)
        if calls.isEmpty { calls = [] }  // an idle device keeps no room for calls
        switch call.asker {
        case .flow(let asker): end(asker, result, outputs: &outputs)
        case .app(let id):
            if case .fetch(let fetch) = call.request, fetch.kind == .preload {
                settle(fetch, of: id, result, outputs: &outputs)
            } else {
                outputs.append(.answer(id, result))
            }
        }
    }
}
