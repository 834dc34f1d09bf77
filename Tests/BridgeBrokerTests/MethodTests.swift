import BridgeProtocol
import Testing

@Suite("Every method of the schema")
struct MethodTests {
    /// In the schema and not built; the list is empty when the broker is complete.
    static let notBuilt: Set<String> = [
        "set_fallback"
    ]

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

    @Test(
        "a method that is not built is UNKNOWN_METHOD with its name, every other one is served",
        arguments: Wire.allCases)
    func everyMethod(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        for method in MethodTable.all {
            let frame = try ask(method, broker, wire)
            #expect(frame.id == 50)
            guard case .error(let error) = frame.body else {
                #expect(!Self.notBuilt.contains(method.name), "\(method.name)")
                continue
            }
            #expect(
                (error.bridge == .unknownMethod) == Self.notBuilt.contains(method.name),
                "\(method.name): \(error.message)")
            if error.bridge == .unknownMethod {
                #expect(error.message.contains(method.name))
            }
            #expect(error.bridge != .internal, "\(method.name): \(error.message)")
        }
    }

    @Test("welcome names the methods that are not built", arguments: Wire.allCases)
    func features(wire: Wire) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: wire.mode)
        let features = try client.hello().features
        let named = features.filter { $0.hasPrefix("unbuilt:") }.map { String($0.dropFirst(8)) }
        #expect(Set(named) == Self.notBuilt)
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
