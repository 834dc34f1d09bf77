import BridgeProtocol
import TestSupport

@testable import BridgeClient

extension LiveBroker {
    /// A client of it that has been greeted.
    func client(_ change: (inout ClientOptions) -> Void = { _ in }) async throws -> BridgeClient {
        var options = ClientOptions(clientName: "test")
        change(&options)
        return try await BridgeClient.connect(path: path, options: options)
    }
}

extension BridgeClient {
    /// Fetches, makes and presents the flow of a placement; returns the view's id.
    func showFlow(_ placement: String = "onboarding") async throws(BridgeError) -> String {
        let flow = try await getFlow(placementId: placement)
        let configuration = try await getFlowConfiguration(of: flow)
        let view = try await createFlowController(configurationId: configuration.configurationId)
        try await present(viewId: view)
        return view
    }

    /// Opens a device whose clock stands still, and activates the SDK on it.
    func openManualDevice(_ name: String = "test") async throws(BridgeError) {
        let request = with(OpenDeviceRequest()) {
            $0.device = name
            $0.clock = with(DeviceClock()) {
                $0.kind = .manual
                $0.startMs = 1_750_000_000_000
            }
        }
        try await openDevice(request)
        try await activate(with(ActivateRequest()) { $0.apiKey = "public_live_test" })
    }
}
