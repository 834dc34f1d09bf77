import FlowEngine

/// What an installation is made with.
public struct DeviceConfiguration: Sendable {
    /// Tells the device from the others of its backend.
    public var name: String
    /// BCP 47.
    public var locale: String
    /// In which local times are reckoned (GEN-3).
    public var zone: TimeZoneRules
    /// Matched by segments (PL-81), here and for the next two.
    public var platform: String
    /// Empty: missing.
    public var appVersion: String
    /// Empty: missing.
    public var osVersion: String
    /// Decides every id that the device draws (GEN-3).
    public var seed: UInt64
    /// How long a question waits, on the device's clock (ACT-51).
    public var questionDeadlineMs: UInt32
    /// Views of the device, on screen or not; one more is LIMIT_EXCEEDED.
    public var viewsMax = SDKLimits.viewsMax

    /// Makes a configuration.
    public init(
        name: String, locale: String = "en-US", zone: TimeZoneRules, platform: String = "iOS",
        appVersion: String = "", osVersion: String = "", seed: UInt64 = 0,
        questionDeadlineMs: UInt32 = 30_000
    ) {
        self.name = name
        self.locale = locale
        self.zone = zone
        self.platform = platform
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.seed = seed
        self.questionDeadlineMs = questionDeadlineMs
    }
}

/// Who acts on close, links and custom actions of a view (ACT-2).
public enum ActionHandling: Sendable, Hashable {
    /// Flows: the SDK (ACT-3); onboardings: the app (OB-15).
    case automatic
    case sdk
    case app
}

/// What a view is.
public enum ViewKind: Sendable, Hashable {
    case flow, onboarding
}

/// Where a view stands (VW-1, VW-4, VW-6, VW-13).
public enum ViewState: Sendable, Hashable {
    case created, onTop, covered, dismissed
}

/// A view as `list_views` tells it.
public struct ViewSummary: Sendable, Equatable {
    /// Names the view.
    public var id: ViewID
    /// Flow or onboarding.
    public var kind: ViewKind
    /// Where it stands.
    public var state: ViewState
    /// Where its content was fetched from.
    public var placementID: String
    /// Which variation its content is.
    public var variationID: String
    /// Empty unless on screen.
    public var screenID: String
    /// The locale it shows.
    public var locale: String

    /// Makes a summary.
    public init(
        id: ViewID, kind: ViewKind, state: ViewState, placementID: String, variationID: String,
        screenID: String, locale: String
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.placementID = placementID
        self.variationID = variationID
        self.screenID = screenID
        self.locale = locale
    }
}
