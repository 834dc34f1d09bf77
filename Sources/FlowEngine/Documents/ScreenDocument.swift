/// Actions that a screen runs by itself (NAV-19).
public struct ScreenHooks: Sendable, Equatable {
    /// Run before the screen is there.
    public var willAppear: [ActionDocument]
    /// Run when the screen is there.
    public var didAppear: [ActionDocument]
    /// Run before the screen goes.
    public var willDisappear: [ActionDocument]
    /// Run when the screen has gone.
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
    /// In the order of the builder.
    public var elements: [ElementDocument]
    /// What it runs by itself.
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
