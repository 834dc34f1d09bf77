import FlowEngine
import SDKCore

/// A session on screen, alone.
struct SessionSubject {
    private var session: FlowSession
    private var effects: [ViewEffect] = []
    private let environment = ViewEnvironment(now: Instant(ms: 0), zone: .simple)

    init(_ document: FlowDocument) {
        session = FlowSession(document: document, options: FlowSessionOptions(locale: 0))
        send(.appear)
    }

    mutating func perform(_ gesture: Gesture) {
        send(.gesture(gesture))
    }

    mutating func send(_ input: ViewInput) {
        do throws(GestureRefusal) {
            try session.handle(input, in: environment, effects: &effects)
        } catch {
            fatalError(error.message)
        }
        effects.removeAll(keepingCapacity: true)
    }

    func look() -> Int {
        session.snapshot(elements: 0..<50).count
    }
}

/// A device with a flow on screen.
struct DeviceSubject {
    private var device: SDKDevice
    private let view: ViewID
    private var outputs: [DeviceOutput] = []
    private let now = DeviceSubject.start
    private static let start = Instant(ms: 0)

    init(_ name: String, backend: Backend) {
        var outputs: [DeviceOutput] = []
        let now = DeviceSubject.start
        var device = SDKDevice(
            configuration: DeviceConfiguration(name: name, zone: .simple), backend: backend,
            at: now, outputs: &outputs)
        func answer(_ call: SDKCall) -> SDKAnswer {
            outputs = []
            device.start(call, id: CallID(number: 1), at: now, outputs: &outputs)
            guard case .answer(_, .success(let answer))? = outputs.last else {
                fatalError("no answer: \(outputs)")
            }
            return answer
        }
        _ = answer(.activate(Activation()))
        _ = answer(.getFlow(FetchRequest(placementID: "onboarding")))
        guard
            case .flowConfiguration(let id, _, _) = answer(
                .getFlowConfiguration(
                    ConfigurationRequest(variationID: "var_registration", products: []))),
            let view = try? device.createFlowController(configurationID: id, handling: .automatic)
        else { fatalError("no view") }
        try? device.present(view.description, at: now, outputs: &outputs)
        self.device = device
        self.view = view
    }

    mutating func perform(_ gesture: Gesture) {
        do throws(DeviceFault) {
            try device.perform(gesture, on: view, at: now, outputs: &outputs)
        } catch {
            fatalError("\(error)")
        }
        outputs.removeAll(keepingCapacity: true)
    }
}
