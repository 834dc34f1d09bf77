import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import BridgeClient

@Suite("With a real broker", .shared)
struct LiveBrokerTests {
    private let broker = LiveBroker()

    private static let gestures: [PerformRequest.Gesture] = [
        .focus(with(FocusGesture()) { $0.elementId = "name" }),
        .enterText(with(EnterTextGesture()) { $0.text = "Jane" }),
        .blur(BlurGesture()),
        .openPicker(with(OpenPickerGesture()) { $0.elementId = "birthday" }),
        .pick(
            with(PickGesture()) {
                $0.date = with(CivilDate()) {
                    $0.year = 1990
                    $0.month = 6
                    $0.day = 15
                }
            }),
        .closePicker(ClosePickerGesture()),
        .tapButton(with(TapButtonGesture()) { $0.elementId = "next" }),
        .tapOption(
            with(TapOptionGesture()) {
                $0.elementId = "experience"
                $0.optionId = "pro"
            }),
        .tapToggle(with(TapToggleGesture()) { $0.elementId = "reminders" }),
        .tapButton(with(TapButtonGesture()) { $0.elementId = "next" }),
        .tapButton(with(TapButtonGesture()) { $0.elementId = "done" }),
    ]

    @Test("the main job: a user registers through typed calls, and every callback is there in time")
    func mainJob() async throws {
        let client = try await broker.client()
        try await client.openManualDevice()
        let events = try await client.subscribe()
        let view = try await client.showFlow()
        #expect(try await client.listViews().views.map(\.viewId) == [view])
        let screens = try await client.getScreen(viewId: view).screens
        #expect(screens.last?.screenId == "scr_registration")
        var inputs: [String] = []
        var kinds: [String] = []
        for gesture in Self.gestures {
            try await client.perform(gesture, on: view)
            for event in events.buffered() {
                kinds.append(event.kind?.name ?? "")
                guard case .didReceiveAnalyticEvent(let analytic) = event.kind else { continue }
                let element = analytic.params.first { $0.key == "element_id" }?.value.kind
                if case .string(let id) = element { inputs.append(id) }
            }
        }
        #expect(inputs == ["name", "birthday", "experience", "reminders"])
        #expect(kinds.contains("did_perform_action"))
        #expect(kinds.last == "flow_did_disappear")
        try await client.updateProfile(
            with(UpdateProfileRequest()) {
                $0.firstName = "Jane"
                $0.customAttributes = [
                    with(CustomAttribute()) {
                        $0.key = "experience"
                        $0.change = .string("pro")
                    }
                ]
            })
        #expect(try await client.profile().customAttributes.map(\.key) == ["experience"])
        #expect(try await client.inspectProfile().firstName == "Jane")
        try await client.destroyView(with(DestroyViewRequest()) { $0.viewId = view })
        #expect(try await client.listViews().views.isEmpty)
    }

    @Test(
        "PL-59 PL-73 the short forms of preloading and of the fallback file throw what the SDK does"
    )
    func fetching() async throws {
        let client = try await broker.client()
        try await client.openManualDevice()
        try await client.preloadFlows(placementIds: ["onboarding"])
        let partly = await error { () async throws(BridgeError) in
            try await client.preloadFlows(placementIds: ["onboarding", "gone"])
        }
        #expect(partly?.sdk?.code == 2005)
        #expect(partly?.preloadErrors.map(\.placementID) == ["gone"])
        #expect(partly?.preloadErrors.first?.error.code == 2003)
        let relative = await error { () async throws(BridgeError) in
            try await client.setFallback(path: "fallback.json")
        }
        #expect(relative?.sdk?.code == 3001)
    }

    @Test("dismissing names the view that closed")
    func dismiss() async throws {
        let client = try await broker.client()
        let view = try await client.showFlow()
        #expect(try await client.dismiss(viewId: view, destroy: true) == view)
        let thrown = await error { () async throws(BridgeError) in
            try await client.getScreen(viewId: view)
        }
        #expect(thrown?.code == .notFound)
    }

    @Test("products, purchases, restores and answers through typed calls")
    func store() async throws {
        let client = try await broker.client()
        try await client.openManualDevice()
        let variation = try await client.getFlow(placementId: "premium_offer_1").variationId
        let products = try await client.getPaywallProducts(
            with(GetPaywallProductsRequest()) { $0.variationId = variation }
        ).products.map(\.vendorProductId)
        #expect(products == ["premium_monthly", "premium_yearly"])
        let purchase = with(MakePurchaseRequest()) {
            $0.variationId = variation
            $0.vendorProductId = "premium_yearly"
        }
        let bought = try await client.makePurchase(purchase).result
        #expect(bought?.outcome == .success)
        #expect(try await client.restorePurchases().profile == bought?.profile)
        let thrown = await error { () async throws(BridgeError) in
            try await client.answer(with(AnswerRequest()) { $0.answer = .retry(true) })
        }
        #expect(thrown?.code == .notFound)
        #expect(thrown?.field == "answer.question_id")
    }

    @Test("an onboarding is fetched, made and shown")
    func onboarding() async throws {
        let client = try await broker.client()
        let events = try await client.subscribe(kinds: ["did_finish_loading"])
        let onboarding = try await client.getOnboarding(placementId: "legacy_onboarding")
        let configuration = try await client.getOnboardingConfiguration(of: onboarding)
        let view = try await client.createOnboardingController(
            configurationId: configuration.configurationId)
        try await client.present(viewId: view)
        let iterator = events.makeAsyncIterator()
        let event = try await iterator.next()
        #expect(event?.kind?.name == "did_finish_loading")
        #expect(event?.viewId == view)
    }

    @Test("calls about the broker, its devices and its catalog")
    func surroundings() async throws {
        let client = try await broker.client()
        try await client.openManualDevice("one")
        #expect(try await client.listDevices().devices.contains { $0.device == "one" })
        let time = try await client.advanceClock(with(AdvanceClockRequest()) { $0.byMs = 5_000 })
        #expect(time.timeMs == 1_750_000_005_000)
        try await client.enterBackground()
        try await client.enterForeground()
        try await client.setConditions(with(SetConditionsRequest()) { $0.clear = true })
        let placements = try await client.listPlacements().placements.map(\.placementId)
        #expect(
            Set(placements).isSuperset(of: ["onboarding", "premium_offer_1", "legacy_onboarding"]))
        #expect(try await client.describe().fileDescriptorSet == Schema.fileDescriptorSet)
        let status = try await client.status()
        #expect(status.socketPath == broker.path)
        #expect(status.connections.first?.clientName == "test")
        #expect(status.connections.first?.uid == geteuid())
        #expect(client.welcome.limits.map(\.name) == Limits.table.map(\.name))
    }

    @Test("a user signs in and out, the phone moves, and the app is closed and opened again")
    func identity() async throws {
        let client = try await broker.client()
        try await client.openManualDevice()
        try await client.identify(with(IdentifyRequest()) { $0.customerUserId = "u1" })
        let named = try await client.profile()
        #expect(named.customerUserId == "u1")
        try await client.logout()
        #expect(try await client.profile().customerUserId == "")
        do {
            try await client.logout()
            Issue.record("an anonymous user signed out")
        } catch {
            #expect(error.sdk?.code == 3020)
        }
        _ = try await client.getFlow(placementId: "onboarding")
        try await client.logShowFlow(
            with(LogShowFlowRequest()) { $0.variationId = "var_registration" })
        try await client.setConditions(
            with(SetConditionsRequest()) { $0.timeZone = "Asia/Kolkata" })
        let name = try #require(try await client.listDevices().devices.first?.device)
        try await client.closeDevice(CloseDeviceRequest())
        #expect(try await client.listDevices().devices.isEmpty)
        let reply = try await client.openDevice(with(OpenDeviceRequest()) { $0.device = name })
        #expect(reply.reopened)
        #expect(reply.info?.timeZone == "Asia/Kolkata")
        try await client.resetDevice(ResetDeviceRequest())
        try await client.activate(
            with(ActivateRequest()) { $0.customerUserId = "u1" })
        #expect(try await client.profile() == named)
    }

    @Test("1 000 pings in flight come back, each with its own payload")
    func pipelining() async throws {
        let client = try await broker.client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let payload = [UInt8(number >> 8), UInt8(number & 255)]
                    let reply = try await client.ping(with(PingRequest()) { $0.payload = payload })
                    #expect(reply.payload == payload)
                }
            }
            try await group.waitForAll()
        }
    }

    /// A call that waits until the clock of its device is moved.
    private func waitingCall(_ client: BridgeClient) async throws {
        try await client.openManualDevice()
        try await client.setConditions(
            with(SetConditionsRequest()) {
                $0.calls = [
                    with(CallCondition()) {
                        $0.method = "get_flow"
                        $0.latencyMs = 4_000
                    }
                ]
            })
    }

    @Test("a deadline ends a call by this host's clock when the device's stands still")
    func deadline() async throws {
        let client = try await broker.client()
        try await waitingCall(client)
        let limit = .milliseconds(50) + Tolerance.call
        let took = await Tolerance.shortest(enough: limit) {
            let thrown = await error { () async throws(BridgeError) in
                try await client.getFlow(placementId: "onboarding", deadline: .milliseconds(50))
            }
            #expect(thrown?.code == .deadlineExceeded)
        }
        #expect(took < limit)
        #expect(try await client.status().connections.first?.pending.isEmpty == true)
    }

    @Test("the broker's own deadline, by the clock of the device, comes through")
    func deadlineOfDevice() async throws {
        let client = try await broker.client()
        try await waitingCall(client)
        async let thrown = error { () async throws(BridgeError) in
            try await client.getFlow(placementId: "onboarding", deadline: .seconds(2))
        }
        try await pending(client)
        try await client.advanceClock(with(AdvanceClockRequest()) { $0.byMs = 2_000 })
        #expect(await thrown?.code == .deadlineExceeded)
        #expect(await thrown?.message.contains("deadline_ms") == true)
    }

    /// Returns once a call of the client waits in the broker.
    private func pending(_ client: BridgeClient) async throws {
        while try await client.status().connections.allSatisfy(\.pending.isEmpty) {}
    }

    @Test("GEN-10 cancelling the task of an SDK call throws 9000")
    func cancellation() async throws {
        let client = try await broker.client()
        try await waitingCall(client)
        let task = Task {
            await error { () async throws(BridgeError) in
                try await client.getFlow(placementId: "onboarding")
            }
        }
        try await pending(client)
        task.cancel()
        #expect(await task.value?.sdk?.code == 9000)
    }

    @Test("a call sent behind a waiting one is not held up by it")
    func overtaking() async throws {
        let client = try await broker.client()
        try await waitingCall(client)
        async let flow = client.getFlow(placementId: "onboarding")
        try await pending(client)
        try await client.ping()
        try await client.advanceClock(with(AdvanceClockRequest()) { $0.byMs = 4_000 })
        #expect(try await flow.placement?.id == "onboarding")
    }

    @Test("a broker that stops fails waiting calls and streams with UNAVAILABLE and the path")
    func stoppedBroker() async throws {
        let client = try await broker.client()
        try await waitingCall(client)
        let events = try await client.subscribe()
        async let thrown = error { () async throws(BridgeError) in
            try await client.getFlow(placementId: "onboarding")
        }
        try await pending(client)
        broker.stop()
        #expect(await thrown?.code == .unavailable)
        #expect(await thrown?.message.contains(broker.path) == true)
        let lost = await error { () async throws(BridgeError) in
            for try await _ in events {}
        }
        #expect(lost?.code == .unavailable)
    }

    @Test("a stream replays the record from a sequence and goes on live, with no gap and no double")
    func replay() async throws {
        let first = try await broker.client()
        let view = try await first.showFlow()
        let page = try await first.getEvents(fromSequence: 1)
        #expect(page.atEnd)
        first.close()
        let second = try await first.reconnected()
        let events = try await second.subscribe(fromSequence: 2)
        try await second.dismiss(viewId: view)
        let last = try await second.getEvents(fromSequence: 1).events.last?.sequence ?? 0
        #expect(last > page.events.last?.sequence ?? 0)
        var seen: [UInt64] = []
        for try await event in events {
            seen.append(event.sequence)
            if event.sequence == last { break }
        }
        #expect(seen == Array(2...last))
    }

    @Test("each subscription has its own events, and ending one leaves the other")
    func twoSubscriptions() async throws {
        let client = try await broker.client()
        let all = try await client.subscribe()
        let some = try await client.subscribe(kinds: ["flow_did_appear"])
        let view = try await client.showFlow()
        #expect(some.buffered().map { $0.kind?.name } == ["flow_did_appear"])
        #expect(all.buffered().count > 1)
        try await client.unsubscribe(some)
        try await client.dismiss(viewId: view)
        #expect(some.buffered().isEmpty)
        #expect(all.buffered().last?.kind?.name == "flow_did_disappear")
    }

    @Test("an unknown kind, device or view of a subscription is refused")
    func wrongSubscriptions() async throws {
        let client = try await broker.client()
        let kind = await error { () async throws(BridgeError) in
            try await client.subscribe(kinds: ["nothing"])
        }
        #expect(kind?.code == .invalidArgument)
        let device = await error { () async throws(BridgeError) in
            try await client.subscribe(device: "nowhere")
        }
        #expect(device?.code == .notFound)
    }
}
