import BridgeProtocol
import Testing

@Suite("Every method of the schema")
struct MethodTests {
    /// Asks for every method with an empty request.
    private func ask(_ method: MethodInfo, _ broker: TestBroker, _ wire: Wire) throws
        -> ServerFrame
    {
        let client = TestClient(wire: try broker.connect(), mode: wire.mode)
        switch wire.mode {
        case .binary:
            if method.name != "hello" { try client.hello() }
            try client.wire.send(ProtoBytes.request(50, UInt64(method.number)))
        case .line:
            try client.wire.send(Array("{\"id\":50,\"\(method.jsonName)\":{}}\n".utf8))
        }
        guard let frame = try client.nextFrame() else { throw Unexpected("closed") }
        return frame
    }

    @Test("every method is served, with a result or an error of its own", arguments: Wire.allCases)
    func everyMethod(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        for method in MethodTable.all {
            let frame = try ask(method, broker, wire)
            #expect(frame.id == 50)
            guard case .error(let error) = frame.body else { continue }
            #expect(error.bridge != .unknownMethod, "\(method.name): \(error.message)")
            #expect(error.bridge != .internal, "\(method.name): \(error.message)")
        }
    }

    @Test("id 0 gets no answer, neither a result nor an error", arguments: Wire.allCases)
    func idZero(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(wire.mode)
        try client.send(.ping(PingRequest()), id: 0)
        try client.send(.getFlow(with(GetFlowRequest()) { $0.placementId = "none" }), id: 0)
        try client.send(.present(with(PresentRequest()) { $0.viewId = "none" }), id: 0)
        try client.send(.unsubscribe(with(UnsubscribeRequest()) { $0.subscriptionId = 9 }), id: 0)
        try client.send(.logout(LogoutRequest()), id: 0)
        try client.send(.ping(PingRequest()), id: 9)
        #expect(try client.nextFrame()?.id == 9)
    }
}
