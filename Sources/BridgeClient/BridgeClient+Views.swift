import BridgeProtocol

// Views, and the finger on them.
//
// Each takes its request message; `deadline` and what is thrown are as for `call`.

extension BridgeClient {
    /// Makes a view of a flow.
    @discardableResult
    public func createFlowController(
        _ request: CreateFlowControllerRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> CreateFlowControllerReply {
        try await reply(.createFlowController(request), deadline) {
            if case .createFlowController(let reply) = $0 { reply } else { nil }
        }
    }

    /// Makes a view of an onboarding.
    @discardableResult
    public func createOnboardingController(
        _ request: CreateOnboardingControllerRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> CreateOnboardingControllerReply {
        try await reply(.createOnboardingController(request), deadline) {
            if case .createOnboardingController(let reply) = $0 { reply } else { nil }
        }
    }

    /// Puts a view on the screen.
    @discardableResult
    public func present(
        _ request: PresentRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> PresentReply {
        try await reply(.present(request), deadline) {
            if case .present(let reply) = $0 { reply } else { nil }
        }
    }

    /// Takes a view off the screen.
    @discardableResult
    public func dismiss(
        _ request: DismissRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> DismissReply {
        try await reply(.dismiss(request), deadline) {
            if case .dismiss(let reply) = $0 { reply } else { nil }
        }
    }

    /// Forgets a view.
    @discardableResult
    public func destroyView(
        _ request: DestroyViewRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> DestroyViewReply {
        try await reply(.destroyView(request), deadline) {
            if case .destroyView(let reply) = $0 { reply } else { nil }
        }
    }

    /// Lists the views of a device, a page at a time.
    public func listViews(
        _ request: ListViewsRequest = ListViewsRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> ListViewsReply {
        try await reply(.listViews(request), deadline) {
            if case .listViews(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets what a view shows, element by element.
    @discardableResult
    public func getScreen(
        _ request: GetScreenRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> GetScreenReply {
        try await reply(.getScreen(request), deadline) {
            if case .getScreen(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gives an onboarding view a raw message, as its document would.
    @discardableResult
    public func postOnboardingMessage(
        _ request: PostOnboardingMessageRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> PostOnboardingMessageReply {
        try await reply(.postOnboardingMessage(request), deadline) {
            if case .postOnboardingMessage(let reply) = $0 { reply } else { nil }
        }
    }

    /// Makes a gesture on the view in control.
    @discardableResult
    public func perform(
        _ request: PerformRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> PerformReply {
        try await reply(.perform(request), deadline) {
            if case .perform(let reply) = $0 { reply } else { nil }
        }
    }
}
