import FlowEngine
import Testing

@testable import SDKCore

@Suite("Views on screen")
struct ViewStackTests {
    @Test("VW-1 VW-2 creating sends nothing; ids follow from the seed")
    func creation() throws {
        var bench = Bench(seed: 4)
        let view = try bench.createFlow()
        #expect(bench.states == [.created])
        #expect(
            bench.device.views == [
                ViewSummary(
                    id: view, kind: .flow, state: .created, placementID: "main",
                    variationID: "v-all", screenID: "", locale: "en")
            ])
        var again = Bench(seed: 4)
        #expect(try again.createFlow() == view)
        var other = Bench(seed: 5)
        #expect(try other.createFlow() != view)
    }

    @Test("VW-16 VW-25 NAV-16 presenting: viewPresented, didAppear, the first screen")
    func presenting() throws {
        var bench = Bench()
        let view = try bench.createFlow()
        #expect(
            try bench.present(view) == [
                .viewPresented(view, placementID: "main", variationID: "v-all"),
                .flowDidAppear(view),
                .view(
                    view,
                    .analytic(.screenShowed(instanceID: "scr_quiz", order: 0, isLast: false))),
            ])
        #expect(bench.states == [.onTop])
        #expect(bench.device.views.first?.screenID == "scr_quiz")
        let event = bench.backend.events(limit: 10).last?.event
        #expect(event?.name == "flow_event")
        #expect(
            event?.properties == [
                "variation_id": .string("v-all"), "flow_version_id": .string("quiz-v1"),
                "event_type": .string("flow_screen_showed"), "screen_id": .string("scr_quiz"),
                "screen_order": .integer(0), "is_last_screen": .bool(false),
            ])
    }

    @Test(
        "VW-3 an unknown view is 3001 in present and dismiss, naming it",
        arguments: [
            "01234567-89AB-4DEF-8EDC-BA9876543210", "nonsense", "",
        ])
    func unknownView(id: String) {
        var bench = Bench()
        let present = fault {
            try bench.outputs { device, now, outputs throws(DeviceFault) in
                try device.present(id, at: now, outputs: &outputs)
            }
        }
        #expect(present?.code == 3001)
        #expect(present?.message.contains("\"\(id)\"") == true)
        let dismiss = fault {
            try bench.outputs { device, now, outputs throws(DeviceFault) in
                _ = try device.dismiss(id, destroy: false, at: now, outputs: &outputs)
            }
        }
        #expect(dismiss?.code == 3001)
    }

    @Test("GEN-6 field case 27: elsewhere an unknown view is NOT_FOUND, naming those there are")
    func unknownViewElsewhere() throws {
        var bench = Bench()
        let view = try bench.presentQuiz()
        let id = "01234567-89AB-4DEF-8EDC-BA9876543210"
        let faults = [
            fault { try bench.device.screen(of: id, elements: 0..<1) },
            fault {
                try bench.outputs { device, now, outputs throws(DeviceFault) in
                    try device.perform(.blur, on: id, at: now, outputs: &outputs)
                }
            },
            fault {
                try bench.outputs { device, now, outputs throws(DeviceFault) in
                    try device.perform(.blur, on: "nonsense", at: now, outputs: &outputs)
                }
            },
            fault {
                try bench.outputs { device, now, outputs throws(DeviceFault) in
                    try device.destroyView(id, at: now, outputs: &outputs)
                }
            },
        ]
        for fault in faults {
            #expect(fault?.isNotFound == true)
            #expect(fault?.message.contains(view.description) == true)
        }
    }

    @Test("VW-5 a flow on a flow is 3001, also the same one")
    func flowOnFlow() throws {
        var bench = Bench()
        let shown = try bench.presentQuiz()
        let other = try bench.createFlow()
        for view in [other, shown] {
            #expect(fault { try bench.present(view) }?.code == 3001)
        }
        #expect(bench.states == [.onTop, .created])
    }

    @Test("VW-6 VW-8 a flow covers an onboarding, which gets no callback and takes no gesture")
    func flowOnOnboarding() throws {
        var bench = Bench()
        let onboarding = try bench.presentIntro()
        let flow = try bench.createFlow()
        let callbacks = try bench.present(flow)
        #expect(callbacks.count == 3)
        #expect(bench.states == [.covered, .onTop])
        let refusal = fault { try bench.perform(.tapButton("close"), on: onboarding) }
        #expect(refusal?.isWrongState == true)
        #expect(refusal?.message.contains("covered") == true)
        let third = try bench.createFlow()
        #expect(fault { try bench.present(third) }?.code == 3001)
    }

    @Test("VW-7 an onboarding is presented on an empty screen only")
    func onboardingOnTop() throws {
        var bench = Bench()
        let flow = try bench.presentQuiz()
        let onboarding = try bench.createOnboarding()
        #expect(fault { try bench.present(onboarding) }?.code == 3001)
        _ = try bench.dismiss(flow)
        _ = try bench.present(onboarding)
        let second = try bench.createOnboarding()
        #expect(fault { try bench.present(second) }?.code == 3001)
        #expect(fault { try bench.present(onboarding) }?.code == 3001)
    }

    @Test("VW-9 VW-10 VW-11 dismissing a covered onboarding closes the flow instead")
    func dismissCovered() throws {
        var bench = Bench()
        let onboarding = try bench.presentIntro()
        let flow = try bench.createFlow()
        _ = try bench.present(flow)
        let first = try bench.dismiss(onboarding, destroy: true)
        #expect(first.closed == flow)
        #expect(first.callbacks == [.flowDidDisappear(flow)])
        #expect(bench.states == [.onTop, .dismissed], "destroy is ignored for both")
        #expect(try !bench.perform(.tapButton("close"), on: onboarding).isEmpty)
        let second = try bench.dismiss(onboarding, destroy: true)
        #expect(second.closed == onboarding)
        #expect(second.callbacks.isEmpty)
        #expect(bench.states == [.dismissed])
    }

    @Test("VW-12 dismiss, then present shows only the flow")
    func advisedOrder() throws {
        var bench = Bench()
        let onboarding = try bench.presentIntro()
        #expect(try bench.dismiss(onboarding).closed == onboarding)
        let flow = try bench.createFlow()
        _ = try bench.present(flow)
        #expect(bench.states == [.dismissed, .onTop])
    }

    @Test("VW-13 VW-17 VW-18 dismiss takes the view off; the id stays unless destroyed")
    func dismissing() throws {
        var bench = Bench()
        let view = try bench.presentQuiz()
        let first = try bench.dismiss(view)
        #expect(first.closed == view)
        #expect(first.callbacks == [.flowDidDisappear(view)])
        #expect(bench.states == [.dismissed])
        _ = try bench.present(view)
        let second = try bench.dismiss(view, destroy: true)
        #expect(second.callbacks == [.flowDidDisappear(view)])
        #expect(bench.device.views.isEmpty)
        #expect(fault { try bench.present(view) }?.code == 3001)
    }

    @Test("VW-14 dismissing what is not on screen succeeds silently, destroy still forgets it")
    func dismissHidden() throws {
        var bench = Bench()
        let view = try bench.createFlow()
        let first = try bench.dismiss(view)
        #expect(first.closed == nil)
        #expect(first.callbacks.isEmpty)
        #expect(bench.states == [.created])
        let second = try bench.dismiss(view, destroy: true)
        #expect(second.closed == nil)
        #expect(bench.device.views.isEmpty)
    }

    @Test("VW-15 destroying a view on top dismisses it first; a covered one is WRONG_STATE")
    func destroying() throws {
        var bench = Bench()
        let onboarding = try bench.presentIntro()
        let flow = try bench.createFlow()
        _ = try bench.present(flow)
        #expect(fault { try bench.destroy(onboarding) }?.isWrongState == true)
        #expect(try bench.destroy(flow) == [.flowDidDisappear(flow)])
        #expect(bench.states == [.onTop])
        #expect(try bench.destroy(onboarding).isEmpty)
        #expect(bench.device.views.isEmpty)
        #expect(fault { try bench.destroy(flow) }?.isNotFound == true)
    }

    @Test("VW-19 IN-82 a dismissed flow sends nothing after didDisappear, pending values are lost")
    func pendingValues() throws {
        var bench = Bench()
        let view = try bench.presentQuiz()
        _ = try bench.perform(.focus("name"), on: view)
        _ = try bench.perform(.enterText("name", text: "ja"), on: view)
        #expect(try bench.dismiss(view).callbacks == [.flowDidDisappear(view)])
        #expect(bench.advance(1_000_000).isEmpty)
    }

    @Test("VW-20 VW-13 field case 21: presenting again starts the flow anew")
    func presentingAgain() throws {
        var bench = Bench()
        let view = try bench.createFlow(products: nil)
        let first = try bench.present(view)
        _ = try bench.perform(.focus("name"), on: view)
        _ = try bench.perform(.enterText("name", text: "Jane"), on: view)
        _ = try bench.perform(.tapButton("next"), on: view)
        _ = try bench.perform(.tapButton("done"), on: view)
        #expect(bench.states == [.dismissed])
        let second = try bench.present(view)
        #expect(
            first.lines == [
                "presented", "appear", "showed scr_quiz", "partial p.gone", "select p.year",
            ])
        #expect(
            second == first.filter { $0.line != "partial p.gone" },
            "loaded products are kept, so the preselection comes again")
        let name = try bench.screen(view).elements.first { $0.id == "name" }
        #expect(name?.value == nil || name?.value == .text(""))
        _ = try bench.dismiss(view, destroy: true)
        let error = fault { try bench.present(view) }
        #expect(error?.code == 3001)
        #expect(error?.message.contains(view.description) == true)
    }

    @Test(
        "VW-21 VW-22 IN-83 the background: no callback, no gesture, no presenting, but dismissing")
    func background() throws {
        var bench = Bench()
        let view = try bench.presentQuiz()
        _ = try bench.perform(.focus("name"), on: view)
        _ = try bench.perform(.enterText("name", text: "x"), on: view)
        #expect(try bench.enterBackground().isEmpty)
        #expect(bench.device.isInBackground)
        #expect(fault { try bench.enterBackground() }?.isWrongState == true)
        #expect(fault { try bench.perform(.blur, on: view) }?.isWrongState == true)
        #expect(fault { try bench.dismissBySystem(view) }?.isWrongState == true)
        let other = try bench.createFlow()
        #expect(fault { try bench.present(other) }?.isWrongState == true)
        #expect(try bench.enterForeground().isEmpty)
        #expect(fault { try bench.enterForeground() }?.isWrongState == true)
        #expect(fault { try bench.perform(.blur, on: view) } != nil, "the focus was lost")
        _ = try bench.enterBackground()
        #expect(try bench.dismiss(view).callbacks == [.flowDidDisappear(view)])
        _ = try bench.enterForeground()
        #expect(try bench.present(other).count == 3)
    }

    @Test("VW-28 a timer that falls due in the background runs at the return")
    func timersInBackground() throws {
        var bench = Bench(catalog: Samples.timed())
        let view = try bench.presentTimer()
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 10_000))
        _ = try bench.enterBackground()
        #expect(bench.device.nextDue == nil)
        #expect(bench.advance(20_000).isEmpty)
        #expect(
            try bench.enterForeground() == [
                .view(view, .performed(.close)), .flowDidDisappear(view),
            ])
    }

    @Test("FC-16 a timer of the view on top runs at its time")
    func timers() throws {
        var bench = Bench(catalog: Samples.timed())
        let view = try bench.presentTimer()
        #expect(bench.advance(9_999).isEmpty)
        #expect(
            bench.advance(1) == [
                .callback(.view(view, .performed(.close))), .callback(.flowDidDisappear(view)),
            ])
        #expect(bench.device.nextDue == nil)
    }

    @Test("FC-15 a continue timer of another view of this process goes on")
    func keptTimers() throws {
        var bench = Bench(catalog: Samples.timed())
        let first = try bench.presentTimer()
        _ = bench.advance(4_000)
        _ = try bench.dismiss(first, destroy: true)
        _ = try bench.presentTimer()
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 6_000))
    }

    @Test("FC-15 VW-20 a view presented again goes on with the timer that another view started")
    func keptTimersOfAnother() throws {
        var bench = Bench(catalog: Samples.timed(.continue))
        let first = try bench.presentTimer()
        _ = try bench.dismiss(first)
        _ = bench.advance(15_000)
        let second = try bench.presentTimer()
        _ = bench.advance(4_000)
        _ = try bench.dismiss(second)
        _ = try bench.present(first)
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 6_000))
    }

    @Test("VW-30 the system's own gesture: one didDisappear, no didPerform, values lost")
    func systemDismissal() throws {
        var bench = Bench()
        let view = try bench.presentQuiz()
        _ = try bench.perform(.focus("name"), on: view)
        _ = try bench.perform(.enterText("name", text: "x"), on: view)
        #expect(try bench.dismissBySystem(view) == [.flowDidDisappear(view)])
        #expect(fault { try bench.dismissBySystem(view) }?.isWrongState == true)
        #expect(try bench.present(bench.createFlow()).count == 3)
    }

    @Test(
        "VW-26 ACT-2 ACT-3 ACT-4 close dismisses by default, not when the app acts",
        arguments: [
            (ActionHandling.automatic, true), (.sdk, true), (.app, false),
        ])
    func closing(handling: ActionHandling, dismisses: Bool) throws {
        var bench = Bench()
        let view = try bench.presentQuiz(handling: handling)
        var expected: [DeviceCallback] = [.view(view, .performed(.close))]
        if dismisses { expected.append(.flowDidDisappear(view)) }
        #expect(try bench.perform(.tapButton("close"), on: view) == expected)
        #expect(bench.states == [dismisses ? .dismissed : .onTop])
    }

    @Test(
        "ACT-3 ACT-6 the SDK records a URL as opened, the view stays",
        arguments: [
            (ActionHandling.automatic, true), (.app, false),
        ])
    func urls(handling: ActionHandling, isOpened: Bool) throws {
        var bench = Bench()
        let view = try bench.presentQuiz(handling: handling)
        var expected: [DeviceCallback] = [
            .view(view, .performed(.openURL("https://a.example", .browserInApp)))
        ]
        if isOpened {
            expected.append(.view(view, .openedURL("https://a.example", .browserInApp)))
        }
        #expect(try bench.perform(.tapButton("site"), on: view) == expected)
        #expect(bench.states == [.onTop])
    }

    @Test("ACT-3 a custom action does nothing by default")
    func customActions() throws {
        var bench = Bench()
        let view = try bench.presentQuiz()
        #expect(
            try bench.perform(.tapButton("own"), on: view)
                == [.view(view, .performed(.custom("hello")))])
        #expect(bench.states == [.onTop])
    }

    @Test(
        "OB-15 OB-16 the close of an onboarding dismisses it only if the SDK acts",
        arguments: [
            (ActionHandling.automatic, false), (.app, false), (.sdk, true),
        ])
    func closingOnboarding(handling: ActionHandling, dismisses: Bool) throws {
        var bench = Bench()
        let view = try bench.presentIntro(handling: handling)
        let callbacks = try bench.perform(.tapButton("close"), on: view)
        guard case .view(view, .onboarding(.close(actionID: "close"), _))? = callbacks.last else {
            Issue.record("\(callbacks)")
            return
        }
        #expect(bench.states == [dismisses ? .dismissed : .onTop])
    }

    @Test("OB-5 OB-6 VW-24 an onboarding loads at its first appearance, once")
    func loading() throws {
        var bench = Bench()
        let view = try bench.createOnboarding()
        let first = try bench.present(view)
        guard case .view(view, .onboarding(.didFinishLoading, _)) = first[1] else {
            Issue.record("\(first)")
            return
        }
        #expect(try bench.dismiss(view).callbacks.isEmpty)
        #expect(
            try bench.present(view)
                == [.viewPresented(view, placementID: "intro", variationID: "v-intro")],
            "OB-56: nothing is loaded anew")
    }

    @Test("OB-7 OB-56 offline at the first appearance: 4200 alone, the view stays, and for good")
    func unreachable() throws {
        var bench = Bench()
        let view = try bench.createOnboarding(handling: .sdk)
        try bench.setOffline(true)
        let callbacks = try bench.present(view)
        #expect(callbacks.count == 2)
        guard case .view(view, .onboardingFailed(let error))? = callbacks.last else {
            Issue.record("\(callbacks)")
            return
        }
        #expect(error.code == 4200)
        #expect(bench.states == [.onTop])
        _ = try bench.dismiss(view)
        try bench.setOffline(false)
        #expect(try bench.present(view).count == 1)
    }

    @Test("OB-50 a screen of an onboarding makes a backend event with its variation")
    func onboardingBackendEvent() throws {
        var bench = Bench()
        _ = try bench.presentIntro()
        let event = bench.backend.events(limit: 10).last?.event
        #expect(event?.name == "new_onboarding_screen_showed")
        #expect(event?.properties["variation_id"] == .string("v-intro"))
    }

    @Test("GEN-6 a refused gesture changes nothing and sends nothing")
    func refusedGesture() throws {
        var bench = Bench()
        let view = try bench.presentQuiz()
        let before = try bench.screen(view)
        var outputs: [DeviceOutput] = []
        let error = fault {
            try bench.device.perform(
                .tapButton("emial"), on: view, at: bench.now, outputs: &outputs)
        }
        guard case .gesture(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .notFound)
        #expect(outputs.isEmpty)
        #expect(try bench.screen(view) == before)
        #expect(try bench.perform(.tapOption("experience", option: "pro"), on: view).count == 1)
    }

    @Test("GEN-6 a screen that is not shown cannot be looked at, a covered one can")
    func screens() throws {
        var bench = Bench()
        let hidden = try bench.createFlow()
        #expect(
            fault { try bench.device.screen(of: hidden.description, elements: 0..<9) }?.isWrongState
                == true)
        let onboarding = try bench.presentIntro()
        _ = try bench.present(hidden)
        #expect(try bench.screen(onboarding).screenID == "welcome")
        #expect(try bench.screen(hidden).screenID == "scr_quiz")
    }

    @Test("viewsMax: so many views fit, one more is refused; destroying one makes room")
    func viewsMax() throws {
        var bench = Bench()
        let configuration = try bench.configureFlow(products: [])
        var first: ViewID?
        for _ in 0..<SDKLimits.viewsMax {
            let view = try bench.device.createFlowController(
                configurationID: configuration, handling: .app)
            first = first ?? view
        }
        let error = fault {
            try bench.device.createFlowController(configurationID: configuration, handling: .app)
        }
        #expect(error?.isLimitExceeded == true)
        _ = try bench.destroy(#require(first))
        _ = try bench.device.createFlowController(configurationID: configuration, handling: .app)
    }

    @Test("VW-4 removing a view keeps the others in their places")
    func removal() throws {
        var bench = Bench()
        let gone = try bench.createFlow()
        let onboarding = try bench.presentIntro()
        let flow = try bench.createFlow()
        _ = try bench.present(flow)
        _ = try bench.destroy(gone)
        #expect(bench.states == [.covered, .onTop])
        #expect(try bench.perform(.tapOption("experience", option: "pro"), on: flow).count == 1)
        #expect(try bench.dismiss(onboarding).closed == flow)
        #expect(bench.states == [.onTop, .dismissed])
    }
}
