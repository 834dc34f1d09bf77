import BridgeProtocol
import Testing

@Suite("Devices closed, opened again and reset")
struct DeviceLifecycleTests {
    private func start(_ wire: Wire, _ setup: TestSetup = TestSetup()) throws -> TestClient {
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 1_000, zone: "Europe/Madrid", seed: 7)
        try client.activate()
        return client
    }

    private let flow: ClientFrame.Body = .getFlow(
        with(GetFlowRequest()) { $0.placementId = "onboarding" })

    @Test(
        "GEN-11 ID-4 the next open_device finds what was stored, not activated",
        arguments: Wire.allCases)
    func reopened(wire: Wire) throws {
        let client = try start(wire)
        let profile = try client.profile()
        let last = try client.lastSequence()
        try client.closeDevice()
        let reply = try client.open {
            $0.device = "phone"
            $0.appVersion = "2.0"
        }
        #expect(!reply.created)
        #expect(reply.reopened)
        let info = try #require(reply.info)
        #expect(!info.activated)
        #expect(info.timeZone == "Europe/Madrid", "what is left out stays")
        #expect(info.randomSeed == 7)
        #expect(info.appVersion == "2.0")
        #expect(info.clock == .manual)
        #expect(info.timeMs == 1_000)
        #expect(info.lastSequence == last + 1)
        #expect(try client.refusal(.getProfile(GetProfileRequest())).sdk?.code == 2002)
        try client.activate()
        #expect(try client.profile() == profile)
        #expect(try client.open { $0.device = "phone" }.reopened == false)
    }

    @Test("GEN-11 the clock and the zone may be other ones then", arguments: Wire.allCases)
    func otherClock(wire: Wire) throws {
        let client = try start(wire)
        try client.closeDevice()
        let bad = try client.refusal(
            .openDevice(
                with(OpenDeviceRequest()) {
                    $0.device = "phone"
                    $0.timeZone = "Mars/Olympus"
                }))
        #expect(bad.code == .invalidArgument)
        try client.openDevice("phone", manualAtMs: 9_000, zone: "Asia/Tokyo")
        let event = try #require(try client.allEvents().last)
        #expect(event.kind?.name == "device_opened")
        #expect(event.timeMs == 9_000)
        #expect(event.timeZone == "Asia/Tokyo")
    }

    @Test("VW-23 views go without an event; subscriptions go on", arguments: Wire.allCases)
    func viewsAndSubscriptions(wire: Wire) throws {
        let client = try start(wire)
        try client.subscribe()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        _ = client.takeEvents()
        try client.closeDevice()
        #expect(client.takeEvents().isEmpty)
        try client.openDevice("phone")
        #expect(client.takeStory() == ["device_opened"])
        #expect(try client.listViews().isEmpty)
        let sequences = try client.allEvents().map(\.sequence)
        #expect(sequences == Array(1...UInt64(sequences.count)), "no gap")
    }

    @Test(
        "a connection whose device is closed gets WRONG_STATE until it is opened again",
        arguments: Wire.allCases)
    func closedDevice(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        let other = try broker.client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try other.openDevice("phone")
        try other.activate()
        try client.closeDevice("phone")
        try client.closeDevice()
        let calls: [ClientFrame.Body] = [
            flow, .listViews(ListViewsRequest()), .enterBackground(EnterBackgroundRequest()),
            .advanceClock(with(AdvanceClockRequest()) { $0.device = "phone" }),
            .setConditions(with(SetConditionsRequest()) { $0.device = "phone" }),
            .inspectProfile(InspectProfileRequest()),
        ]
        for call in calls {
            let error = try other.refusal(call)
            #expect(error.code == .wrongState)
            #expect(error.message.holds(["phone", "closed", "open_device"]))
        }
        #expect(try other.allEvents().count == 2, "its record can be read")
        try other.subscribe(device: "phone")
        try other.call(
            .listBackendEvents(with(ListBackendEventsRequest()) { $0.device = "phone" }))
        #expect(try other.status().devices.isEmpty)
        try client.openDevice("phone")
        try other.activate()
        #expect(other.takeStory() == ["device_opened", "did_load_latest_profile"])
        #expect(try other.status().devices.map(\.connections) == [2])
    }

    @Test("a device that was never opened cannot be closed or reset", arguments: Wire.allCases)
    func unknown(wire: Wire) throws {
        let client = try start(wire)
        for body: ClientFrame.Body in [
            .closeDevice(with(CloseDeviceRequest()) { $0.device = "tablet" }),
            .resetDevice(with(ResetDeviceRequest()) { $0.device = "tablet" }),
        ] {
            let error = try client.refusal(body)
            #expect(error.code == .notFound)
            #expect(error.message.holds(["tablet", "phone"]))
        }
    }

    @Test("GEN-11 default closes too, and opens again when it is used", arguments: Wire.allCases)
    func defaultDevice(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        let profile = try client.profile()
        try client.closeDevice()
        #expect(try client.status().devices.isEmpty)
        #expect(try client.profile() == profile)
        try client.call(.openDevice(OpenDeviceRequest()))
        try client.closeDevice("default")
        #expect(try client.profile() == profile)
        let kinds = try client.allEvents().compactMap(\.kind?.name)
        #expect(
            kinds == [
                "device_opened", "did_load_latest_profile", "device_opened",
                "did_load_latest_profile", "device_opened", "did_load_latest_profile",
            ])
    }

    @Test(
        "waiting calls are answered before the device is closed or reset", arguments: Wire.allCases)
    func waitingCalls(wire: Wire) throws {
        let client = try start(wire)
        try client.delay("get_flow", ms: 1_000)
        for end: ClientFrame.Body in [
            .resetDevice(ResetDeviceRequest()), .closeDevice(CloseDeviceRequest()),
        ] {
            let waiting = [try client.send(flow), try client.send(flow, deadlineMs: 500)]
            let ending = try client.send(end)
            for id in waiting {
                guard let frame = try client.nextFrame(), case .error(let error) = frame.body else {
                    throw Unexpected("no error")
                }
                #expect(frame.id == id)
                #expect(error.bridge == .cancelled)
                #expect(error.message.holds(["get_flow", "phone"]))
            }
            #expect(try client.nextFrame()?.id == ending)
            try client.waitForPending(0)
            if case .resetDevice = end { try client.activate() }
        }
    }

    @Test("a real device that is closed does nothing by itself", arguments: Wire.allCases)
    func realClock(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone")
        try client.activate()
        try client.delay("get_profile", ms: 3_600_000)
        let waiting = try client.send(.getProfile(GetProfileRequest()))
        try client.closeDevice()
        #expect(try client.refusal(of: waiting).code == .cancelled)
        try client.openDevice("phone")
        try client.activate()
        try client.delay("get_profile", ms: 0)
        #expect(try client.profile().profileId != "")
    }

    @Test(
        "reset_device: fresh, without events; the sequence and the subscriptions go on",
        arguments: Wire.allCases)
    func reset(wire: Wire) throws {
        let client = try start(wire)
        try client.subscribe()
        let former = try client.profile()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        let last = try #require(client.takeEvents().last?.sequence)
        try client.call(.resetDevice(ResetDeviceRequest()))
        #expect(client.takeEvents().isEmpty)
        #expect(try client.listViews().isEmpty)
        #expect(try client.refusal(.getProfile(GetProfileRequest())).sdk?.code == 2002)
        try client.activate()
        let events = client.takeEvents()
        #expect(events.map(\.story) == ["did_load_latest_profile"])
        #expect(events.map(\.sequence) == [last + 1])
        #expect(try client.profile().profileId != former.profileId)
        try client.closeDevice()
        try client.call(.resetDevice(with(ResetDeviceRequest()) { $0.device = "phone" }))
        #expect(try client.open { $0.device = "phone" }.info?.activated == false)
    }

    @Test(
        "devicesMax: closed devices do not count, opening one again does", arguments: Wire.allCases)
    func devicesMax(wire: Wire) throws {
        var limits = Limits()
        limits.devicesMax = 2
        let client = try TestBroker.start(wire, TestSetup(limits: limits)).client(wire.mode)
        for name in ["a", "b"] { try client.openDevice(name) }
        try client.closeDevice("a")
        try client.openDevice("c")
        let error = try client.refusal(.openDevice(with(OpenDeviceRequest()) { $0.device = "a" }))
        #expect(error.code == .limitExceeded)
        try client.closeDevice("b")
        #expect(try client.open { $0.device = "a" }.reopened)
        #expect(try client.status().devices.map(\.device) == ["a", "c"])
    }

    @Test(
        "closedDevicesMax: as many as allowed, then the one closed longest ago is forgotten",
        arguments: Wire.allCases)
    func closedDevicesMax(wire: Wire) throws {
        var limits = Limits()
        limits.closedDevicesMax = 2
        let client = try TestBroker.start(wire, TestSetup(limits: limits)).client(wire.mode)
        let names = ["a", "b", "c", "d"]
        for name in names {
            try client.openDevice(name, manualAtMs: 0)
            try client.activate(customerUserID: "user \(name)")
        }
        try client.openDevice("elsewhere")
        try client.subscribe(device: "b")
        for name in ["a", "b"] { try client.closeDevice(name) }
        #expect(try client.open { $0.device = "a" }.reopened)
        try client.closeDevice("a")  // b, a
        try client.closeDevice("c")  // b is watched, so a goes
        try client.openDevice("elsewhere")
        try client.closeDevice("d")  // b is watched, so c goes
        for name in names {
            let reply = try client.open { $0.device = name }
            #expect(reply.reopened == ["b", "d"].contains(name), "\(name)")
            #expect(reply.created != reply.reopened)
        }
    }
}
