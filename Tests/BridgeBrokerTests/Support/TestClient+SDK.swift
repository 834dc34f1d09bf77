import BridgeProtocol

/// The calls of the main job, short enough to read a test as a story.
extension TestClient {
    func openDevice(
        _ name: String, manualAtMs: Int64? = nil, zone: String = "UTC", seed: UInt64 = 0,
        locale: String = ""
    ) throws {
        try call(
            .openDevice(
                with(OpenDeviceRequest()) {
                    $0.device = name
                    $0.timeZone = zone
                    $0.randomSeed = seed
                    $0.locale = locale
                    if let manualAtMs {
                        $0.clock = with(DeviceClock()) {
                            $0.kind = .manual
                            $0.startMs = manualAtMs
                        }
                    }
                }))
    }

    /// Opens a device as the request says.
    func open(_ fill: (inout OpenDeviceRequest) -> Void) throws -> OpenDeviceReply {
        let reply = try call(.openDevice(with(OpenDeviceRequest(), fill)))
        guard case .openDevice(let opened) = reply else { throw Unexpected(reply) }
        return opened
    }

    /// Closes a device; empty: that of the connection.
    func closeDevice(_ name: String = "") throws {
        try call(.closeDevice(with(CloseDeviceRequest()) { $0.device = name }))
    }

    func activate(customerUserID: String = "") throws {
        try call(.activate(with(ActivateRequest()) { $0.customerUserId = customerUserID }))
    }

    func getFlow(_ placementID: String) throws -> Flow {
        let reply = try call(.getFlow(with(GetFlowRequest()) { $0.placementId = placementID }))
        guard case .getFlow(let got) = reply, let flow = got.flow else { throw Unexpected(reply) }
        return flow
    }

    /// Fetches, configures and creates a flow view; returns its id.
    func makeFlowView(
        _ placementID: String, locale: String = "", handling: ActionHandling.Mode = .automatic
    ) throws -> String {
        let flow = try getFlow(placementID)
        let configured = try call(
            .getFlowConfiguration(
                with(GetFlowConfigurationRequest()) {
                    $0.variationId = flow.variationId
                    $0.locale = locale
                }))
        guard case .getFlowConfiguration(let configuration) = configured else {
            throw Unexpected(configured)
        }
        return try createFlowView(configuration.configurationId, handling: handling)
    }

    /// Creates a flow view out of a configuration; returns its id.
    func createFlowView(
        _ configurationID: String, handling: ActionHandling.Mode = .automatic
    ) throws -> String {
        let created = try call(
            .createFlowController(
                with(CreateFlowControllerRequest()) {
                    $0.configurationId = configurationID
                    $0.actionHandling = handling
                }))
        guard case .createFlowController(let controller) = created else {
            throw Unexpected(created)
        }
        return controller.viewId
    }

    /// Fetches, configures and creates an onboarding view; returns its id.
    func makeOnboardingView(
        _ placementID: String, handling: ActionHandling.Mode = .automatic
    ) throws -> String {
        let got = try call(
            .getOnboarding(with(GetOnboardingRequest()) { $0.placementId = placementID }))
        guard case .getOnboarding(let reply) = got, let onboarding = reply.onboarding else {
            throw Unexpected(got)
        }
        return try makeOnboardingView(of: onboarding, handling: handling)
    }

    /// Configures and creates a view of an onboarding that was fetched; returns its id.
    func makeOnboardingView(
        of onboarding: Onboarding, urls: ExternalUrls.Presentation = .inAppBrowser,
        handling: ActionHandling.Mode = .automatic
    ) throws -> String {
        let configured = try call(
            .getOnboardingConfiguration(
                with(GetOnboardingConfigurationRequest()) {
                    $0.variationId = onboarding.variationId
                    $0.externalUrlsPresentation = urls
                }))
        guard case .getOnboardingConfiguration(let configuration) = configured else {
            throw Unexpected(configured)
        }
        let created = try call(
            .createOnboardingController(
                with(CreateOnboardingControllerRequest()) {
                    $0.configurationId = configuration.configurationId
                    $0.actionHandling = handling
                }))
        guard case .createOnboardingController(let controller) = created else {
            throw Unexpected(created)
        }
        return controller.viewId
    }

    /// Posts a raw message of an onboarding; returns whether it was delivered.
    func post(_ json: String, to viewID: String) throws -> Bool {
        let request = with(PostOnboardingMessageRequest()) {
            $0.viewId = viewID
            $0.json = json
        }
        let reply = try call(.postOnboardingMessage(request))
        guard case .postOnboardingMessage(let posted) = reply else { throw Unexpected(reply) }
        return posted.delivered
    }

    func present(_ viewID: String) throws {
        try call(.present(with(PresentRequest()) { $0.viewId = viewID }))
    }

    @discardableResult
    func dismiss(_ viewID: String, destroy: Bool = false) throws -> String {
        let reply = try call(
            .dismiss(
                with(DismissRequest()) {
                    $0.viewId = viewID
                    $0.destroy = destroy
                }))
        guard case .dismiss(let dismissed) = reply else { throw Unexpected(reply) }
        return dismissed.closedViewId
    }

    @discardableResult
    func subscribe(
        device: String = "", kinds: [String] = [], view: String = "", from: UInt64? = nil
    ) throws -> SubscribeReply {
        let reply = try call(
            .subscribe(
                with(SubscribeRequest()) {
                    $0.device = device
                    $0.kinds = kinds
                    $0.view = view
                    $0.fromSequence = from
                }))
        guard case .subscribe(let subscribed) = reply else { throw Unexpected(reply) }
        return subscribed
    }

    func screen(_ viewID: String) throws -> GetScreenReply {
        let reply = try call(.getScreen(with(GetScreenRequest()) { $0.viewId = viewID }))
        guard case .getScreen(let screen) = reply else { throw Unexpected(reply) }
        return screen
    }

    func listViews(device: String = "") throws -> [ViewInfo] {
        let reply = try call(.listViews(with(ListViewsRequest()) { $0.device = device }))
        guard case .listViews(let listed) = reply else { throw Unexpected(reply) }
        return listed.views
    }

    func profile() throws -> Profile {
        let reply = try call(.getProfile(GetProfileRequest()))
        guard case .getProfile(let got) = reply, let profile = got.profile else {
            throw Unexpected(reply)
        }
        return profile
    }

    func update(_ fill: (inout UpdateProfileRequest) -> Void) throws {
        try call(.updateProfile(with(UpdateProfileRequest(), fill)))
    }

    // MARK: The finger

    func perform(_ viewID: String, _ gesture: PerformRequest.Gesture) throws {
        try call(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = viewID
                    $0.gesture = gesture
                }))
    }

    func focus(_ view: String, _ element: String) throws {
        try perform(view, .focus(with(FocusGesture()) { $0.elementId = element }))
    }

    func enter(_ view: String, _ element: String, _ text: String) throws {
        try perform(
            view,
            .enterText(
                with(EnterTextGesture()) {
                    $0.elementId = element
                    $0.text = text
                }))
    }

    func blur(_ view: String) throws {
        try perform(view, .blur(BlurGesture()))
    }

    func tapButton(_ view: String, _ element: String) throws {
        try perform(view, .tapButton(with(TapButtonGesture()) { $0.elementId = element }))
    }

    func tapOption(_ view: String, _ element: String, _ option: String) throws {
        try perform(
            view,
            .tapOption(
                with(TapOptionGesture()) {
                    $0.elementId = element
                    $0.optionId = option
                }))
    }

    func tapToggle(_ view: String, _ element: String) throws {
        try perform(view, .tapToggle(with(TapToggleGesture()) { $0.elementId = element }))
    }

    func pickDate(_ view: String, _ element: String, _ year: Int32, _ month: Int32, _ day: Int32)
        throws
    {
        try perform(view, .openPicker(with(OpenPickerGesture()) { $0.elementId = element }))
        try perform(
            view,
            .pick(
                with(PickGesture()) {
                    $0.date = with(CivilDate()) {
                        $0.year = year
                        $0.month = month
                        $0.day = day
                    }
                }))
        try perform(view, .closePicker(ClosePickerGesture()))
    }
}

/// The conditions and the clock of the device.
extension TestClient {
    /// Lets the calls of a method take that long from now on.
    func delay(
        _ method: String, ms: UInt32, status: UInt32 = 0, calls: UInt32 = 0,
        server: CallCondition.Server = .main
    ) throws {
        let condition = with(CallCondition()) {
            $0.method = method
            $0.server = server
            $0.latencyMs = ms
            $0.httpStatus = status
            $0.calls = calls
        }
        try call(.setConditions(with(SetConditionsRequest()) { $0.calls = [condition] }))
    }

    func setOffline(_ isOffline: Bool) throws {
        try call(.setConditions(with(SetConditionsRequest()) { $0.offline = isOffline }))
    }

    /// Moves the manual clock; returns what it shows.
    @discardableResult
    func advance(ms: Int64) throws -> Int64 {
        let reply = try call(.advanceClock(with(AdvanceClockRequest()) { $0.byMs = ms }))
        guard case .advanceClock(let advanced) = reply else { throw Unexpected(reply) }
        return advanced.timeMs
    }

    /// Of all connections, or of one.
    func status(of connection: UInt64 = 0) throws -> StatusReply {
        let request = with(StatusRequest()) { $0.connectionId = connection }
        guard case .status(let status) = try call(.status(request)) else {
            throw Unexpected("no status")
        }
        return status
    }

    /// Asks until so many requests of all connections wait.
    func waitForPending(_ count: Int) throws {
        try wait { $0.connections.reduce(0) { $0 + $1.pending.count } == count }
    }

    /// Asks for the status until it is as wanted; each question is a round trip to the broker.
    func wait(until isReached: (StatusReply) -> Bool) throws {
        let end = ContinuousClock.now + .milliseconds(Int(sharedTimeoutMs))
        while ContinuousClock.now < end {
            if isReached(try status()) { return }
        }
        throw TestTimeout()
    }
}
