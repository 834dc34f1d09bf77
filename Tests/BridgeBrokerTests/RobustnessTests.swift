import BridgeProtocol
import Testing

@Suite("Whatever comes, the broker stays")
struct RobustnessTests {
    static let inProcess: [Wire] = [.binaryInProcess, .lineInProcess]

    /// A conversation that touches most methods.
    private func conversation(_ mode: WireMode) throws -> [UInt8] {
        let gesture: (PerformRequest.Gesture) -> ClientFrame.Body = { gesture in
            .perform(
                with(PerformRequest()) {
                    $0.viewId = "7D2F2C3A-0000-4000-8000-000000000001"
                    $0.gesture = gesture
                })
        }
        let bodies: [ClientFrame.Body] = [
            .hello(with(HelloRequest()) { $0.protocolMajor = 1 }),
            .openDevice(
                with(OpenDeviceRequest()) {
                    $0.device = "phone"
                    $0.timeZone = "Europe/Madrid"
                    $0.clock = with(DeviceClock()) {
                        $0.kind = .manual
                        $0.startMs = 5
                    }
                }),
            .activate(with(ActivateRequest()) { $0.customerUserId = "u" }),
            .setConditions(
                with(SetConditionsRequest()) {
                    $0.calls = [
                        with(CallCondition()) {
                            $0.method = "get_flow"
                            $0.latencyMs = 7
                            $0.calls = 2
                        }
                    ]
                }),
            .subscribe(
                with(SubscribeRequest()) {
                    $0.kinds = ["flow_did_appear"]
                    $0.fromSequence = 1
                }),
            .getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }),
            .advanceClock(with(AdvanceClockRequest()) { $0.byMs = 100 }),
            .updateProfile(
                with(UpdateProfileRequest()) {
                    $0.birthday = "1990-06-15"
                    $0.customAttributes = [
                        with(CustomAttribute()) {
                            $0.key = "a"
                            $0.change = .double(1.5)
                        }
                    ]
                }),
            .getFlowConfiguration(
                with(GetFlowConfigurationRequest()) { $0.variationId = "var_registration" }),
            gesture(.enterText(with(EnterTextGesture()) { $0.text = "Jane" })),
            gesture(.pick(with(PickGesture()) { $0.date = with(CivilDate()) { $0.year = 1990 } })),
            .getEvents(with(GetEventsRequest()) { $0.pageSize = 3 }),
            .getScreen(with(GetScreenRequest()) { $0.pageToken = "1" }),
            .cancel(with(CancelRequest()) { $0.id = 6 }), .status(StatusRequest()),
            .ping(with(PingRequest()) { $0.payload = [1, 2, 3] }),
        ]
        let buffer = ByteBuffer()
        for (index, body) in bodies.enumerated() {
            var frame = ClientFrame()
            frame.id = UInt64(index + 1)
            frame.deadlineMs = UInt32(index)
            frame.body = body
            try WireCoder().encode(frame, mode: mode, into: buffer)
        }
        return Array(buffer.readable)
    }

    private func mutate(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
        }
        return bytes
    }

    @Test(
        "a conversation with some bytes wrong harms nobody else", arguments: inProcess,
        [1, 2] as [UInt64])
    func mutated(wire: Wire, seed: UInt64) throws {
        let sound = try conversation(wire.mode)
        var random = SeededNumbers(seed: seed)
        let broker = TestBroker.start(wire)
        for _ in 0..<400 {
            let peer = try broker.connect()
            try peer.send(mutate(sound, &random))
            try peer.endInput()
        }
        try broker.expectServesOthers()
    }

    /// Requests with numbers at the ends of their types; VIEW is a view with an open picker.
    static let extremes: [String] = [
        ##""getFlow":{"placementId":"onboarding","maxAgeMs":"18446744073709551615","loadTimeoutMs":4294967295,"fetchPolicy":"return_cache_data_if_not_expired_else_load"}"##,
        ##""getFlow":{"placementId":"onboarding","maxAgeMs":"0","loadTimeoutMs":0}"##,
        ##""getOnboarding":{"placementId":"legacy_onboarding","maxAgeMs":"18446744073709551615","loadTimeoutMs":4294967295}"##,
        ##""getFlowConfiguration":{"variationId":"var_registration","loadTimeoutMs":4294967295,"timers":{"a":"-9223372036854775808","b":"9223372036854775807"}}"##,
        ##""perform":{"viewId":"VIEW","pick":{"date":{"year":-2147483648,"month":1,"day":1}}}"##,
        ##""perform":{"viewId":"VIEW","pick":{"date":{"year":2147483647,"month":2147483647,"day":2147483647}}}"##,
        ##""perform":{"viewId":"VIEW","pick":{"date":{"year":9999,"month":12,"day":31}}}"##,
        ##""perform":{"viewId":"VIEW","pick":{"date":{"year":1,"month":1,"day":1}}}"##,
        ##""perform":{"viewId":"VIEW","pick":{"date":{"year":10000,"month":1,"day":1}}}"##,
        ##""perform":{"viewId":"VIEW","pick":{"date":{}}}"##,
        ##""perform":{"viewId":"VIEW","pick":{"time":{"hour":-1,"minute":60,"second":-2147483648,"millisecond":2147483647}}}"##,
        ##""perform":{"viewId":"VIEW","pick":{}}"##,
        ##""perform":{"viewId":"VIEW","tapLink":{"elementId":"name","linkIndex":4294967295}}"##,
        ##""perform":{"viewId":"VIEW","tapButton":{"elementId":"#18446744073709551616"}}"##,
        ##""perform":{"viewId":"VIEW","tapButton":{"elementId":"#-1"}}"##,
        ##""perform":{"viewId":"VIEW","tapButton":{"elementId":"#9223372036854775807"}}"##,
        ##""getEvents":{"fromSequence":"18446744073709551615","pageSize":4294967295}"##,
        ##""getScreen":{"viewId":"VIEW","pageSize":4294967295,"pageToken":"9223372036854775807"}"##,
        ##""listViews":{"pageSize":4294967295,"pageToken":"9223372036854775807"}"##,
        ##""subscribe":{"fromSequence":"18446744073709551615"}"##,
        ##""unsubscribe":{"subscriptionId":4294967295}"##,
        ##""cancel":{"id":"18446744073709551615"}"##,
        ##""hello":{"protocolMajor":4294967295,"protocolMinor":4294967295,"maxFrame":4294967295}"##,
        ##""setConditions":{"calls":[{"method":"get_flow","latencyMs":4294967295,"httpStatus":4294967295,"calls":4294967295}]}"##,
        ##""updateProfile":{"customAttributes":[{"key":"a","double":1.7976931348623157e308},{"key":"b","double":5e-324},{"key":"c","double":-0.0}]}"##,
        ##""updateProfile":{"birthday":"9999-12-31"}"##,
        ##""updateProfile":{"birthday":"0000-00-00"}"##,
        ##""openDevice":{"device":"other","questionDeadlineMs":4294967295,"randomSeed":"18446744073709551615"}"##,
        ##""advanceClock":{"byMs":"9223372036854775807"}"##,
        ##""advanceClock":{"byMs":"-9223372036854775808"}"##,
    ]

    @Test(
        "numbers at the ends of their types are answered, never INTERNAL",
        arguments: [Wire.lineInProcess])
    func extremeNumbers(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        for body in Self.extremes {
            let client = try broker.client(wire.mode)
            try client.openDevice("phone-\(body.hashValue)", manualAtMs: 0)
            try client.activate()
            let view = try client.makeFlowView("onboarding")
            try client.present(view)
            try client.perform(
                view, .openPicker(with(OpenPickerGesture()) { $0.elementId = "birthday" }))
            let text = body.replacing("VIEW", with: view)
            try client.wire.send(Array("{\"id\":900,\"deadlineMs\":4294967295,\(text)}\n".utf8))
            let frame = try #require(try client.nextFrame())
            #expect(frame.id == 900)
            if case .error(let error) = frame.body {
                #expect(error.bridge != .internal, "\(body): \(error.message)")
            }
            _ = try? client.advance(ms: 253_402_300_799_999)
            try client.expectServed()
        }
        try broker.expectServesOthers()
    }

    @Test(
        "NaN and infinities are INVALID_ARGUMENT in both modes (PRO-9)", arguments: Wire.allCases,
        [Double.nan, .infinity, -.infinity])
    func notANumber(wire: Wire, number: Double) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        let error = try client.refusal(
            .updateProfile(
                with(UpdateProfileRequest()) {
                    $0.customAttributes = [
                        with(CustomAttribute()) {
                            $0.key = "a"
                            $0.change = .double(number)
                        }
                    ]
                }))
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("\"a\"") || error.field.contains("[0]"), "\(error.message)")
    }
}
