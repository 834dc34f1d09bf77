import BridgeProtocol

// Devices: simulated installations of an app.
//
// Each takes its request message; `deadline` and what is thrown are as for `call`.

extension BridgeClient {
    /// Creates a device, or attaches this connection to it.
    @discardableResult
    public func openDevice(
        _ request: OpenDeviceRequest = OpenDeviceRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> OpenDeviceReply {
        try await reply(.openDevice(request), deadline) {
            if case .openDevice(let reply) = $0 { reply } else { nil }
        }
    }

    /// Lists devices, a page at a time.
    public func listDevices(
        _ request: ListDevicesRequest = ListDevicesRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> ListDevicesReply {
        try await reply(.listDevices(request), deadline) {
            if case .listDevices(let reply) = $0 { reply } else { nil }
        }
    }

    /// Ends the process of the app. What it stored stays for the next `openDevice` (GEN-11).
    @discardableResult
    public func closeDevice(
        _ request: CloseDeviceRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> CloseDeviceReply {
        try await reply(.closeDevice(request), deadline) {
            if case .closeDevice(let reply) = $0 { reply } else { nil }
        }
    }

    /// Makes a device as good as freshly installed; its subscriptions go on.
    @discardableResult
    public func resetDevice(
        _ request: ResetDeviceRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> ResetDeviceReply {
        try await reply(.resetDevice(request), deadline) {
            if case .resetDevice(let reply) = $0 { reply } else { nil }
        }
    }

    /// Lets time pass on a device with a manual clock.
    @discardableResult
    public func advanceClock(
        _ request: AdvanceClockRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> AdvanceClockReply {
        try await reply(.advanceClock(request), deadline) {
            if case .advanceClock(let reply) = $0 { reply } else { nil }
        }
    }

    /// Sets what the next calls of a device meet: network, servers, store; and the zone and locale of
    /// the phone.
    @discardableResult
    public func setConditions(
        _ request: SetConditionsRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> SetConditionsReply {
        try await reply(.setConditions(request), deadline) {
            if case .setConditions(let reply) = $0 { reply } else { nil }
        }
    }

    /// Sends the app to the background.
    @discardableResult
    public func enterBackground(
        _ request: EnterBackgroundRequest = EnterBackgroundRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> EnterBackgroundReply {
        try await reply(.enterBackground(request), deadline) {
            if case .enterBackground(let reply) = $0 { reply } else { nil }
        }
    }

    /// Brings the app back.
    @discardableResult
    public func enterForeground(
        _ request: EnterForegroundRequest = EnterForegroundRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> EnterForegroundReply {
        try await reply(.enterForeground(request), deadline) {
            if case .enterForeground(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the backend's copy of a profile, which no app can read (PRO-28).
    public func inspectProfile(
        _ request: InspectProfileRequest = InspectProfileRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> InspectProfileReply {
        try await reply(.inspectProfile(request), deadline) {
            if case .inspectProfile(let reply) = $0 { reply } else { nil }
        }
    }

    /// Lists what the SDK would have sent to its own service.
    public func listBackendEvents(
        _ request: ListBackendEventsRequest = ListBackendEventsRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> ListBackendEventsReply {
        try await reply(.listBackendEvents(request), deadline) {
            if case .listBackendEvents(let reply) = $0 { reply } else { nil }
        }
    }

    /// Serves another catalog from now on.
    @discardableResult
    public func loadCatalog(
        _ request: LoadCatalogRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> LoadCatalogReply {
        try await reply(.loadCatalog(request), deadline) {
            if case .loadCatalog(let reply) = $0 { reply } else { nil }
        }
    }

    /// Lists the placements of the catalog, a page at a time.
    public func listPlacements(
        _ request: ListPlacementsRequest = ListPlacementsRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> ListPlacementsReply {
        try await reply(.listPlacements(request), deadline) {
            if case .listPlacements(let reply) = $0 { reply } else { nil }
        }
    }
}
