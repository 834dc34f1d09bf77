/// Actions that a screen runs by itself (NAV-19).
public struct ScreenHooks: Sendable, Equatable {
    public var willAppear: [ActionDocument]
    public var didAppear: [ActionDocument]
    public var willDisappear: [ActionDocument]
    public var didDisappear: [ActionDocument]

    /// Makes hooks; none runs anything without.
    public init(
        willAppear: [ActionDocument] = [], didAppear: [ActionDocument] = [],
        willDisappear: [ActionDocument] = [], didDisappear: [ActionDocument] = []
    ) {
        self.willAppear = willAppear
        self.didAppear = didAppear
        self.willDisappear = willDisappear
        self.didDisappear = didDisappear
    }
}

/// One screen of a flow or an onboarding.
public struct ScreenDocument: Sendable, Equatable {
    /// Reported as `instanceId` in flows, as screen client id in onboardings.
    public var id: String
    public var elements: [ElementDocument]
    public var hooks: ScreenHooks
    /// Set by hand; wins over the reckoning of NAV-5.
    public var isLastOverride: Bool?
    /// Onboardings: marked as registration screen (OB-46).
    public var isRegistration: Bool
    /// Onboardings: marked as products screen (OB-46).
    public var isProducts: Bool

    /// Makes a screen.
    public init(
        id: String, elements: [ElementDocument], hooks: ScreenHooks = ScreenHooks(),
        isLastOverride: Bool? = nil, isRegistration: Bool = false, isProducts: Bool = false
    ) {
        self.id = id
        self.elements = elements
        self.hooks = hooks
        self.isLastOverride = isLastOverride
        self.isRegistration = isRegistration
        self.isProducts = isProducts
    }
}
