import BridgeProtocol
import Testing

/// A limit of the broker, and a trial that tells whether what is over it was kept out.
struct LimitControl: CustomTestStringConvertible, Sendable {
    /// Its name.
    let testDescription: String
    /// Its value with the guard, and one that is out of the trial's reach.
    let values: (guarded: UInt64, bare: UInt64)
    /// Goes one past the guarded value; true when that was kept out.
    let isKept: @Sendable (_ broker: TestBroker) throws -> Bool

    init(
        _ name: String, _ guarded: UInt64, without bare: UInt64 = 10_000,
        isKept: @escaping @Sendable (_ broker: TestBroker) throws -> Bool
    ) {
        (testDescription, values, self.isKept) = (name, (guarded, bare), isKept)
    }

    func holds(_ isGuarded: Bool) throws -> Bool {
        var setup = TestSetup(catalog: TestCatalogs.toggle)
        try setup.limits.set("\(testDescription)=\(isGuarded ? values.guarded : values.bare)")
        return try isKept(TestBroker.start(.binaryInProcess, setup))
    }
}

/// As the positive controls of the transport: with a limit out of reach its test has to fail.
@Suite("A limit that is taken away lets through what it kept out")
struct LimitControlTests {
    @Test("with the limit one more is kept out, and without it is not", arguments: controls)
    func control(_ control: LimitControl) throws {
        #expect(try control.holds(true))
        #expect(try !control.holds(false))
    }

    private static let controls: [LimitControl] = [
        LimitControl("subscriptionsMax", 1) { broker in
            let client = try broker.client(.binary)
            try client.subscribe()
            return try client.isOverLimit(.subscribe(SubscribeRequest()))
        },
        LimitControl("pendingRequestsMax", 1) { broker in
            let client = try phone(broker)
            try client.activate()
            try client.delay("get_flow", ms: 1_000)
            let fetch = ClientFrame.Body.getFlow(with(GetFlowRequest()) { $0.placementId = "main" })
            try client.send(fetch)
            let second = try client.send(fetch)
            try client.advance(ms: 1_000)
            return try client.isOverLimit(second)
        },
        LimitControl("devicesMax", 1) { broker in
            let client = try phone(broker)
            return try client.isOverLimit(
                .openDevice(with(OpenDeviceRequest()) { $0.device = "other" }))
        },
        LimitControl("closedDevicesMax", 1) { broker in
            let client = try phone(broker)
            for name in ["a", "b", "elsewhere"] { try client.openDevice(name) }
            for name in ["a", "b"] { try client.closeDevice(name) }
            return try !client.open { $0.device = "a" }.reopened
        },
        LimitControl("profilesMax", 1) { broker in
            try phone(broker).activate()
            return try phone(broker, "other").isOverLimit(.activate(ActivateRequest()))
        },
        LimitControl("viewsMax", 1) { broker in
            let client = try phone(broker)
            try client.activate()
            _ = try client.makeFlowView("main")
            return try client.isRefused(.limitExceeded) { _ = try client.makeFlowView("main") }
        },
        LimitControl("monitorsMax", 1, without: 64) { broker in
            try broker.client(.binary).call(.monitor(MonitorRequest()))
            return try broker.client(.binary).isOverLimit(.monitor(MonitorRequest()))
        },
        LimitControl("monitorQueueBytes", 65_536, without: 4_294_967_296) { broker in
            let (app, watcher) = (try broker.client(.binary), try broker.client(.binary))
            try watcher.call(.monitor(MonitorRequest()))
            let ping = with(PingRequest()) { $0.payload = [UInt8](repeating: 7, count: 20_000) }
            for _ in 0..<200 { try app.call(.ping(ping)) }
            var (seen, lost) = (UInt64(0), UInt64(0))
            while seen + lost < 400 {
                let frame = try #require(try watcher.monitored(count: 1).first)
                lost += frame.dropped
                if frame.direction != .none { seen += 1 }
            }
            return lost > 0
        },
        LimitControl("monitorFrameBytesMax", 256, without: 262_144) { broker in
            let (app, watcher) = (try broker.client(.binary), try broker.client(.binary))
            try watcher.call(.monitor(MonitorRequest()))
            try app.call(.describe(DescribeRequest()))
            let answers = try watcher.monitored(count: 2).filter { $0.kind == "answer" }
            return try #require(answers.first).text.utf8.count <= 256
        },
        LimitControl("pageMax", 5) { broker in
            let ticker = try Ticker(broker, .binary)
            try ticker.make(10)
            return try ticker.client.events().events.count == 5
        },
        LimitControl("eventsMax", 8) { broker in
            let ticker = try Ticker(broker, .binary)
            try ticker.make(10)
            return try ticker.client.allEvents().count <= 8
        },
        LimitControl("dueInstantsMax", 5) { broker in
            let client = try phone(broker)
            try client.setConditions {
                $0.calls = [
                    with(CallCondition()) {
                        $0.method = "activate"
                        $0.httpStatus = 500
                        $0.calls = 1_000
                    }
                ]
            }
            try client.activate()
            return try client.isOverLimit(
                .advanceClock(with(AdvanceClockRequest()) { $0.byMs = 2_000 }))
        },
        LimitControl("fallbackFileBytesMax", 2_048, without: 1 << 30) { broker in
            func file(_ name: String) -> ClientFrame.Body {
                let text = FallbackFolder.text([(name, String(repeating: name, count: 1_500), "v")])
                return .setFallback(
                    with(SetFallbackRequest()) { $0.source = .content(Array(text.utf8)) })
            }
            try phone(broker).call(file("a"))
            return try phone(broker, "other").isOverLimit(file("b"))
        },
        LimitControl("closedConnectionsMax", 1, without: 1_000) { broker in
            let client = try broker.client(.binary)
            for number in 2...3 as ClosedRange<UInt64> {
                let other = try broker.client(.binary)
                try other.wire.endInput()
                _ = try other.untilClosed()
                try client.wait { $0.closedConnections.first?.connectionId == number }
            }
            return try client.status().closedConnections.count == 1
        },
        LimitControl("clientFrameBytesMin", 524_288, without: 1_024) { broker in
            let client = TestClient(wire: try broker.connect(), mode: .binary)
            let hello = with(HelloRequest()) {
                $0.protocolMajor = 1
                $0.maxFrame = 65_536
            }
            return try client.isRefused(.invalidArgument) { try client.call(.hello(hello)) }
        },
    ]

    private static func phone(_ broker: TestBroker, _ name: String = "phone") throws -> TestClient {
        let client = try broker.client(.binary)
        try client.openDevice(name, manualAtMs: 0)
        return client
    }
}

extension TestClient {
    /// Whether a request is refused for a limit.
    fileprivate func isOverLimit(_ body: ClientFrame.Body) throws -> Bool {
        try isRefused(.limitExceeded) { _ = try call(body) }
    }

    fileprivate func isOverLimit(_ id: UInt64) throws -> Bool {
        try isRefused(.limitExceeded) { _ = try answer(to: id) }
    }

    fileprivate func isRefused(_ code: BridgeError.Code, _ work: () throws -> Void) throws -> Bool {
        do {
            try work()
            return false
        } catch let error as BridgeError where error.code == code {
            return true
        }
    }
}
