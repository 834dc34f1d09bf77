import FlowEngine

/// Names a call that was started on a device until its answer is taken.
public struct CallID: Sendable, Hashable {
    /// Unique among the waiting calls of a device.
    public let number: UInt64

    /// Makes an id; the caller keeps it unique per device.
    public init(number: UInt64) {
        self.number = number
    }
}

/// A fetch as the app asks for it (PL-40 to PL-43, PL-50).
public struct FetchRequest: Sendable, Equatable {
    /// Trimmed, then matched exactly (PL-1).
    public var placementID: String
    /// Onboardings only (PL-6).
    public var locale: String
    /// As given; an unknown name acts as the default one (PL-43).
    public var policy: String
    /// nil: not given (PL-42).
    public var maxAgeMs: UInt64?
    /// nil: 5 000; below 1 000 it is raised to 1 000 (PL-50).
    public var loadTimeoutMs: UInt32?

    /// Makes a request with the SDK's defaults.
    public init(
        placementID: String, locale: String = "", policy: String = "", maxAgeMs: UInt64? = nil,
        loadTimeoutMs: UInt32? = nil
    ) {
        self.placementID = placementID
        self.locale = locale
        self.policy = policy
        self.maxAgeMs = maxAgeMs
        self.loadTimeoutMs = loadTimeoutMs
    }
}

/// What `activate` is given (ID-3 to ID-10).
public struct Activation: Sendable, Equatable {
    /// Another one than before wipes the stored state (ID-7).
    public var apiKey: String
    /// Trimmed by the SDK; blank counts as absent (ID-6).
    public var customerUserID: String
    /// Dropped without an ID (ID-6).
    public var appAccountToken: String
    /// Whether AdaptyUI is activated as well (ID-8).
    public var activatesUI: Bool
    /// Whether the app buys by itself (ACT-47).
    public var observerMode: Bool

    /// Makes an activation with the SDK's defaults.
    public init(
        apiKey: String = "", customerUserID: String = "", appAccountToken: String = "",
        activatesUI: Bool = true, observerMode: Bool = false
    ) {
        self.apiKey = apiKey
        self.customerUserID = customerUserID
        self.appAccountToken = appAccountToken
        self.activatesUI = activatesUI
        self.observerMode = observerMode
    }
}

/// What `getFlowConfiguration` is given (FC-1 to FC-14, FC-22).
public struct ConfigurationRequest: Sendable, Equatable {
    /// Of a flow that the device has fetched.
    public var variationID: String
    /// Blank: `en`; compared exactly (FC-2, FC-4).
    public var locale: String
    /// Texts by full tag name (FC-10).
    public var tags: [String: String]
    /// End instants by timer id (FC-14).
    public var timers: [String: Instant]
    /// nil: the view loads its products itself.
    public var products: [String]?
    /// nil: 5 000; below 1 000 it is raised to 1 000 (PL-50).
    public var loadTimeoutMs: UInt32?

    /// Makes a request with the SDK's defaults.
    public init(
        variationID: String, locale: String = "", tags: [String: String] = [:],
        timers: [String: Instant] = [:], products: [String]? = nil, loadTimeoutMs: UInt32? = nil
    ) {
        self.variationID = variationID
        self.locale = locale
        self.tags = tags
        self.timers = timers
        self.products = products
        self.loadTimeoutMs = loadTimeoutMs
    }
}

/// A call of the SDK's surface that may have to wait for a simulated service.
public enum SDKCall: Sendable, Equatable {
    case activate(Activation)
    /// The ID is trimmed; a token that is empty is none (ID-11, ID-12).
    case identify(customerUserID: String, appAccountToken: String)
    case logout
    /// By variation id (VW-27).
    case logShowFlow(variationID: String)
    case getProfile
    case updateProfile(ProfileUpdate)
    case getFlow(FetchRequest)
    case getOnboarding(FetchRequest)
    /// What All Users get; its load time-out plays no part (PL-57).
    case getFlowForDefaultAudience(FetchRequest)
    /// As above; without a locale in the default one (PL-79).
    case getOnboardingForDefaultAudience(FetchRequest)
    /// Several placements within one time-out, nil for the default one (PL-50, PL-59).
    case preloadFlows(placementIDs: [String], loadTimeoutMs: UInt32?)
    case getFlowConfiguration(ConfigurationRequest)
    /// By variation id; the flag asks for external URLs in the external browser (OB-57).
    case getOnboardingConfiguration(variationID: String, opensExternalBrowser: Bool)
    /// Of a flow that the device has fetched (FC-20).
    case getPaywallProducts(variationID: String)
    /// A product out of the paywalls of such a flow (ACT-32).
    case makePurchase(variationID: String, vendorProductID: String)
    case restorePurchases
}

/// What a call that succeeded gives.
public enum SDKAnswer: Sendable, Equatable {
    case done
    case profile(Profile)
    case flow(Flow)
    case onboarding(Onboarding)
    case flowConfiguration(id: String, flowVersionID: String, locale: LocaleDocument)
    case onboardingConfiguration(id: String, onboardingID: String)
    case paywallProducts([PaywallProduct])
    case purchase(PurchaseResult)
}

/// Where fetched content comes from (PL-7).
public struct PlacementValue: Sendable, Equatable, Codable {
    /// The placement that was fetched.
    public var id: String
    /// The audience that matched.
    public var audienceName: String
    /// Empty without A/B test (PL-9).
    public var abTestName: String
    /// The placement's revision.
    public var revision: Int64

    /// Makes a placement value.
    public init(id: String, audienceName: String, abTestName: String, revision: Int64) {
        self.id = id
        self.audienceName = audienceName
        self.abTestName = abTestName
        self.revision = revision
    }
}

/// A flow as the SDK gives it (PL-7).
public struct Flow: Sendable, Equatable, Codable {
    /// Where it comes from.
    public var placement: PlacementValue
    /// The variation that was drawn.
    public var content: VariationDocument

    /// Makes a flow.
    public init(placement: PlacementValue, content: VariationDocument) {
        self.placement = placement
        self.content = content
    }

    /// Exactly if the variation has a flow version id (PL-8).
    public var hasViewConfiguration: Bool { content.flowVersionID != nil }
}

/// An onboarding as the SDK gives it (PL-80).
public struct Onboarding: Sendable, Equatable, Codable {
    /// Where it comes from.
    public var placement: PlacementValue
    /// The variation that was drawn.
    public var content: VariationDocument
    /// The one remote config of the locale that was matched, if any (PL-6).
    public var remoteConfig: RemoteConfigDocument?
    /// The locale that was matched (PL-6).
    public var locale: String

    /// Makes an onboarding.
    public init(
        placement: PlacementValue, content: VariationDocument,
        remoteConfig: RemoteConfigDocument?, locale: String
    ) {
        self.placement = placement
        self.content = content
        self.remoteConfig = remoteConfig
        self.locale = locale
    }
}
