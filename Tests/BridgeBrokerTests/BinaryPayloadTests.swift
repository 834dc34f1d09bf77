import BridgeProtocol
import Testing

/// A message that decodes and still cannot be served.
struct BadMessage: Sendable, CustomTestStringConvertible {
    let name: String
    let method: UInt64
    let payload: [UInt8]
    let code: BridgeError.Code
    let field: String
    let says: [String]

    init(
        _ name: String, method: UInt64, _ payload: [UInt8],
        code: BridgeError.Code = .invalidArgument, field: String, says: String...
    ) {
        self.name = name
        self.method = method
        self.payload = payload
        self.code = code
        self.field = field
        self.says = says
    }

    var testDescription: String { name }
}

@Suite("Messages that decode and cannot be served")
struct BinaryPayloadTests {
    static let transports: [Wire] = [.binaryInProcess, .binarySocket]

    private static func kinds(_ count: Int) -> [UInt8] {
        let kind = ProtoBytes.text(2, "flow_did_appear")
        return Array((0..<count).map { _ in kind }.joined())
    }

    static let bad: [BadMessage] = [
        BadMessage(
            "bad UTF-8", method: 45, ProtoBytes.bytes(1, [0x61, 0xC3, 0x28]),
            field: "get_flow.placement_id", says: "UTF-8", "byte 1"),
        BadMessage(
            "a surrogate", method: 45, ProtoBytes.bytes(1, [0xED, 0xA0, 0x80]),
            field: "get_flow.placement_id", says: "UTF-8"),
        BadMessage(
            "an overlong form", method: 45, ProtoBytes.bytes(1, [0xC0, 0xAF]),
            field: "get_flow.placement_id", says: "UTF-8"),
        BadMessage(
            "NUL", method: 45, ProtoBytes.bytes(1, Array("a\0b".utf8)),
            field: "get_flow.placement_id", says: "U+0000", "byte 1"),
        BadMessage(
            "NUL in a list of messages", method: 44,
            ProtoBytes.bytes(9, ProtoBytes.text(1, "ok") + ProtoBytes.text(2, "v"))
                + ProtoBytes.bytes(9, ProtoBytes.bytes(1, [0])),
            field: "update_profile.custom_attributes[1].key", says: "U+0000"),
        BadMessage(
            "an enum out of range", method: 60, ProtoBytes.number(2, 9),
            field: "create_flow_controller.action_handling", says: "9", "AUTOMATIC"),
        BadMessage(
            "10 001 elements", method: 80, kinds(10_001), field: "subscribe.kinds[10000]",
            says: "10001", "10000"),
        BadMessage(
            "an unknown method", method: 99, [], code: .unknownMethod, field: "", says: "99"),
        BadMessage(
            "an oneof without a member", method: 70, ProtoBytes.text(1, "v"),
            field: "perform.gesture", says: "no gesture"),
    ]

    @Test(
        "a fault in the payload is answered with the request's id and the connection stays",
        arguments: transports, bad)
    func payload(wire: Wire, bad: BadMessage) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(.binary)
        try client.wire.send(ProtoBytes.request(77, bad.method, bad.payload))
        let (id, error) = try client.nextError()
        #expect(id == 77)
        #expect(error.code == bad.code)
        #expect(error.field == bad.field)
        #expect(error.message.holds(bad.says), "\(error.message)")
        try client.expectServed()
        try broker.expectServesOthers()
    }

    @Test("a frame without a method is INVALID_ARGUMENT with its id", arguments: transports)
    func noMethod(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(.binary)
        try client.wire.send(framed(ProtoBytes.number(1, 78)))
        let (id, error) = try client.nextError()
        #expect(id == 78)
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("no method"))
        try client.expectServed()
    }

    @Test("10 000 elements pass", arguments: transports)
    func elements(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(.binary)
        try client.wire.send(ProtoBytes.request(77, 80, Self.kinds(10_000)))
        guard case .subscribe = try client.answer(to: 77) else { throw Unexpected("no answer") }
    }

    @Test(
        "unknown fields are skipped, however deep they go", arguments: transports, [1, 32, 33, 100])
    func unknownFields(wire: Wire, depth: Int) throws {
        let client = try TestBroker.start(wire).client(.binary)
        var nested: [UInt8] = []
        for _ in 0..<depth { nested = ProtoBytes.bytes(100, nested) }
        try client.wire.send(ProtoBytes.request(77, 12, nested))
        #expect(try client.answer(to: 77) == .ping(PingReply()))
    }
}
