import FlowEngine

// What the backend answers, and what the device makes of it.
extension SDKDevice {
    /// What the backend will answer; content is chosen at this moment (PL-20).
    mutating func reply(to request: BackendRequest) -> BackendReply {
        switch request {
        case .getProfile, .updateProfile: return .profile(identity.profileID)
        case .flowConfiguration: return .configuration
        case .fetch(let fetch, let type):
            do throws(AdaptyError) {
                let content = try backend.serve(
                    fetch.placementID.trimmed(), as: type, to: identity.profileID,
                    facts: DeviceFacts(configuration))
                return .content(content, profileID: identity.profileID)
            } catch {
                return .failure(error)
            }
        }
    }

    /// What comes of a failure: for `getProfile` the profile stored now (ID-25), else the error.
    func reply(to request: BackendRequest, failing error: AdaptyError) -> BackendReply {
        if case .getProfile = request { return .stored(storedProfile) }
        return .failure(error)
    }

    /// Takes a reply when it comes; callbacks go before the answer.
    mutating func take(
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
        case (.fetch(let fetch, let type), .content(let content, let profileID)):
            guard profileID.isExactly(identity.profileID) else {
                throw .sdk(Self.profileChanged)
            }
            return try take(content, for: fetch, as: type)
        case (.flowConfiguration(let request, .flow(let flow)), .configuration):
            return try flowConfiguration(request, of: flow)
        case (_, .failure(let error)):
            throw .sdk(error)
        default:
            preconditionFailure("a reply of another kind than its request")
        }
    }

    private var storedProfile: Profile {
        identity.stored?.profile ?? Profile(profileID: identity.profileID)
    }

    /// The backend's profile, announced if it differs from the stored one (ID-26). A profile that
    /// is not the device's any more is only read (ID-18).
    private mutating func readProfile(
        _ profileID: String, outputs: inout [DeviceOutput]
    ) -> SDKAnswer {
        guard let record = backend.profileRecord(profileID) else { return .profile(storedProfile) }
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
            record = try backend.apply(change, to: profileID, today: today, at: now)
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

    private mutating func announce(_ record: ProfileRecord, outputs: inout [DeviceOutput]) {
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

// MARK: - Content

extension SDKDevice {
    private mutating func take(
        _ content: ServedContent, for fetch: FetchRequest, as type: PlacementType
    ) throws(DeviceFault) -> SDKAnswer {
        let answer: SDKAnswer
        switch type {
        case .flow:
            let flow = Flow(placement: content.placement, content: content.variation)
            fetched.keep(.flow(flow))
            answer = .flow(flow)
        case .onboarding:
            let onboarding = try onboarding(content, locale: fetch.locale)
            fetched.keep(.onboarding(onboarding))
            answer = .onboarding(onboarding)
        }
        recordAssignment(content, as: type)
        return answer
    }

    /// One event for each content taken, also a single or a recorded one (PL-30).
    private func recordAssignment(_ content: ServedContent, as type: PlacementType) {
        let name =
            type == .flow ? "flow_variation_assigned" : "onboarding_variation_assigned"
        record(
            BackendEvent(
                name: name,
                properties: [
                    "variation_id": .string(content.variation.variationID),
                    "placement_audience_version_id": .string(content.audienceVersionID),
                ]), profileID: identity.profileID)
    }

    /// The onboarding in the locale that fits the request (PL-6, PL-80).
    private func onboarding(
        _ content: ServedContent, locale wanted: String
    ) throws(DeviceFault) -> Onboarding {
        guard let document = backend.catalog.onboardingDocuments[content.variation.contentID] else {
            throw .sdk(
                AdaptyError(
                    .decodingFailed,
                    "onboarding \"\(content.variation.contentID)\" of placement "
                        + "\"\(content.placement.id)\" is not in the loaded catalog"))
        }
        let matched = OnboardingLocale(wanted).index(in: document.content)
        let locale = document.content.locales[matched].id
        return Onboarding(
            placement: content.placement, content: content.variation,
            remoteConfig: content.variation.remoteConfigs.first {
                OnboardingLocale($0.locale) == OnboardingLocale(locale)
            }, locale: locale)
    }
}
