import FlowEngine

@testable import SDKCore

/// All that a life brings forth, to the bit.
struct LifeRecord: Equatable {
    /// Each with the instant that the device was told last.
    private(set) var outputs: [DeviceOutput] = []
    private(set) var times: [Int64] = []
    private(set) var faults: [DeviceFault] = []
    /// What happened though nothing was done.
    private(set) var surprises: [String] = []
    /// The payloads of the callbacks, one after the other.
    private(set) var payloads: [UInt8] = []
    private(set) var backend: [RecordedBackendEvent] = []
    private(set) var views: [ViewSummary] = []

    /// Lives it. A nosy run looks at everything in between, tells the device the same instant
    /// again, and lets time pass in small steps: all of that must change nothing.
    init(_ life: Life, catalog: Catalog, isNosy: Bool) {
        var run = LifeRun(life, catalog: catalog, isNosy: isNosy)
        for move in life.moves {
            run.make(move)
            keep(&run)
            if isNosy, let surprise = run.look() { surprises.append(surprise) }
        }
        backend = run.backend.events(limit: .max)
        views = run.device.views
    }

    private mutating func keep(_ run: inout LifeRun) {
        for output in run.outputs {
            write(output)
            times.append(run.device.now.ms)
        }
        outputs += run.outputs
        faults += run.faults
        run.outputs = []
        run.faults = []
    }

    private mutating func write(_ output: DeviceOutput) {
        switch output {
        case .callback(.view(_, .analytic(let event))): event.writePayload(to: &payloads)
        case .callback(.view(_, .onboarding(let callback, let meta))):
            callback.writePayload(meta, spelling: .snakeCase, to: &payloads)
        default: break
        }
    }
}

/// A device in the middle of its life.
struct LifeRun {
    let backend: Backend
    let isNosy: Bool
    var device: SDKDevice
    var outputs: [DeviceOutput] = []
    var faults: [DeviceFault] = []
    private var now = Instant(ms: 1_705_320_000_000)
    private var calls: UInt64 = 0
    private var views: [ViewID] = []
    private var variations: (flow: String, onboarding: String) = ("", "")

    init(_ life: Life, catalog: Catalog, isNosy: Bool) {
        self.isNosy = isNosy
        backend = Backend(catalog: catalog)
        device = SDKDevice(
            configuration: DeviceConfiguration(
                name: "default", zone: .fixed(minutes: 330), seed: life.seed), backend: backend,
            at: now, outputs: &outputs)
    }

    mutating func make(_ move: Life.Move) {
        do throws(DeviceFault) {
            try run(move)
        } catch {
            faults.append(error)
        }
    }

    /// Looks at all there is to see; gives what came of it, which must be nothing.
    mutating func look() -> String? {
        var caused: [DeviceOutput] = []
        let due = device.nextDue
        device.advance(to: now, outputs: &caused)
        for view in device.views {
            _ = try? device.screen(of: view.id.description, elements: 0..<2)
        }
        _ = device.profileRecord
        _ = device.storedState
        if caused.isEmpty && device.nextDue == due && due.map({ now < $0 }) ?? true { return nil }
        return "\(caused), due \(String(describing: due)) at \(now)"
    }

    private mutating func run(_ move: Life.Move) throws(DeviceFault) {
        switch move {
        case .advance(let ms): advance(ms)
        case .call(let call): start(call)
        case .makeFlow: try makeView(.flow)
        case .makeOnboarding: try makeView(.onboarding)
        case .present(let view): try device.present(name(view), at: now, outputs: &outputs)
        case .dismiss(let view, let destroy):
            _ = try device.dismiss(name(view), destroy: destroy, at: now, outputs: &outputs)
        case .swipe(let view): try device.dismissBySystem(name(view), at: now, outputs: &outputs)
        case .destroy(let view): try device.destroyView(name(view), at: now, outputs: &outputs)
        case .gesture(let view, let gesture):
            try device.perform(gesture, on: name(view), at: now, outputs: &outputs)
        case .background: try device.enterBackground(at: now, outputs: &outputs)
        case .foreground: try device.enterForeground(at: now, outputs: &outputs)
        case .conditions(let latencyMs, let isOffline):
            var change = ConditionsChange()
            change.offline = isOffline
            change.calls = [CallCondition(method: "", latencyMs: latencyMs)]
            try device.setConditions(change)
        case .cancelLast:
            _ = device.cancel(CallID(number: calls), at: now, outputs: &outputs)
        case .restart:
            device.close()
            device.reopen(device.configuration, at: now, outputs: &outputs)
        }
    }

    private mutating func advance(_ ms: Int64) {
        let end = now.advanced(byMs: ms)
        while isNosy && now.advanced(byMs: 700) < end {
            now = now.advanced(byMs: 700)
            device.advance(to: now, outputs: &outputs)
        }
        now = end
        device.advance(to: now, outputs: &outputs)
    }

    private mutating func start(_ call: SDKCall) {
        calls += 1
        let before = outputs.count
        device.start(call, id: CallID(number: calls), at: now, outputs: &outputs)
        for case .answer(_, .success(let answer)) in outputs[before...] {
            switch answer {
            case .flow(let flow): variations.flow = flow.content.variationID
            case .onboarding(let onboarding):
                variations.onboarding = onboarding.content.variationID
            default: break
            }
        }
    }

    private mutating func makeView(_ kind: ViewKind) throws(DeviceFault) {
        calls += 1
        let id = CallID(number: calls)
        let call: SDKCall =
            kind == .flow
            ? .getFlowConfiguration(
                ConfigurationRequest(
                    variationID: variations.flow, tags: ["name": "Ann"],
                    timers: ["given": now.advanced(byMs: 2_500)]))
            : .getOnboardingConfiguration(
                variationID: variations.onboarding, opensExternalBrowser: false)
        device.start(call, id: id, at: now, outputs: &outputs)
        guard case .answer(id, .success(let answer))? = outputs.last else { return }
        switch answer {
        case .flowConfiguration(let configuration, _, _):
            views.append(
                try device.createFlowController(
                    configurationID: configuration, handling: .automatic))
        case .onboardingConfiguration(let configuration, _):
            views.append(
                try device.createOnboardingController(
                    configurationID: configuration, handling: .automatic))
        default: break
        }
    }

    private func name(_ view: Int) -> String {
        views.isEmpty ? "none" : views[view % views.count].description
    }
}
