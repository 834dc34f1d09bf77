import FlowEngine

/// When cached content is taken without asking a server.
enum FetchPolicy: Sendable, Equatable {
    /// Never (PL-40).
    case reload
    /// Always (PL-41).
    case cacheElseLoad
    /// If it is younger than that (PL-42).
    case cacheIfYounger(thanMs: Int64)

    /// - Throws: `decodingFailed` for a policy by age without an age (PL-42).
    init(_ request: FetchRequest) throws(AdaptyError) {
        switch request.policy {
        case "return_cache_data_else_load": self = .cacheElseLoad
        case Self.byAge:
            guard let maxAgeMs = request.maxAgeMs else {
                throw AdaptyError(
                    .decodingFailed, "fetch policy \(Self.byAge): max_age is missing")
            }
            self = .cacheIfYounger(thanMs: Int64(clamping: maxAgeMs))
        default: self = .reload  // PL-43
        }
    }

    private static let byAge = "return_cache_data_if_not_expired_else_load"

    /// Whether content of that age serves.
    func allowsCached(ageMs: Int64) -> Bool {
        switch self {
        case .reload: false
        case .cacheElseLoad: true
        case .cacheIfYounger(let limitMs): ageMs < limitMs
        }
    }
}

/// One content that a device wants from a server, with what the app said of it.
struct Fetch: Sendable {
    enum Kind: Sendable {
        /// By audience, within a load time-out (PL-40 to PL-56).
        case targeted
        /// What All Users get (PL-57, PL-79).
        case defaultAudience
        /// As targeted, for the cache alone (PL-59).
        case preload
    }

    let kind: Kind
    let type: PlacementType
    /// Trimmed (PL-1).
    let placementID: String
    /// nil: the default locale of the onboarding (PL-79); flows have none (PL-5).
    let locale: OnboardingLocale?
    let policy: FetchPolicy
    /// nil: none (PL-57).
    let loadTimeoutMs: Int64?

    init(_ request: FetchRequest, _ type: PlacementType, _ kind: Kind) throws(AdaptyError) {
        self.kind = kind
        self.type = type
        placementID = request.placementID.trimmed()
        let asksDefault = kind == .defaultAudience && request.locale.trimmed().isEmpty
        locale = type == .flow || asksDefault ? nil : OnboardingLocale(request.locale)
        policy = try FetchPolicy(request)
        loadTimeoutMs =
            kind == .defaultAudience ? nil : BackendRequest.loadTimeoutMs(request.loadTimeoutMs)
    }

    /// A fetch of a flow for the cache (PL-59).
    init(preloading placementID: String, loadTimeoutMs: UInt32?) {
        kind = .preload
        type = .flow
        self.placementID = placementID
        locale = nil
        policy = .reload
        self.loadTimeoutMs = BackendRequest.loadTimeoutMs(loadTimeoutMs)
    }

    /// The wire's method name, by which conditions go.
    var method: String {
        switch (kind, type) {
        case (.targeted, .flow): "get_flow"
        case (.targeted, .onboarding): "get_onboarding"
        case (.defaultAudience, .flow): "get_flow_for_default_audience"
        case (.defaultAudience, .onboarding): "get_onboarding_for_default_audience"
        case (.preload, _): "preload_flows"
        }
    }
}
