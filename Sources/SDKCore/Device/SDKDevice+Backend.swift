import FlowEngine

// What the backend answers, and what the device makes of it.
extension SDKDevice {
    /// What a server will answer to a call; what it is asked for is settled at this moment (PL-20).
    func reply(to call: WaitingCall, from server: CallCondition.Server) -> BackendReply {
        switch call.request {
        case .getProfile, .updateProfile: return .profile(call.profileID)
        case .flowConfiguration(_, let flow): return documentOfBackend(for: flow)
        case .fetch(let fetch): return serve(fetch, from: server, to: call.profileID)
        case .paywallProducts, .purchase, .restore:
            preconditionFailure("a request to the store")
        }
    }

    /// What comes of a failure: for `getProfile` the profile stored now (ID-25), else the error.
    func reply(to request: BackendRequest, failing failure: ServerFailure) -> BackendReply {
        if case .getProfile = request { return .stored(storedProfile) }
        return .failure(failure)
    }

    /// Ends a call with a reply when that comes, or goes on to where else content may come from;
    /// callbacks go before the answer.
    mutating func take(
        _ reply: BackendReply, at index: Int, from server: CallCondition.Server,
        outputs: inout [DeviceOutput]
    ) {
        let call = calls[index]
        if call.request.endsWithProfile, !call.profileID.isExactly(identity.profileID) {
            return answer(index, .failure(.sdk(Self.profileChanged)), outputs: &outputs)
        }
        switch (call.request, reply) {
        case (.fetch(let fetch), .content(let served)):
            let content = newer(than: served, for: fetch) ?? take(served, for: fetch, of: call)
            end(index, with: content, outputs: &outputs)
        case (.fetch(let fetch), .failure(let failure)):
            goOn(with: fetch, at: index, after: failure, from: server, outputs: &outputs)
        case (.flowConfiguration(_, let flow), .failure(let failure)):
            let error = documentError(for: flow, failure.error)
            answer(index, .failure(.sdk(error)), outputs: &outputs)
        default:
            let result: Result<SDKAnswer, DeviceFault>
            do throws(DeviceFault) {
                result = .success(try take(reply, for: call.request, outputs: &outputs))
            } catch {
                result = .failure(error)
            }
            answer(index, result, outputs: &outputs)
        }
    }

    private mutating func take(
        _ reply: BackendReply, for request: BackendRequest, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> SDKAnswer {
        switch (request, reply) {
        case (.getProfile, .profile(let profileID)):
            return readProfile(profileID, outputs: &outputs)
        case (.getProfile, .stored(let profile)):
            return .profile(profile)
        case (.updateProfile(let change), .profile(let profileID)):
            try update(profileID, with: change, outputs: &outputs)
            return .done
        case (.purchase(let product), .store(.purchase(let outcome, let profileID))):
            return try take(outcome, of: product, for: profileID, outputs: &outputs)
        case (.restore, .store(.restore(let error, let profileID))):
            return try takeRestore(failing: error, for: profileID, outputs: &outputs)
        case (.paywallProducts, .store(.products(let result))):
            return .paywallProducts(try loaded(result))
        case (.flowConfiguration(let request, let flow), .document(let document)):
            documents.keep(document, versionID: flow.content.flowVersionID ?? "")
            return configure(flow, with: document, isOfFile: false, request)
        case (_, .failure(let failure)):
            throw .sdk(failure.error)
        default:
            preconditionFailure("a reply of another kind than its request")
        }
    }

    var storedProfile: Profile {
        identity.stored?.profile ?? Profile(profileID: identity.profileID)
    }

    /// The backend's profile, announced if it differs from the stored one (ID-26). A profile that
    /// is not the device's any more is only read (ID-18).
    private mutating func readProfile(
        _ profileID: String, outputs: inout [DeviceOutput]
    ) -> SDKAnswer {
        guard let record = backend.profileRecord(profileID, at: now) else {
            return .profile(storedProfile)
        }
        guard profileID.isExactly(identity.profileID) else { return .profile(record.profile) }
        announce(record, outputs: &outputs)
        return .profile(storedProfile)
    }

    /// Applies an update and announces what it changed (PRO-23, PRO-25).
    private mutating func update(
        _ profileID: String, with change: ProfileChange, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        let (today, _) = configuration.zone.civil(now)
        let record: ProfileRecord
        do throws(DeviceFault) {
            record = try backend.apply(change, to: profileID, today: today, at: now).asOf(now)
        } catch {
            // Nothing of the call is stored (PRO-16), on the device neither, if it is the profile's.
            if change.analyticsDisabled != nil, profileID.isExactly(identity.profileID) {
                identity.isAnalyticsDisabled = identity.wasAnalyticsDisabled
            }
            throw error
        }
        guard profileID.isExactly(identity.profileID) else { return }
        announce(record, outputs: &outputs)
    }

    mutating func announce(_ record: ProfileRecord, outputs: inout [DeviceOutput]) {
        guard identity.adopt(record) else { return }
        outputs.append(.callback(.didLoadLatestProfile(record.profile)))
    }

    /// The device keeps the choice whatever the backend says then (PRO-7).
    mutating func keepAnalyticsChoice(of request: BackendRequest) {
        guard case .updateProfile(let change) = request, let isDisabled = change.analyticsDisabled
        else { return }
        identity.wasAnalyticsDisabled = identity.isAnalyticsDisabled
        identity.isAnalyticsDisabled = isDisabled
    }
}
