import BridgeProtocol
import Foundation
import Testing

/// `monitor`: what passes on the other connections.
@Suite("monitor")
struct MonitorTests {
    private struct Bench {
        let broker: TestBroker
        let app: TestClient
        let watcher: TestClient
        let wire: Wire

        init(
            _ wire: Wire, _ limits: Limits = Limits(), _ request: (inout MonitorRequest) -> Void
        ) throws {
            self.wire = wire
            broker = TestBroker.start(wire, TestSetup(limits: limits, catalog: TestCatalogs.toggle))
            app = try broker.client(wire.mode)
            watcher = try broker.client(wire.mode)
            try watcher.call(.monitor(with(MonitorRequest(), request)))
        }
    }

    private func kinds(_ frames: [MonitoredFrame]) -> [String] {
        frames.map { "\($0.kind) \($0.name)" }
    }

    @Test("requests, answers, errors and events of the others, with all that tells them apart")
    func bothDirections() throws {
        for wire in Wire.allCases {
            let bench = try Bench(wire) { $0.showValues = true }
            try bench.app.call(.ping(with(PingRequest()) { $0.payload = [1, 2, 3] }))
            _ = try bench.app.refusal(.getScreen(with(GetScreenRequest()) { $0.viewId = "x" }))
            try bench.app.subscribe(device: "")
            try bench.app.call(.enterBackground(EnterBackgroundRequest()))
            try bench.app.openDevice("phone", manualAtMs: 0)
            try bench.app.subscribe(device: "phone", from: 1)
            try bench.app.activate()
            let frames = try bench.watcher.monitored(count: 14)
            #expect(
                kinds(frames).prefix(6) == [
                    "request ping", "answer ping", "request get_screen", "error get_screen",
                    "request subscribe", "answer subscribe",
                ])
            #expect(frames.map(\.number) == (1...UInt64(frames.count)).map { $0 })
            let event = try #require(frames.first { $0.kind == "event" })
            #expect(event.name == "device_opened" && event.device == "phone")
            #expect(event.direction == .fromBroker)
            let (request, answer) = (frames[0], frames[1])
            #expect(request.direction == .toBroker && answer.direction == .fromBroker)
            #expect(request.id == answer.id && request.id > 0)
            #expect(request.connectionId == 1)
            #expect(request.mode == (wire.mode == .binary ? "binary" : "line"))
            #expect(request.clientName == (wire.mode == .binary ? "test" : ""))
            #expect(request.device == "default")
            #expect(request.pid == (wire.usesSocket ? getpid() : 0))
            #expect(
                request.text
                    == "{\"id\":\"\(request.id)\",\"deadlineMs\":0,\"ping\":{\"payload\":\"AQID\"}}"
            )
            #expect(Int(request.textSize) == request.text.utf8.count)
            #expect(answer.monotonicNs >= request.monotonicNs && request.monotonicNs > 0)
            #expect(abs(Double(request.realtimeNs) / 1e9 - Date().timeIntervalSince1970) < 60)
            #expect(frames.allSatisfy { $0.dropped == 0 && !$0.redacted })
        }
    }

    @Test("the size is that of the frame on the wire, and raw bytes are its bytes")
    func raw() throws {
        for wire in Wire.allCases {
            let bench = try Bench(wire) {
                $0.showValues = true
                $0.raw = true
            }
            let request = ClientFrame.Body.ping(with(PingRequest()) { $0.payload = [1, 2, 3] })
            let sent = try bench.app.bytes(of: request, id: 77)
            try bench.app.send(request, id: 77)
            _ = try bench.app.answer(to: 77)
            let frame = try bench.watcher.monitored(count: 1)[0]
            let bytes = wire.mode == .binary ? Array(sent.dropFirst(4)) : Array(sent.dropLast())
            #expect(frame.raw == bytes)
            #expect(Int(frame.size) == bytes.count)
            #expect(frame.text.isEmpty)
        }
    }

    @Test("filters work in the broker: any match, all of its terms")
    func filters() throws {
        let rows: [([FrameMatch], [String])] = [
            ([with(FrameMatch()) { $0.kind = "error" }], ["error get_screen"]),
            ([with(FrameMatch()) { $0.name = "ping" }], ["request ping", "answer ping"]),
            (
                [
                    with(FrameMatch()) {
                        $0.kind = "request"
                        $0.name = "get_screen"
                    }, with(FrameMatch()) { $0.kind = "error" },
                ], ["request get_screen", "error get_screen"]
            ),
            ([with(FrameMatch()) { $0.element = "tick" }], ["request perform"]),
            ([with(FrameMatch()) { $0.kind = "device_opened" }], ["event device_opened"]),
        ]
        for wire in Wire.allCases {
            for (matches, wanted) in rows {
                let bench = try Bench(wire) { $0.matches = matches }
                try bench.app.openDevice("phone", manualAtMs: 0)
                try bench.app.subscribe(device: "")
                try bench.app.call(.ping(PingRequest()))
                _ = try bench.app.refusal(.getScreen(with(GetScreenRequest()) { $0.viewId = "x" }))
                _ = try bench.app.refusal(
                    .perform(
                        with(PerformRequest()) {
                            $0.gesture = .tapToggle(
                                with(TapToggleGesture()) { $0.elementId = "tick" })
                        }))
                try bench.app.subscribe(device: "", from: 1)
                let frames = try bench.watcher.monitored(count: wanted.count)
                #expect(kinds(frames) == wanted, "\(matches)")
            }
        }
    }

    @Test("GEN-7 what users typed and chose is hidden in the broker unless asked for")
    func redaction() throws {
        for wire in Wire.allCases {
            let bench = try Bench(wire) { _ in }
            let app = bench.app
            try app.openDevice("phone", manualAtMs: 0)
            try app.activate()
            try app.call(
                .updateProfile(
                    with(UpdateProfileRequest()) {
                        $0.email = "secret@example.com"
                        $0.firstName = "Secretia"
                    }))
            try app.call(.identify(with(IdentifyRequest()) { $0.customerUserId = "secret-user" }))
            try app.call(.inspectProfile(InspectProfileRequest()))
            _ = try app.refusal(
                .perform(
                    with(PerformRequest()) {
                        $0.viewId = "v"
                        $0.gesture = .enterText(
                            with(EnterTextGesture()) {
                                $0.elementId = "name"
                                $0.text = "secret text"
                            })
                    }))
            try app.subscribe(device: "", from: 1)
            try app.call(.getEvents(GetEventsRequest()))
            try app.call(.ping(PingRequest()))
            var frames: [MonitoredFrame] = []
            while frames.last?.name != "ping" { frames += try bench.watcher.monitored(count: 1) }
            let text = frames.map(\.text).joined(separator: "\n")
            #expect(!text.lowercased().contains("secret"), "\(text)")
            #expect(text.contains("\"elementId\":\"name\",\"text\":\"<redacted string>\""))
            #expect(text.contains("\"email\":\"<redacted string>\""))
            #expect(frames.allSatisfy { $0.redacted })
        }
    }

    @Test("one connection alone", arguments: Wire.allCases)
    func connection(wire: Wire) throws {
        let bench = try Bench(wire) { $0.matches = [with(FrameMatch()) { $0.connectionId = 3 }] }
        let other = try bench.broker.client(wire.mode)
        try bench.app.call(.ping(PingRequest()))
        _ = try other.status()
        let wanted = (wire.mode == .binary ? ["hello", "hello"] : []) + ["status", "status"]
        #expect(try bench.watcher.monitored(count: wanted.count).map(\.name) == wanted)
    }

    @Test("headers only, and a cut at a size with the full length", arguments: Wire.allCases)
    func cut(wire: Wire) throws {
        let bench = try Bench(wire) { $0.sizeMax = 20 }
        let bare = try bench.broker.client(wire.mode)
        try bare.call(.monitor(with(MonitorRequest()) { $0.headersOnly = true }))
        try bench.app.call(
            .ping(with(PingRequest()) { $0.payload = [UInt8](repeating: 0, count: 900) }))
        let frames = try bench.watcher.monitored(count: 2).filter { $0.name == "ping" }
        for frame in frames {
            #expect(frame.text.utf8.count == 20)
            #expect(frame.textSize > 1_200)
        }
        let header = try bare.monitored(count: 1)[0]
        #expect(header.text.isEmpty && header.textSize == 0)
        #expect(header.size > 900 || wire.mode == .line && header.size > 1_200)
    }

    @Test("never its own stream, nor that of another who watches", arguments: Wire.allCases)
    func ownStream(wire: Wire) throws {
        let bench = try Bench(wire) { _ in }
        let second = try bench.broker.client(wire.mode)
        try second.call(.monitor(MonitorRequest()))
        for _ in 0..<3 { try bench.watcher.call(.ping(PingRequest())) }
        for _ in 0..<3 { try second.call(.ping(PingRequest())) }
        try bench.app.call(.describe(DescribeRequest()))
        let frames = try second.monitored(count: 2)
        #expect(kinds(frames) == ["request describe", "answer describe"])
        let first = try bench.watcher.monitored(count: 2).filter { $0.name == "describe" }
        #expect(first.allSatisfy { $0.connectionId == 1 })
    }

    @Test("a watcher that does not read loses frames, is told how many, and harms nobody")
    func dropped() throws {
        for wire in Wire.allCases {
            var limits = Limits()
            limits.monitorQueueBytes = 64 << 10
            let bench = try Bench(wire, limits) { _ in }
            let payload = [UInt8](repeating: 7, count: 20_000)
            for _ in 0..<400 {
                try bench.app.call(.ping(with(PingRequest()) { $0.payload = payload }))
            }
            try bench.app.call(.describe(DescribeRequest()))
            try bench.app.expectServed()
            var (seen, lost) = (UInt64(0), UInt64(0))
            while seen + lost < 802 {
                let frame = try #require(try bench.watcher.monitored(count: 1).first)
                lost += frame.dropped
                if frame.direction != .none { seen += 1 }
                if frame.direction != .none { #expect(frame.number == seen + lost) }
            }
            #expect(lost > 0)
            let status = try bench.app.status()
            let watcher = try #require(status.connections.first { $0.connectionId == 2 })
            #expect(watcher.queueHighBytes < 2 << 20)
        }
    }

    @Test("what is refused: twice, too many, raw without values, an unknown kind")
    func refusals() throws {
        for wire in Wire.allCases {
            var limits = Limits()
            limits.monitorsMax = 1
            let bench = try Bench(wire, limits) { _ in }
            #expect(try bench.watcher.refusal(.monitor(MonitorRequest())).code == .wrongState)
            let many = try bench.app.refusal(.monitor(MonitorRequest()))
            #expect(many.code == .limitExceeded && many.message.holds(["monitorsMax", "1"]))
            let raw = try bench.app.refusal(.monitor(with(MonitorRequest()) { $0.raw = true }))
            #expect(raw.code == .invalidArgument && raw.field == "monitor.raw")
            try bench.watcher.wire.endInput()
            _ = try bench.watcher.untilClosed()
            try bench.app.wait { $0.connectionsOpen == 1 }
            let kind = try bench.app.refusal(
                .monitor(
                    with(MonitorRequest()) { $0.matches = [with(FrameMatch()) { $0.kind = "x" }] }))
            #expect(kind.code == .invalidArgument && kind.field == "monitor.matches[0].kind")
            #expect(kind.message.holds(["\"x\"", "request", "flow_did_appear"]))
            // The place is free again.
            try bench.app.call(.monitor(MonitorRequest()))
        }
    }

    @Test("another user is refused", arguments: [WireMode.binary, .line])
    func otherUser(mode: WireMode) throws {
        let broker = InProcessBroker.make(TestSetup())
        let client = broker.client(mode, uid: 65_533)
        if mode == .binary { try client.hello() }
        let error = try client.refusal(.monitor(MonitorRequest()))
        #expect(error.code == .permissionDenied)
        #expect(error.message.holds(["65533"]))
        try client.expectServed()
    }
}

extension TestClient {
    /// Waits for so many watched frames.
    func monitored(count: Int) throws -> [MonitoredFrame] {
        var seen: [MonitoredFrame] = []
        while seen.count < count {
            guard let frame = try nextFrame() else { throw Unexpected("closed") }
            if case .monitored(let monitored) = frame.body { seen.append(monitored) }
        }
        return seen
    }

    /// A request as it goes over the wire.
    func bytes(of body: ClientFrame.Body, id: UInt64) throws -> [UInt8] {
        var frame = ClientFrame()
        frame.id = id
        frame.body = body
        let buffer = ByteBuffer()
        try WireCoder().encode(frame, mode: mode, into: buffer)
        return Array(buffer.readable)
    }
}
