import BridgeProtocol

// The calls of the SDK itself. What the SDK would throw has `BridgeError.sdk` set.
//
// Each takes its request message; `deadline` and what is thrown are as for `call`.

extension BridgeClient {
    /// Activates the SDK on the device of this connection.
    @discardableResult
    public func activate(
        _ request: ActivateRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> ActivateReply {
        try await reply(.activate(request), deadline) {
            if case .activate(let reply) = $0 { reply } else { nil }
        }
    }

    /// Says which user the device has.
    @discardableResult
    public func identify(
        _ request: IdentifyRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> IdentifyReply {
        try await reply(.identify(request), deadline) {
            if case .identify(let reply) = $0 { reply } else { nil }
        }
    }

    /// Goes on as a new anonymous user.
    @discardableResult
    public func logout(
        _ request: LogoutRequest = LogoutRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> LogoutReply {
        try await reply(.logout(request), deadline) {
            if case .logout(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the profile.
    public func getProfile(
        _ request: GetProfileRequest = GetProfileRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> GetProfileReply {
        try await reply(.getProfile(request), deadline) {
            if case .getProfile(let reply) = $0 { reply } else { nil }
        }
    }

    /// Changes the profile. Only what is set is sent (PRO-2).
    @discardableResult
    public func updateProfile(
        _ request: UpdateProfileRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> UpdateProfileReply {
        try await reply(.updateProfile(request), deadline) {
            if case .updateProfile(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the flow of a placement.
    @discardableResult
    public func getFlow(
        _ request: GetFlowRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetFlowReply {
        try await reply(.getFlow(request), deadline) {
            if case .getFlow(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the flow of a placement for its default audience.
    @discardableResult
    public func getFlowForDefaultAudience(
        _ request: GetFlowForDefaultAudienceRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetFlowForDefaultAudienceReply {
        try await reply(.getFlowForDefaultAudience(request), deadline) {
            if case .getFlowForDefaultAudience(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets what a view of a fetched flow is made from.
    @discardableResult
    public func getFlowConfiguration(
        _ request: GetFlowConfigurationRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetFlowConfigurationReply {
        try await reply(.getFlowConfiguration(request), deadline) {
            if case .getFlowConfiguration(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the products of a fetched flow.
    @discardableResult
    public func getPaywallProducts(
        _ request: GetPaywallProductsRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetPaywallProductsReply {
        try await reply(.getPaywallProducts(request), deadline) {
            if case .getPaywallProducts(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the onboarding of a placement.
    @discardableResult
    public func getOnboarding(
        _ request: GetOnboardingRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetOnboardingReply {
        try await reply(.getOnboarding(request), deadline) {
            if case .getOnboarding(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the onboarding of a placement for its default audience.
    @discardableResult
    public func getOnboardingForDefaultAudience(
        _ request: GetOnboardingForDefaultAudienceRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetOnboardingForDefaultAudienceReply {
        try await reply(.getOnboardingForDefaultAudience(request), deadline) {
            if case .getOnboardingForDefaultAudience(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets what a view of a fetched onboarding is made from.
    @discardableResult
    public func getOnboardingConfiguration(
        _ request: GetOnboardingConfigurationRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetOnboardingConfigurationReply {
        try await reply(.getOnboardingConfiguration(request), deadline) {
            if case .getOnboardingConfiguration(let reply) = $0 { reply } else { nil }
        }
    }

    /// Fetches flows ahead. What is thrown names in `preloadErrors` the placements that failed
    /// (PL-59).
    @discardableResult
    public func preloadFlows(
        _ request: PreloadFlowsRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> PreloadFlowsReply {
        try await reply(.preloadFlows(request), deadline) {
            if case .preloadFlows(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gives the SDK a fallback file.
    @discardableResult
    public func setFallback(
        _ request: SetFallbackRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> SetFallbackReply {
        try await reply(.setFallback(request), deadline) {
            if case .setFallback(let reply) = $0 { reply } else { nil }
        }
    }

    /// Buys a product in the simulated store.
    @discardableResult
    public func makePurchase(
        _ request: MakePurchaseRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> MakePurchaseReply {
        try await reply(.makePurchase(request), deadline) {
            if case .makePurchase(let reply) = $0 { reply } else { nil }
        }
    }

    /// Restores what was bought.
    @discardableResult
    public func restorePurchases(
        _ request: RestorePurchasesRequest = RestorePurchasesRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> RestorePurchasesReply {
        try await reply(.restorePurchases(request), deadline) {
            if case .restorePurchases(let reply) = $0 { reply } else { nil }
        }
    }

    /// Tells the backend that a flow was shown.
    @discardableResult
    public func logShowFlow(
        _ request: LogShowFlowRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> LogShowFlowReply {
        try await reply(.logShowFlow(request), deadline) {
            if case .logShowFlow(let reply) = $0 { reply } else { nil }
        }
    }
}
