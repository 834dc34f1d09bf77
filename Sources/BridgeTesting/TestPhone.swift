import BridgeClient
import BridgeProtocol

/// One device with a manual clock, the view on its screen, and the app that listens.
///
/// ```swift
/// let phone = try await TestPhone()
/// try await phone.show("onboarding")
/// try await phone.type("Jane", into: "name")
/// #expect(await phone.inputs["name"] == .string("Jane"))
/// ```
public actor TestPhone {
    /// Its name at the broker.
    public let device: String
    /// Its connection, for any call; `hear` takes the callbacks of such a call.
    public let client: BridgeClient
    /// The callbacks so far, in order.
    public private(set) var callbacks: [Event] = []
    /// The last value of every input by its Element or Group ID; for choices the ids of options.
    public private(set) var inputs: [String: Value.Kind] = [:]
    /// What the app was told last of its profile.
    public private(set) var profile: Profile?
    /// The view that was shown last.
    public private(set) var view = ""
    private let events: EventStream

    /// Where the clocks of phones begin: 1 January 2026.
    public static let startMs: Int64 = 1_767_225_600_000

    /// A fresh phone with an activated app.
    ///
    /// - Parameters:
    ///   - broker: nil: the one that all tests of this process share, with the sample.
    ///   - timeZone: An IANA name.
    /// - Throws: What the broker answers; UNAVAILABLE without a broker.
    public init(
        on broker: TestBroker? = nil, timeZone: String = "UTC"
    ) async throws(BridgeError) {
        let device = "phone-\(UInt64.random(in: 0...UInt64.max))"
        let broker = if let broker { broker } else { try TestBroker.shared() }
        let client = try await broker.connect(clientName: device)
        try await client.openDevice(
            with(OpenDeviceRequest()) {
                $0.device = device
                $0.timeZone = timeZone
                $0.clock = with(DeviceClock()) {
                    $0.kind = .manual
                    $0.startMs = Self.startMs
                }
            })
        self.device = device
        self.client = client
        events = try await client.subscribe(device: device)
        try await client.activate(with(ActivateRequest()) { $0.apiKey = "public_live_tests" })
        hear()
    }

    /// Takes the callbacks that have come. The functions here do so by themselves.
    public func hear() {
        for event in events.buffered() {
            callbacks.append(event)
            switch event.kind {
            case .didReceiveAnalyticEvent(let analytic) where analytic.name == "flow_user_input":
                note(analytic)
            case .didLoadLatestProfile(let loaded):
                profile = loaded.profile
            default:
                break
            }
        }
    }

    private func note(_ input: DidReceiveAnalyticEvent) {
        func parameter(_ name: String) -> Value.Kind? {
            input.params.first { $0.key == name }?.value.kind
        }
        guard case .string(let element) = parameter("element_id") else { return }
        inputs[element] = parameter("value") ?? parameter("item_ids")
    }

    /// The names of all callbacks: kinds, and for analytic events of flows their own names.
    public func story() -> [String] {
        callbacks.map { event in
            if case .didReceiveAnalyticEvent(let analytic) = event.kind { return analytic.name }
            return event.kind?.name ?? "(unknown kind)"
        }
    }

    /// Gets the flow of a placement and presents it.
    public func show(_ placement: String, locale: String = "") async throws(BridgeError) {
        let flow = try await client.getFlow(placementId: placement)
        let configuration = try await client.getFlowConfiguration(of: flow, locale: locale)
        view = try await client.createFlowController(
            configurationId: configuration.configurationId)
        try await client.present(viewId: view)
        hear()
    }

    /// Any gesture, on the view that was shown last.
    public func perform(_ gesture: PerformRequest.Gesture) async throws(BridgeError) {
        try await client.perform(gesture, on: view)
        hear()
    }

    /// Lets time pass on this phone.
    public func advance(by milliseconds: Int64) async throws(BridgeError) {
        try await client.advanceClock(with(AdvanceClockRequest()) { $0.byMs = milliseconds })
        hear()
    }
}
