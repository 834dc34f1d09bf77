import BridgeProtocol
import Testing

/// Bytes on a fresh connection that are no frames, and what the error has to say.
struct BadBytes: Sendable, CustomTestStringConvertible {
    let name: String
    var bytes: [UInt8]
    var endsInput = false
    let says: [String]

    init(_ name: String, _ bytes: [UInt8], endsInput: Bool = false, says: String...) {
        self.name = name
        self.bytes = bytes
        self.endsInput = endsInput
        self.says = says
    }

    var testDescription: String { name }
}

/// Row 14, 16, 17 and 31 of the failures of the field: a framing fault is told once, then the
/// connection closes; nobody else notices.
@Suite("Bytes that are no frames")
struct FramingFaultTests {
    static let transports: [Wire] = [.binaryInProcess, .binarySocket]

    /// A message of 23 bytes: id 5, get_flow{placement_id "onboarding-main1"}.
    private static let message =
        ProtoBytes.number(1, 5) + ProtoBytes.bytes(45, ProtoBytes.text(1, "onboarding-main1"))

    static let lengths: [BadBytes] = [
        BadBytes("length 0", [0, 0, 0, 0], says: "0 bytes", "1048576"),
        BadBytes("1 MiB and 1", [0x00, 0x10, 0x00, 0x01], says: "1048577", "1048576"),
        BadBytes("16 777 215", [0x00, 0xFF, 0xFF, 0xFF], says: "16777215", "1048576"),
        BadBytes(
            "length 0 behind others", [0, 0, 0, 0] + framed(message), says: "0 bytes"),
        BadBytes(
            "a frame cut off", [0, 0, 0, 10, 8, 5, 0x62], endsInput: true,
            says: "ended inside a frame"),
        BadBytes("a length cut off", [0, 0], endsInput: true, says: "ended inside a frame"),
    ]

    static let undecodable: [BadBytes] = [
        BadBytes(
            "a varint without end", framed([0x08] + Array(repeating: 0xFF, count: 11)),
            says: "varint"),
        BadBytes("field number 0", framed([0x00, 0x01]), says: "field numbers are 1"),
        BadBytes("a length past the end", framed([0x62, 0x7F, 0x00]), says: "passes the end"),
        BadBytes("a group", framed([0x63, 0x64]), says: "group"),
        BadBytes("a wire type that does not fit", framed([0x0A, 0x01, 0x00]), says: "wire type"),
        BadBytes("cut within a field", framed([0x08]), says: "ends within"),
    ]

    static let dialects: [BadBytes] = [
        BadBytes(
            "little-endian length", [0x18, 0, 0, 0] + Array(repeating: 7, count: 24),
            says: "18 00 00 00", "little-endian length of 24", "big-endian"),
        BadBytes(
            "varint length", [UInt8(message.count)] + message, says: "17 08 05", "varint",
            "big-endian"),
        BadBytes(
            "bare message", ProtoBytes.text(1, "a text of 18 bytes"), says: "0a 12",
            "big-endian"),
        BadBytes(
            "varint 7b, which is {",
            [0x7B] + ProtoBytes.number(1, 5) + Array(repeating: 9, count: 121),
            says: "byte 08", "7b", "big-endian"),
        BadBytes(
            "varint 0a, which is a line feed", [0x0A] + message.prefix(10), says: "0a 08 05",
            "big-endian"),
        BadBytes(
            "65 spaces", Array(repeating: 0x20, count: 65), says: "white space", "at most 64"),
        BadBytes("HTTP", Array("GET / HTTP/1.1\r\n\r\n".utf8), says: "HTTP"),
        BadBytes("HTTP/2", Array("PRI * HTTP/2.0\r\n\r\n".utf8), says: "HTTP"),
        BadBytes(
            "BOM", [0xEF, 0xBB, 0xBF] + Array("{\"ping\":{}}\n".utf8), says: "byte order mark"),
        BadBytes("JSON array", Array("[{\"ping\":{}}]\n".utf8), says: "JSON array"),
        BadBytes("JSON text", Array("\"ping\"\n".utf8), says: "JSON string"),
        BadBytes("text", Array("hello there\n".utf8), says: "looks like text"),
        BadBytes("TLS", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01], says: "16 03 01"),
        BadBytes("spaces, then a frame", [0x20, 0x20] + framed(message), says: "20 20 00"),
        BadBytes("a lone {", [0x7B], endsInput: true, says: "7b"),
    ]

    private func check(_ wire: Wire, _ bad: BadBytes) throws {
        let broker = TestBroker.start(wire)
        let client = TestClient(wire: try broker.connect(), mode: .binary)
        try client.wire.send(bad.bytes)
        if bad.endsInput { try client.wire.endInput() }
        let frames = try client.untilClosed()
        #expect(frames.count == 1)
        let frame = try #require(frames.first)
        guard case .error(let error) = frame.body else { throw Unexpected(frame) }
        #expect(frame.id == 0)
        #expect(error.bridge == .invalidFrame)
        #expect(error.message.holds(bad.says), "\(error.message)")
        try broker.expectServesOthers()
    }

    @Test("a length that no frame has is INVALID_FRAME and a close", arguments: transports, lengths)
    func length(wire: Wire, bad: BadBytes) throws {
        try check(wire, bad)
    }

    @Test(
        "bytes that are no message are INVALID_FRAME and a close", arguments: transports,
        undecodable)
    func message(wire: Wire, bad: BadBytes) throws {
        try check(wire, bad)
    }

    @Test(
        "case 37: another dialect is told what it looks like, then closed", arguments: transports,
        dialects)
    func dialect(wire: Wire, bad: BadBytes) throws {
        try check(wire, bad)
    }

    @Test("case 37: before the mode is known the error is one line of JSON", arguments: transports)
    func oneLine(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let talk = try broker.talk()
        try talk.send("GET / HTTP/1.1\r\n\r\n")
        let lines = try talk.untilClosed()
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(#"{"id":"0","error":{"bridge":"INVALID_FRAME""#) == true)
    }

    @Test("the largest frame passes, one byte more does not", arguments: transports)
    func largest(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(.binary)
        // id (2 bytes), ping (1 + 3), payload (1 + 3).
        let room = (1 << 20) - 2 - 4 - 4
        let payload = Array(repeating: UInt8(7), count: room)
        let frame = ProtoBytes.request(9, 12, ProtoBytes.bytes(1, payload))
        #expect(frame.count == 4 + 1 << 20)
        try client.wire.send(frame)
        #expect(
            try client.answer(to: 9) == .ping(with(PingReply()) { $0.payload = payload }))
        try client.wire.send([0x00, 0x10, 0x00, 0x01, 0x08])
        #expect(try client.nextError().error.code == .invalidFrame)
        #expect(try client.nextFrame() == nil)
    }

    @Test("what came before the fault is answered, what comes after is not", arguments: transports)
    func inTheMiddle(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(.binary)
        try client.wire.send(
            ProtoBytes.request(7, 12) + framed([0x08]) + ProtoBytes.request(8, 12))
        let frames = try client.untilClosed()
        #expect(frames.map(\.id) == [7, 0])
        try broker.expectServesOthers()
    }

    @Test(
        "a line of more than four times the largest frame is INVALID_FRAME and a close",
        arguments: [Wire.lineInProcess, .lineSocket])
    func longLine(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let talk = try broker.talk()
        let start = Array(#"{"id":1,"ping":{"payload":""#.utf8)
        let rest = Array(repeating: UInt8(ascii: "A"), count: 4 << 20)
        // The broker closes before everything is sent.
        try? talk.wire.send(start + rest)
        let lines = try talk.untilClosed()
        #expect(lines.count == 1)
        #expect(lines.first?.holds(["INVALID_FRAME", "4194304"]) == true)
        try broker.expectServesOthers()
    }
}
