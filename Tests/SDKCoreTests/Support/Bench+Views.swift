import FlowEngine
import Testing

@testable import SDKCore

extension Bench {
    /// Fetches the flow of a placement and makes a configuration of it.
    mutating func configureFlow(
        _ placement: String = "main", locale: String = "", products: [String]? = nil
    ) throws -> String {
        let flow = try #require(call(.getFlow(placement)).flow)
        let request = ConfigurationRequest(
            variationID: flow.content.variationID, locale: locale, products: products)
        guard
            case .success(.flowConfiguration(let id, _, _)) = call(.getFlowConfiguration(request))
                .result
        else {
            Issue.record("no configuration of \(placement)")
            return ""
        }
        return id
    }

    mutating func configureOnboarding(locale: String = "") throws -> String {
        _ = try #require(call(.getOnboarding("intro", locale: locale)).onboarding)
        let request = SDKCall.getOnboardingConfiguration(
            variationID: "v-intro", opensExternalBrowser: false)
        guard case .success(.onboardingConfiguration(let id, _)) = call(request).result else {
            Issue.record("no configuration of intro")
            return ""
        }
        return id
    }

    mutating func createFlow(
        _ placement: String = "main", handling: ActionHandling = .automatic,
        products: [String]? = []
    ) throws -> ViewID {
        let id = try configureFlow(placement, products: products)
        return try device.createFlowController(configurationID: id, handling: handling)
    }

    mutating func createOnboarding(handling: ActionHandling = .automatic) throws -> ViewID {
        let id = try configureOnboarding()
        return try device.createOnboardingController(configurationID: id, handling: handling)
    }

    /// Puts the quiz on screen, without products.
    mutating func presentQuiz(handling: ActionHandling = .automatic) throws -> ViewID {
        let view = try createFlow(handling: handling)
        _ = try present(view)
        return view
    }

    /// Presents the flow of `Samples.timed`.
    mutating func presentTimer() throws -> ViewID {
        let view = try createFlow("tested")
        _ = try present(view)
        return view
    }

    mutating func presentIntro(handling: ActionHandling = .automatic) throws -> ViewID {
        let view = try createOnboarding(handling: handling)
        _ = try present(view)
        return view
    }

    mutating func present(_ view: ViewID) throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.present(view.description, at: now, outputs: &outputs)
        }
    }

    mutating func perform(_ gesture: Gesture, on view: ViewID) throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.perform(gesture, on: view.description, at: now, outputs: &outputs)
        }
    }

    mutating func dismiss(
        _ view: ViewID, destroy: Bool = false
    ) throws -> (closed: ViewID?, callbacks: [DeviceCallback]) {
        var closed: ViewID?
        let callbacks = try outputs { device, now, outputs throws(DeviceFault) in
            closed = try device.dismiss(
                view.description, destroy: destroy, at: now, outputs: &outputs)
        }
        return (closed, callbacks)
    }

    mutating func destroy(_ view: ViewID) throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.destroyView(view.description, at: now, outputs: &outputs)
        }
    }

    mutating func dismissBySystem(_ view: ViewID) throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.dismissBySystem(view.description, at: now, outputs: &outputs)
        }
    }

    mutating func enterBackground() throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.enterBackground(at: now, outputs: &outputs)
        }
    }

    mutating func enterForeground() throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.enterForeground(at: now, outputs: &outputs)
        }
    }

    /// The screen in control of a view.
    func screen(_ view: ViewID) throws -> ScreenSnapshot {
        try #require(device.screen(of: view.description, elements: 0..<100).screens.last)
    }

    /// The place and state of each view.
    var states: [ViewState] { device.views.map(\.state) }
}

/// The fault of a body that has to fail.
func fault<Value>(_ body: () throws -> Value) -> DeviceFault? {
    #expect(throws: DeviceFault.self) { _ = try body() }
}
