import BridgeProtocol
import Testing

@Suite("Devices and their clocks")
struct DeviceTests {
    private func open(_ fill: (inout OpenDeviceRequest) -> Void) -> ClientFrame.Body {
        .openDevice(with(OpenDeviceRequest(), fill))
    }

    private func opened(_ client: TestClient, _ fill: (inout OpenDeviceRequest) -> Void) throws
        -> OpenDeviceReply
    {
        guard case .openDevice(let reply) = try client.call(open(fill)) else {
            throw Unexpected("no device")
        }
        return reply
    }

    @Test("a device is made once, then attached to as it is", arguments: Wire.allCases)
    func attach(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let first = try broker.client(wire.mode)
        let made = try opened(first) {
            $0.device = "phone"
            $0.locale = "de-DE"
            $0.timeZone = "Europe/Madrid"
            $0.appVersion = "1.2.3"
            $0.randomSeed = 7
            $0.clock = with(DeviceClock()) {
                $0.kind = .manual
                $0.startMs = 1_000
            }
        }
        #expect(made.created)
        let second = try broker.client(wire.mode)
        let attached = try opened(second) {
            $0.device = "phone"
            $0.locale = "fr-FR"
        }
        #expect(!attached.created)
        let info = try #require(attached.info)
        #expect(info.locale == "de-DE")
        #expect(info.timeZone == "Europe/Madrid")
        #expect(info.platform == "iOS")
        #expect(info.appVersion == "1.2.3")
        #expect(info.randomSeed == 7)
        #expect(info.clock == .manual)
        #expect(info.timeMs == 1_000)
        #expect(info.connections == 2)
        #expect(info.lastSequence == 1)
    }

    @Test("devices are listed by name, in pages", arguments: Wire.allCases)
    func list(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        let names = ["c", "a", "e", "b", "d"]
        for name in names { try client.openDevice(name) }
        for size in [1, 2, 5, 0, UInt32.max] {
            var seen: [String] = []
            var token = ""
            repeat {
                let reply = try client.call(
                    .listDevices(
                        with(ListDevicesRequest()) {
                            $0.pageSize = size
                            $0.pageToken = token
                        }))
                guard case .listDevices(let page) = reply else { throw Unexpected(reply) }
                #expect(size == 0 || page.devices.count <= Int(size))
                seen += page.devices.map(\.device)
                token = page.nextPageToken
            } while token != ""
            #expect(seen == names.sorted(), "page_size \(size)")
        }
    }

    @Test(
        "a page token that no answer gave is INVALID_ARGUMENT, a far one an empty page",
        arguments: Wire.allCases)
    func tokens(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        try client.openDevice("phone")
        try client.activate()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        func bodies(_ token: String) -> [ClientFrame.Body] {
            [
                .listDevices(with(ListDevicesRequest()) { $0.pageToken = token }),
                .listViews(with(ListViewsRequest()) { $0.pageToken = token }),
                .listPlacements(with(ListPlacementsRequest()) { $0.pageToken = token }),
                .getScreen(
                    with(GetScreenRequest()) {
                        $0.viewId = view
                        $0.pageToken = token
                    }),
            ]
        }
        for token in ["x", "-1", "9223372036854775808", "1.0"] {
            for body in bodies(token) {
                let error = try client.refusal(body)
                #expect(error.code == .invalidArgument)
                #expect(error.field.hasSuffix(".page_token"))
                #expect(error.message.contains("next_page_token"))
            }
        }
        for token in ["1000", "9223372036854775807"] {
            for body in bodies(token) { try client.call(body) }
        }
        try broker.expectServesOthers()
    }

    @Test("names and zones that cannot be are refused", arguments: Wire.allCases)
    func refused(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        let long = String(repeating: "n", count: 129)
        let name = try client.refusal(open { $0.device = long })
        #expect(name.code == .invalidArgument)
        #expect(name.message.holds(["129", "128"]))
        try client.openDevice(String(long.dropLast()))
        for zone in [
            "Mars/Olympus", "europe/madrid2", "../../etc/passwd", "/etc/localtime", " UTC",
        ] {
            let error = try client.refusal(
                open {
                    $0.device = "zone"
                    $0.timeZone = zone
                })
            #expect(error.code == .invalidArgument, "\(zone)")
            #expect(error.field == "open_device.time_zone")
            #expect(error.message.contains(zone))
        }
        guard case .listDevices(let list) = try client.call(.listDevices(ListDevicesRequest()))
        else { throw Unexpected("no list") }
        #expect(list.devices.count == 1)
        for zone in ["UTC", "Asia/Kolkata", "Asia/Calcutta", "Etc/GMT+5"] {
            try client.openDevice("in \(zone)", zone: zone)
        }
    }

    @Test("devicesMax: as many as allowed, and not one more", arguments: Wire.allCases)
    func devicesMax(wire: Wire) throws {
        var limits = Limits()
        limits.devicesMax = 2
        let client = try TestBroker.start(wire, TestSetup(limits: limits)).client(wire.mode)
        try client.openDevice("a")
        try client.openDevice("b")
        let error = try client.refusal(open { $0.device = "c" })
        #expect(error.code == .limitExceeded)
        #expect(error.message.holds(["devicesMax", "2"]))
        try client.openDevice("a")
    }

    @Test("GEN-3 nothing moves on a manual clock until it is moved", arguments: Wire.allCases)
    func manualClock(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let ticker = try Ticker(broker, wire.mode)
        let client = ticker.client
        try ticker.make(3)
        #expect(try client.advance(ms: 0) == 0)
        #expect(try client.advance(ms: 1_500) == 1_500)
        try ticker.make(1)
        try client.advance(ms: 1)
        try ticker.make(1)
        let times = try client.allEvents().map(\.timeMs)
        #expect(times.dropLast(2).allSatisfy { $0 == 0 })
        #expect(times.suffix(2) == [1_500, 1_501])
        #expect(try client.allEvents().allSatisfy { $0.timeZone == "UTC" })
        let back = try client.refusal(
            .advanceClock(with(AdvanceClockRequest()) { $0.byMs = -1 }))
        #expect(back.code == .invalidArgument)
        #expect(back.field == "advance_clock.by_ms")
    }

    @Test("a real clock is not moved by hand", arguments: Wire.allCases)
    func realClock(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone")
        let error = try client.refusal(.advanceClock(with(AdvanceClockRequest()) { $0.byMs = 1 }))
        #expect(error.code == .wrongState)
        #expect(error.message.holds(["phone", "MANUAL"]))
    }

    @Test("IN-93 clocks run through the years 1 to 9999, and no further", arguments: Wire.allCases)
    func farClock(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        let (first, last): (Int64, Int64) = (-62_135_596_800_000, 253_402_300_799_999)
        for start in [first - 1, last + 1, .min, .max] {
            let error = try client.refusal(
                open {
                    $0.device = "far"
                    $0.clock = with(DeviceClock()) {
                        $0.kind = .manual
                        $0.startMs = start
                    }
                })
            #expect(error.code == .invalidArgument)
            #expect(error.field == "open_device.clock.start_ms")
        }
        try client.openDevice("early", manualAtMs: first)
        try client.openDevice("late", manualAtMs: last)
        try client.openDevice("phone", manualAtMs: 0)
        try client.call(.setConditions(with(SetConditionsRequest()) { $0.offline = true }))
        try client.activate()
        for span in [last + 1, .max] {
            let error = try client.refusal(
                .advanceClock(with(AdvanceClockRequest()) { $0.byMs = span }))
            #expect(error.code == .invalidArgument)
            #expect(error.field == "advance_clock.by_ms")
        }
        #expect(try client.advance(ms: last) == last)
        try client.call(.setConditions(with(SetConditionsRequest()) { $0.offline = false }))
        try broker.expectServesOthers()
    }

    /// Everything that a fixed run records, as bytes of the answers to `get_events`.
    private func record(_ wire: Wire, seed: UInt64) throws -> [[UInt8]] {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        try client.openDevice(
            "phone", manualAtMs: 1_700_000_000_000, zone: "Europe/Madrid", seed: seed)
        try client.activate()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        try client.focus(view, "name")
        try client.enter(view, "name", "Jane")
        try client.advance(ms: 7)
        try client.pickDate(view, "birthday", 1990, 6, 15)
        try client.tapButton(view, "next")
        try client.tapOption(view, "experience", "pro")
        try client.dismiss(view, destroy: true)
        let onboarding = try client.makeOnboardingView("legacy_onboarding")
        try client.present(onboarding)
        try client.tapButton(onboarding, "start_button")
        var pages: [[UInt8]] = []
        for from in stride(from: 1, to: try client.lastSequence(), by: 5) {
            let talk: [UInt8]
            switch wire.mode {
            case .binary:
                talk = ProtoBytes.request(
                    500, 82, ProtoBytes.number(4, from) + ProtoBytes.number(5, 5))
            case .line:
                talk = Array(
                    "{\"id\":500,\"getEvents\":{\"fromSequence\":\(from),\"pageSize\":5}}\n".utf8)
            }
            try client.wire.send(talk)
            pages.append(try client.wire.receive() ?? [])
        }
        withExtendedLifetime(broker) {}
        return pages
    }

    @Test("GEN-3 VW-1 two runs with one seed are the same, byte for byte", arguments: Wire.allCases)
    func repeatable(wire: Wire) throws {
        let first = try record(wire, seed: 42)
        #expect(first.count >= 3)
        #expect(try record(wire, seed: 42) == first)
        #expect(try record(wire, seed: 43) != first)
    }

    @Test("ID-1 ID-34 only the device default activates itself", arguments: Wire.allCases)
    func activatesItself(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        try client.subscribe()
        #expect(try client.getFlow("onboarding").variationId == "var_registration")
        #expect(client.takeStory() == ["did_load_latest_profile"])
        try client.activate()
        #expect(client.takeStory() == ["did_load_latest_profile"])
        #expect(try client.refusal(.activate(ActivateRequest())).sdk?.code == 3005)

        let other = try broker.client(wire.mode)
        try other.openDevice("phone", manualAtMs: 0)
        let calls: [ClientFrame.Body] = [
            .getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }),
            .getProfile(GetProfileRequest()), .updateProfile(UpdateProfileRequest()),
            .getOnboarding(with(GetOnboardingRequest()) { $0.placementId = "legacy_onboarding" }),
            .getFlowConfiguration(GetFlowConfigurationRequest()),
            .getOnboardingConfiguration(GetOnboardingConfigurationRequest()),
        ]
        for call in calls {
            let error = try other.refusal(call)
            #expect(error.code == .none)
            #expect(error.sdk?.code == 2002)
            #expect(error.sdk?.name == "notActivated")
        }
        try other.activate()
        #expect(try other.refusal(.activate(ActivateRequest())).sdk?.name == "activateOnceError")
        #expect(try other.profile().profileId != "")
    }

    @Test("ID-29 two devices with one customer user ID share a profile", arguments: Wire.allCases)
    func sharedProfile(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let clients = try ["a", "b"].map { name in
            let client = try broker.client(wire.mode)
            try client.openDevice(name, manualAtMs: 0)
            try client.activate(customerUserID: "u1")
            return client
        }
        #expect(try clients[0].profile().profileId == clients[1].profile().profileId)
        try clients[0].update {
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "a"; $0.change = .string("1")
                }
            ]
        }
        #expect(try clients[1].profile().customAttributes.map(\.key) == ["a"])
    }
}
