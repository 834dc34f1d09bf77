import FlowEngine

/// A call that asks the backend, checked as far as the device can check it by itself.
enum BackendRequest: Sendable {
    case getProfile
    case updateProfile(ProfileChange)
    case fetch(FetchRequest, PlacementType)
    case flowConfiguration(ConfigurationRequest, FetchedContent)

    /// The wire's method name, by which conditions go.
    var method: String {
        switch self {
        case .getProfile: "get_profile"
        case .updateProfile: "update_profile"
        case .fetch(_, .flow): "get_flow"
        case .fetch(_, .onboarding): "get_onboarding"
        case .flowConfiguration: "get_flow_configuration"
        }
    }

    /// Whether it reads or changes the profile: then it waits for the updates before it (PRO-24)
    /// and for a profile that is being created (ID-30).
    var needsProfile: Bool {
        if case .flowConfiguration = self { false } else { true }
    }

    var isUpdate: Bool {
        if case .updateProfile = self { true } else { false }
    }

    /// Milliseconds from its start after which an answer is late (PL-50, PL-51); nil: never.
    var spanMs: Int64? {
        switch self {
        case .getProfile, .updateProfile: nil
        case .fetch(let request, _):
            Self.loadTimeoutMs(request.loadTimeoutMs) - SDKLimits.fallbackReserveMs
        case .flowConfiguration(let request, _): Self.loadTimeoutMs(request.loadTimeoutMs)
        }
    }

    /// A load time-out as it holds: raised to the least without an error (PL-50).
    private static func loadTimeoutMs(_ given: UInt32?) -> Int64 {
        guard let given else { return SDKLimits.loadTimeoutDefaultMs }
        return max(Int64(given), SDKLimits.loadTimeoutMinMs)
    }
}

/// A call of the SDK between its start and its answer.
struct WaitingCall: Sendable {
    let id: CallID
    let request: BackendRequest
    var phase: Phase
    /// When an answer of the backend is late; nil: never, or not begun yet.
    var lateAt: Instant?

    enum Phase: Sendable {
        /// An update before it has not been applied yet (PRO-24).
        case behindUpdate
        /// The profile is being created (ID-30).
        case awaitingProfile
        /// The backend was asked; its answer comes then.
        case asking(until: Instant, BackendReply)
    }

    /// When something happens to it by itself.
    var due: Instant? {
        switch phase {
        case .behindUpdate: nil
        case .awaitingProfile: lateAt
        case .asking(let until, _): until
        }
    }
}

/// What the backend will have answered.
enum BackendReply: Sendable {
    case failure(AdaptyError)
    /// Read or applied when the answer comes, for the profile that was active at the start.
    case profile(String)
    /// The device's own copy, as the backend gave none (ID-25).
    case stored(Profile)
    case content(ServedContent, profileID: String)
    case configuration
}
