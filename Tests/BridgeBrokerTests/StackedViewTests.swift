import BridgeProtocol
import Testing

/// A flow on top of an onboarding (VW-4 to VW-15).
@Suite("Flows and onboardings, stacked")
struct StackedViewTests {
    /// An onboarding below, a flow above, and one more of each that is not on screen.
    private struct Stack {
        let client: TestClient
        let onboarding: String
        let flow: String
        let others: [String]

        init(_ wire: Wire) throws {
            client = try TestBroker.start(wire).client(wire.mode)
            try client.openDevice("phone", manualAtMs: 0)
            try client.activate()
            try client.subscribe()
            onboarding = try client.makeOnboardingView("legacy_onboarding")
            flow = try client.makeFlowView("onboarding")
            others = [
                try client.makeFlowView("premium_offer_1"),
                try client.makeOnboardingView("legacy_onboarding"),
            ]
            try client.present(onboarding)
            try client.present(flow)
            _ = client.takeEvents()
        }

        /// What is on screen, from the bottom to the top.
        func onScreen() throws -> [String] {
            try client.listViews().filter { $0.state == .covered || $0.state == .onTop }
                .sorted { $0.state == .covered && $1.state == .onTop }.map(\.viewId)
        }

        func tap(_ button: String, on view: String) -> ClientFrame.Body {
            .perform(
                with(PerformRequest()) {
                    $0.viewId = view
                    $0.gesture = .tapButton(with(TapButtonGesture()) { $0.elementId = button })
                })
        }

        func destruction(_ view: String) -> ClientFrame.Body {
            .destroyView(with(DestroyViewRequest()) { $0.viewId = view })
        }
    }

    @Test(
        "VW-4 VW-8 only the topmost view takes gestures, whichever it is", arguments: Wire.allCases)
    func control(wire: Wire) throws {
        let stack = try Stack(wire)
        let client = stack.client
        #expect(
            try client.refusal(stack.tap("start_button", on: stack.onboarding)).code == .wrongState)
        try client.focus(stack.flow, "name")
        try client.dismiss(stack.flow)
        #expect(try client.refusal(stack.tap("next", on: stack.flow)).code == .wrongState)
        _ = client.takeEvents()
        try client.tapButton(stack.onboarding, "start_button")
        #expect(client.takeEvents().allSatisfy { $0.viewId == stack.onboarding })
        #expect(try client.screen(stack.onboarding).screens.last?.screenId == "profile_screen")
    }

    @Test(
        "VW-8 a covered onboarding keeps its screen and sends nothing as time passes",
        arguments: Wire.allCases)
    func still(wire: Wire) throws {
        let stack = try Stack(wire)
        let before = try stack.client.screen(stack.onboarding)
        try stack.client.advance(ms: 86_400_000)
        #expect(try stack.client.screen(stack.onboarding) == before)
        #expect(stack.client.takeEvents().allSatisfy { $0.viewId != stack.onboarding })
    }

    @Test(
        "VW-5 VW-6 VW-7 nothing comes on top of a flow over an onboarding", arguments: Wire.allCases
    )
    func full(wire: Wire) throws {
        let stack = try Stack(wire)
        for view in [stack.flow, stack.onboarding] + stack.others {
            let error = try stack.client.refusal(
                .present(with(PresentRequest()) { $0.viewId = view }))
            #expect(error.sdk?.code == 3001)
            #expect(error.message.contains(stack.flow))
        }
        #expect(stack.client.takeEvents().isEmpty)
        #expect(try stack.onScreen() == [stack.onboarding, stack.flow])
        // VW-7 with the onboarding alone on screen; VW-6 another flow then comes on top.
        try stack.client.dismiss(stack.flow)
        let error = try stack.client.refusal(
            .present(with(PresentRequest()) { $0.viewId = stack.others[1] }))
        #expect(error.sdk?.code == 3001)
        try stack.client.present(stack.others[0])
        #expect(try stack.onScreen() == [stack.onboarding, stack.others[0]])
    }

    @Test(
        "VW-9 VW-10 VW-11 VW-13 the covered one is dismissed by two calls, only the last one destroys",
        arguments: Wire.allCases)
    func dismissedTwice(wire: Wire) throws {
        let stack = try Stack(wire)
        #expect(try stack.client.dismiss(stack.onboarding, destroy: true) == stack.flow)
        #expect(stack.client.takeStory() == ["flow_did_disappear"])
        #expect(try stack.onScreen() == [stack.onboarding])
        #expect(try stack.client.dismiss(stack.onboarding, destroy: true) == stack.onboarding)
        #expect(stack.client.takeStory() == [])
        #expect(try !stack.client.listViews().map(\.viewId).contains(stack.onboarding))
        // The flow was not destroyed: it is shown again, by itself now.
        try stack.client.present(stack.flow)
        #expect(try stack.onScreen() == [stack.flow])
    }

    @Test(
        "VW-14 dismissing a view beside the stack changes nothing in it", arguments: Wire.allCases)
    func beside(wire: Wire) throws {
        let stack = try Stack(wire)
        for view in stack.others {
            #expect(try stack.client.dismiss(view) == "")
            #expect(try stack.client.dismiss(view, destroy: true) == "")
        }
        #expect(stack.client.takeEvents().isEmpty)
        #expect(try stack.onScreen() == [stack.onboarding, stack.flow])
        try stack.client.focus(stack.flow, "name")
    }

    @Test(
        "VW-15 destroying: the covered one is refused, the one on top is dismissed first",
        arguments: Wire.allCases)
    func destroyed(wire: Wire) throws {
        let stack = try Stack(wire)
        let refusal = try stack.client.refusal(stack.destruction(stack.onboarding))
        #expect(refusal.code == .wrongState)
        #expect(refusal.message.contains(stack.onboarding))
        try stack.client.call(stack.destruction(stack.flow))
        #expect(stack.client.takeStory() == ["flow_did_disappear"])
        #expect(try stack.onScreen() == [stack.onboarding])
        try stack.client.tapButton(stack.onboarding, "start_button")
        _ = stack.client.takeEvents()
        try stack.client.call(stack.destruction(stack.onboarding))
        #expect(stack.client.takeStory() == [])
        #expect(try stack.client.listViews().map(\.viewId) == stack.others)
    }

    @Test(
        "VW-26 VW-30 closed by its button or by the system, the flow gives control back",
        arguments: Wire.allCases)
    func closedByUser(wire: Wire) throws {
        let stack = try Stack(wire)
        try stack.client.perform(stack.flow, .dismissBySystem(DismissBySystemGesture()))
        #expect(stack.client.takeStory() == ["flow_did_disappear"])
        try stack.client.tapButton(stack.onboarding, "start_button")
        try stack.client.present(stack.others[0])
        _ = stack.client.takeEvents()
        try stack.client.tapButton(stack.others[0], "close")
        #expect(stack.client.takeStory() == ["did_perform_action close", "flow_did_disappear"])
        try stack.client.tapButton(stack.onboarding, "profile_form")
        #expect(
            try stack.client.screen(stack.onboarding).screens.last?.screenId == "preferences_screen"
        )
    }

    @Test(
        "VW-21 VW-22 VW-9 in the background a dismiss of the covered one closes the flow",
        arguments: Wire.allCases)
    func background(wire: Wire) throws {
        let stack = try Stack(wire)
        try stack.client.call(.enterBackground(EnterBackgroundRequest()))
        #expect(stack.client.takeEvents().isEmpty)
        #expect(try stack.client.dismiss(stack.onboarding) == stack.flow)
        #expect(stack.client.takeStory() == ["flow_did_disappear"])
        try stack.client.call(.enterForeground(EnterForegroundRequest()))
        try stack.client.tapButton(stack.onboarding, "start_button")
    }
}
