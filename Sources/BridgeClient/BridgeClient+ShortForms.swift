import BridgeProtocol

// The calls of the main job in the form that an app writes them, without request messages.

extension BridgeClient {
    /// Gets the flow of a placement.
    public func getFlow(
        placementId: String, deadline: Duration? = nil
    ) async throws(BridgeError) -> Flow {
        let request = with(GetFlowRequest()) { $0.placementId = placementId }
        return try required(try await getFlow(request, deadline: deadline).flow, "get_flow.flow")
    }

    /// Gets the onboarding of a placement; `locale` empty: `en`.
    public func getOnboarding(
        placementId: String, locale: String = "", deadline: Duration? = nil
    ) async throws(BridgeError) -> Onboarding {
        let request = with(GetOnboardingRequest()) {
            $0.placementId = placementId
            $0.locale = locale
        }
        let reply = try await getOnboarding(request, deadline: deadline)
        return try required(reply.onboarding, "get_onboarding.onboarding")
    }

    /// Gives the SDK a fallback file.
    ///
    /// - Parameter path: An absolute path, as the broker sees it; the broker reads the file once.
    public func setFallback(
        path: String, deadline: Duration? = nil
    ) async throws(BridgeError) {
        let request = with(SetFallbackRequest()) { $0.source = .path(path) }
        try await setFallback(request, deadline: deadline)
    }

    /// Fetches flows ahead. What is thrown names in `preloadErrors` the placements that failed.
    public func preloadFlows(
        placementIds: [String], deadline: Duration? = nil
    ) async throws(BridgeError) {
        let request = with(PreloadFlowsRequest()) { $0.placementIds = placementIds }
        try await preloadFlows(request, deadline: deadline)
    }

    /// Gets what a view of a fetched flow is made from; `locale` empty: `en`.
    public func getFlowConfiguration(
        of flow: Flow, locale: String = "", deadline: Duration? = nil
    ) async throws(BridgeError) -> GetFlowConfigurationReply {
        let request = with(GetFlowConfigurationRequest()) {
            $0.variationId = flow.variationId
            $0.locale = locale
        }
        return try await getFlowConfiguration(request, deadline: deadline)
    }

    /// Gets what a view of a fetched onboarding is made from.
    public func getOnboardingConfiguration(
        of onboarding: Onboarding, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetOnboardingConfigurationReply {
        let request = with(GetOnboardingConfigurationRequest()) {
            $0.variationId = onboarding.variationId
        }
        return try await getOnboardingConfiguration(request, deadline: deadline)
    }

    /// Makes a view of a flow and returns its id.
    public func createFlowController(
        configurationId: String, actionHandling: ActionHandling.Mode = .automatic,
        deadline: Duration? = nil
    ) async throws(BridgeError) -> String {
        let request = with(CreateFlowControllerRequest()) {
            $0.configurationId = configurationId
            $0.actionHandling = actionHandling
        }
        return try await createFlowController(request, deadline: deadline).viewId
    }

    /// Makes a view of an onboarding and returns its id.
    public func createOnboardingController(
        configurationId: String, actionHandling: ActionHandling.Mode = .automatic,
        deadline: Duration? = nil
    ) async throws(BridgeError) -> String {
        let request = with(CreateOnboardingControllerRequest()) {
            $0.configurationId = configurationId
            $0.actionHandling = actionHandling
        }
        return try await createOnboardingController(request, deadline: deadline).viewId
    }

    /// Puts a view on the screen.
    public func present(viewId: String, deadline: Duration? = nil) async throws(BridgeError) {
        try await present(with(PresentRequest()) { $0.viewId = viewId }, deadline: deadline)
    }

    /// Takes a view off the screen, and forgets it too if `destroy`. Returns the id of the view
    /// that was closed, empty when there was none (VW-9, VW-14).
    @discardableResult
    public func dismiss(
        viewId: String, destroy: Bool = false, deadline: Duration? = nil
    ) async throws(BridgeError) -> String {
        let request = with(DismissRequest()) {
            $0.viewId = viewId
            $0.destroy = destroy
        }
        return try await dismiss(request, deadline: deadline).closedViewId
    }

    /// Gets the first page of what a view shows: up to 1 000 elements.
    public func getScreen(
        viewId: String, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetScreenReply {
        try await getScreen(with(GetScreenRequest()) { $0.viewId = viewId }, deadline: deadline)
    }

    /// Makes a gesture on a view.
    ///
    /// - Throws: NOT_FOUND or WRONG_STATE naming what was there when the gesture is impossible.
    public func perform(
        _ gesture: PerformRequest.Gesture, on viewId: String, deadline: Duration? = nil
    ) async throws(BridgeError) {
        let request = with(PerformRequest()) {
            $0.viewId = viewId
            $0.gesture = gesture
        }
        try await perform(request, deadline: deadline)
    }

    /// Gets the profile of the connection's device.
    public func profile(deadline: Duration? = nil) async throws(BridgeError) -> Profile {
        try required(try await getProfile(deadline: deadline).profile, "get_profile.profile")
    }

    private func required<Value>(_ value: Value?, _ name: String) throws(BridgeError) -> Value {
        guard let value else {
            throw BridgeError(.internal, "\(path) left out \(name), which every answer has")
        }
        return value
    }
}
