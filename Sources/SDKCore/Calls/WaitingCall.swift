import FlowEngine

/// A call that asks the backend, checked as far as the device can check it by itself.
enum BackendRequest: Sendable {
    case getProfile
    case updateProfile(ProfileChange)
    case fetch(Fetch)
    case flowConfiguration(ConfigurationRequest, Flow)
    /// The simulated store is asked, here and for the next two.
    case paywallProducts(PaywallOffer)
    case purchase(PaywallProduct)
    case restore

    /// The wire's method name, by which conditions go.
    var method: String {
        switch self {
        case .getProfile: "get_profile"
        case .updateProfile: "update_profile"
        case .fetch(let fetch): fetch.method
        case .flowConfiguration: "get_flow_configuration"
        case .paywallProducts: "get_paywall_products"
        case .purchase: "make_purchase"
        case .restore: "restore_purchases"
        }
    }

    /// Whether it reads or changes the profile: then it waits for the updates before it (PRO-24)
    /// and for a profile that is being created (ID-30).
    var needsProfile: Bool {
        switch self {
        case .getProfile, .updateProfile, .restore: true
        case .fetch(let fetch): fetch.kind != .defaultAudience
        case .flowConfiguration, .paywallProducts, .purchase: false
        }
    }

    var isUpdate: Bool {
        if case .updateProfile = self { true } else { false }
    }

    /// Whether it fails when the profile was changed meanwhile (ID-18).
    var endsWithProfile: Bool {
        if case .fetch(let fetch) = self { fetch.kind != .defaultAudience } else { false }
    }

    /// How long it may take from its start, with all the servers it asks; nil: for ever (PL-50).
    var spanMs: Int64? {
        switch self {
        case .getProfile, .updateProfile, .paywallProducts, .purchase, .restore: nil
        case .fetch(let fetch): fetch.loadTimeoutMs
        case .flowConfiguration(let request, _): Self.loadTimeoutMs(request.loadTimeoutMs)
        }
    }

    /// What of its span the main backend is cut by (PL-51).
    var reserveMs: Int64 {
        if case .fetch = self { SDKLimits.fallbackReserveMs } else { 0 }
    }

    /// A load time-out as it holds: raised to the least without an error (PL-50).
    static func loadTimeoutMs(_ given: UInt32?) -> Int64 {
        guard let given else { return SDKLimits.loadTimeoutDefaultMs }
        return max(Int64(given), SDKLimits.loadTimeoutMinMs)
    }
}

/// Who waits for the end of a call.
enum Asker: Sendable {
    case app(CallID)
    /// A view whose flow buys or restores; its delegate is told (ACT-22 to ACT-31).
    case flow(FlowAsker)
}

/// A call of the SDK between its start and its answer.
struct WaitingCall: Sendable {
    let asker: Asker
    let request: BackendRequest
    var phase = Phase.behindUpdate
    /// When its span began.
    var startedAt: Instant?
    /// The profile that it began under (ID-18); empty: it has asked nothing yet.
    var profileID = ""

    /// Names it among the calls of the app; nil: a view's.
    var id: CallID? {
        if case .app(let id) = asker { id } else { nil }
    }

    enum Phase: Sendable {
        /// An update before it has not been applied yet (PRO-24).
        case behindUpdate
        /// The profile is being created (ID-30).
        case awaitingProfile
        /// A server was asked; its answer comes then.
        case asking(CallCondition.Server, until: Instant, BackendReply)
        /// The fallback file is being read. A fetch has failed with that; nil: nothing was asked.
        case awaitingFile(AdaptyError?)
    }

    /// When an answer of that server is late (PL-51, PL-52); nil: never.
    func lateAt(_ server: CallCondition.Server) -> Instant? {
        guard let startedAt, let spanMs = request.spanMs else { return nil }
        return startedAt.advanced(byMs: server == .main ? spanMs - request.reserveMs : spanMs)
    }

    /// When something happens to it by itself.
    var due: Instant? {
        switch phase {
        case .behindUpdate, .awaitingFile: nil
        case .awaitingProfile: lateAt(.main)
        case .asking(_, let until, _): until
        }
    }
}

extension WaitingCall {
    var isAwaitingProfile: Bool {
        if case .awaitingProfile = phase { true } else { false }
    }

    var isAwaitingFile: Bool {
        if case .awaitingFile = phase { true } else { false }
    }

    var isHeld: Bool {
        if case .behindUpdate = phase { true } else { false }
    }
}

/// What a server will have answered.
enum BackendReply: Sendable {
    case failure(ServerFailure)
    /// Read or applied when the answer comes, for the profile that was active at the start.
    case profile(String)
    /// The device's own copy, as the backend gave none (ID-25).
    case stored(Profile)
    case content(ServedContent)
    case document(FlowDocument)
    case store(StoreReply)
}
