import BridgeProtocol
import Testing

@Suite("Requests arrive however the bytes arrive")
struct DeliveryTests {
    /// A conversation of some requests, as bytes, with what is needed to begin.
    private func conversation(_ mode: WireMode) throws -> [UInt8] {
        let coder = WireCoder()
        let buffer = ByteBuffer()
        let bodies: [ClientFrame.Body] = [
            .hello(with(HelloRequest()) { $0.protocolMajor = 1 }), .ping(PingRequest()),
            .openDevice(
                with(OpenDeviceRequest()) {
                    $0.device = "phone"
                    $0.clock = with(DeviceClock()) {
                        $0.kind = .manual
                        $0.startMs = 0
                    }
                }),
            .subscribe(SubscribeRequest()), .activate(ActivateRequest()),
            .getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }),
            .getFlow(with(GetFlowRequest()) { $0.placementId = "none" }),
            .listViews(ListViewsRequest()),
        ]
        for (index, body) in bodies.enumerated() {
            var frame = ClientFrame()
            frame.id = UInt64(index + 1)
            frame.body = body
            try coder.encode(frame, mode: mode, into: buffer)
        }
        return Array(buffer.readable)
    }

    /// All that the broker says until it closes.
    private func answers(_ wire: Wire, _ pieces: [[UInt8]]) throws -> [UInt8] {
        let broker = TestBroker.start(wire)
        let peer = try broker.connect()
        for piece in pieces { try peer.send(piece) }
        try peer.endInput()
        var received: [UInt8] = []
        while let bytes = try peer.receive() { received += bytes }
        withExtendedLifetime(broker) {}
        return received
    }

    @Test(
        "row 19: all at once, byte by byte and cut anywhere give the same answers",
        arguments: Wire.allCases)
    func pieces(wire: Wire) throws {
        let bytes = try conversation(wire.mode)
        let whole = try answers(wire, [bytes])
        #expect(whole.count > 500)
        #expect(try answers(wire, bytes.map { [$0] }) == whole)
        for cut in stride(from: 1, to: bytes.count, by: 37) {
            #expect(
                try answers(wire, [Array(bytes[..<cut]), Array(bytes[cut...])]) == whole,
                "cut at \(cut)")
        }
    }

    @Test("1 000 requests in a row are answered in order", arguments: Wire.allCases)
    func pipelining(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        let ids = try (0..<1_000).map { _ in try client.send(.ping(PingRequest())) }
        for id in ids { #expect(try client.nextFrame()?.id == id) }
        try client.expectServed()
    }

    @Test(
        "row 23: a half-closed connection gets all its answers, then the end",
        arguments: Wire.allCases)
    func halfClose(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        let ids = try (0..<500).map { _ in try client.send(.ping(PingRequest())) }
        try client.wire.endInput()
        #expect(try client.untilClosed().map(\.id) == ids)
        try broker.expectServesOthers()
    }

    @Test(
        "row 23: also an answer that has to wait comes after the half-close",
        arguments: Wire.allCases)
    func halfCloseWaiting(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let other = try broker.client(wire.mode)
        try other.openDevice("phone", manualAtMs: 0)
        try other.activate()
        try other.delay("get_flow", ms: 1_000)
        let client = try broker.client(wire.mode)
        try client.openDevice("phone")
        let id = try client.send(
            .getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        try client.wire.endInput()
        try other.waitForPending(1)
        try other.advance(ms: 1_000)
        #expect(try client.untilClosed().map(\.id) == [id])
    }

    @Test(
        "a last line without its line end is served", arguments: [Wire.lineInProcess, .lineSocket])
    func lastLine(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let talk = try broker.talk()
        try talk.send("{\"id\":1,\"ping\":{}}\n{\"id\":2,\"ping\":{}}")
        try talk.wire.endInput()
        #expect(
            try talk.untilClosed() == [
                #"{"id":"1","ping":{"payload":""}}"#, #"{"id":"2","ping":{"payload":""}}"#,
            ])
        withExtendedLifetime(broker) {}
    }

    @Test("a connection that says nothing and ends leaves no trace", arguments: Wire.allCases)
    func silent(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let peer = try broker.connect()
        try peer.endInput()
        #expect(try peer.receive() == nil)
        try broker.expectServesOthers()
    }
}
