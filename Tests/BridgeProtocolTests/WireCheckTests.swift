import CBridgeWire
import CProtobufC
import Testing

@testable import BridgeProtocol

/// A field of the wire: its tag and what follows.
private func delimited(_ number: Int, _ content: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(content.count) + content
}

private func varint(_ value: Int) -> [UInt8] {
    var rest = UInt64(bitPattern: Int64(value))
    var bytes: [UInt8] = []
    while rest > 0x7F {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

/// id 5 and a member.
private func request(_ number: Int, _ content: [UInt8]) -> [UInt8] {
    [0x08, 0x05] + delimited(number, content)
}

/// A message that is refused, and what the error must say.
struct RefusedMessage: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let field: String
    let says: [String]

    var testDescription: String { name }
}

@Suite struct WireCheckTests {
    static let payloads: [RefusedMessage] = [
        RefusedMessage(
            name: "bad UTF-8", bytes: request(45, delimited(1, [0x61, 0xFF])),
            field: "get_flow.placement_id", says: ["UTF-8", "byte 1"]),
        RefusedMessage(
            name: "a surrogate", bytes: request(45, delimited(1, [0xED, 0xA0, 0x80])),
            field: "get_flow.placement_id", says: ["UTF-8", "byte 0"]),
        RefusedMessage(
            name: "an overlong form", bytes: request(45, delimited(1, [0xC0, 0x80])),
            field: "get_flow.placement_id", says: ["UTF-8"]),
        RefusedMessage(
            name: "a NUL", bytes: request(45, delimited(1, Array("onboarding\u{0}x".utf8))),
            field: "get_flow.placement_id", says: ["U+0000", "byte 10"]),
        RefusedMessage(
            name: "a NUL in the second attribute",
            bytes: request(
                44, delimited(9, delimited(1, [0x61])) + delimited(9, delimited(1, [0]))),
            field: "update_profile.custom_attributes[1].key", says: ["U+0000"]),
        RefusedMessage(
            name: "a NUL in the third id",
            bytes: request(52, delimited(1, [0x61]) + delimited(1, []) + delimited(1, [0x62, 0])),
            field: "preload_flows.placement_ids[2]", says: ["byte 1"]),
        RefusedMessage(
            name: "an enum number out of range", bytes: request(44, [0x38, 0x07]),
            field: "update_profile.att_status", says: ["is 7", "3 (authorized)", "-1 (unknown)"]),
        RefusedMessage(
            name: "an enum number of 64 bits",
            bytes: request(44, [0x38] + varint(1 << 32)), field: "update_profile.att_status",
            says: ["is 4294967296"]),
        RefusedMessage(
            name: "two methods",
            bytes: request(12, delimited(1, [7])) + delimited(13, []), field: "describe",
            says: ["twice", "oneof"]),
        RefusedMessage(
            name: "a method in two parts",
            bytes: request(45, delimited(1, [0x61])) + delimited(45, delimited(2, [0x62])),
            field: "get_flow", says: ["twice"]),
        RefusedMessage(
            name: "two values of one attribute",
            bytes: request(44, delimited(9, delimited(2, [0x61]) + [0x20, 0x01])),
            field: "update_profile.custom_attributes[0].remove", says: ["oneof"]),
        RefusedMessage(
            name: "two dates",
            bytes: request(
                70, delimited(7, delimited(1, [0x08, 0x01]) + delimited(1, [0x10, 0x01]))),
            field: "perform.pick.date", says: ["twice"]),
        RefusedMessage(
            name: "a fault before the id",
            bytes: delimited(45, delimited(1, [0xFF])) + [0x08, 0x05],
            field: "get_flow.placement_id", says: ["UTF-8"]),
        RefusedMessage(
            name: "10 001 elements",
            bytes: request(52, (0..<10_001).flatMap { _ in delimited(1, []) }),
            field: "preload_flows.placement_ids[10000]", says: ["10001", "10000"]),
    ]

    @Test("a fault in the payload is answered with the id and the field", arguments: payloads)
    func payloadFaults(_ refused: RefusedMessage) {
        guard let fault = payloadFault({ try WireCoder().client(refused.bytes) }) else { return }
        #expect(fault.id == 5)
        #expect(fault.error.code == .invalidArgument)
        #expect(fault.error.field == refused.field)
        for part in refused.says {
            #expect(fault.error.message.contains(part), "\(fault.error.message)")
        }
    }

    @Test("10 000 elements are read")
    func elements() throws {
        let frame = try WireCoder().client(
            request(52, (0..<10_000).flatMap { _ in delimited(1, []) }))
        guard case .preloadFlows(let request) = frame.body else {
            Issue.record("no request")
            return
        }
        #expect(request.placementIds.count == 10_000)
    }

    static let broken: [(String, [UInt8])] = [
        ("a tag alone", [0x08]),
        ("a length past the end", [0x0A, 0x05, 0x01]),
        ("a length past the end of its message", [0x62, 0x02, 0x0A, 0x05]),
        ("a varint of eleven bytes", [0x08] + Array(repeating: 0xFF, count: 10) + [0x01]),
        ("a varint of 65 bits", [0x08] + Array(repeating: 0xFF, count: 9) + [0x02]),
        ("field number 0", [0x00, 0x01]),
        ("a field number of 30 bits", [0x80, 0x80, 0x80, 0x80, 0x10, 0x01]),
        ("a tag of six bytes", [0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 0x01]),
        ("a length of six bytes", [0x62, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]),
        ("a group", [0x0B, 0x0C]),
        ("the end of a group", [0x0C]),
        ("wire type 6", [0x0E]),
        ("a number where a message belongs", [0x60, 0x01]),
        ("a message where a number belongs", [0x0A, 0x00]),
        ("four bytes where a text belongs", [0xEA, 0x02, 0x05, 0x0D, 1, 2, 3, 4]),
        ("three of four bytes", [0xBD, 0x3E, 1, 2, 3]),
        ("seven of eight bytes", [0xB9, 0x3E, 1, 2, 3, 4, 5, 6, 7]),
        (
            "bad UTF-8, then a cut field",
            [0x08, 0x05] + delimited(45, delimited(1, [0xFF])) + [0x08]
        ),
    ]

    @Test("bytes that are no message cost the connection", arguments: broken)
    func undecodable(_ name: String, _ bytes: [UInt8]) {
        do {
            let frame = try WireCoder().client(bytes)
            Issue.record("read \(frame)")
        } catch WireFault.undecodable(let text) {
            #expect(text.contains("byte"))
        } catch {
            Issue.record(error)
        }
    }

    @Test("unknown fields of every wire type are skipped")
    func unknownFields() throws {
        let unknown: [UInt8] =
            varint(1_000 << 3) + [0x80, 0x01] + varint(1_001 << 3 | 1) + [1, 2, 3, 4, 5, 6, 7, 8]
            + varint(1_002 << 3 | 5) + [1, 2, 3, 4] + delimited(1_003, [0xFF, 0x00])
        let frame = try WireCoder().client(
            unknown + request(12, unknown + delimited(1, [7])) + unknown)
        var ping = PingRequest()
        ping.payload = [7]
        #expect(frame.id == 5)
        #expect(frame.body == .ping(ping))
    }

    @Test("a frame without a method, and one with an unknown one, are told apart")
    func methods() {
        guard let none = payloadFault({ try WireCoder().client([0x08, 0x05]) }),
            let empty = payloadFault({ try WireCoder().client([]) }),
            let unknown = payloadFault({ try WireCoder().client(request(700, [])) })
        else { return }
        #expect(none.id == 5 && none.error.code == .invalidArgument)
        #expect(none.error.message.hasPrefix("no method"))
        #expect(empty.id == 0 && empty.error.code == .invalidArgument)
        #expect(unknown.id == 5 && unknown.error.code == .unknownMethod)
        #expect(unknown.error.message.contains("700"))
    }

    @Test("frames without a member are written as nothing but their numbers")
    func emptyFrames() throws {
        let coder = WireCoder()
        let buffer = ByteBuffer()
        var answer = ServerFrame()
        answer.id = 5
        coder.encode(answer, mode: .binary, into: buffer)
        #expect(Array(buffer.readable) == [0, 0, 0, 2, 0x08, 0x05])
        buffer.removeAll(keepingCapacity: true)
        var request = ClientFrame()
        request.deadlineMs = 1
        try coder.encode(request, mode: .binary, into: buffer)
        #expect(Array(buffer.readable) == [0, 0, 0, 2, 0x10, 0x01])
        buffer.removeAll(keepingCapacity: true)
        coder.encode(answer, mode: .line, into: buffer)
        #expect(text(buffer) == "{\"id\":\"5\"}\n")
        buffer.removeAll(keepingCapacity: true)
        coder.encodeEvent(Event(), into: buffer)
        #expect(buffer.isEmpty)
        #expect(try coder.decodeEvent(buffer.readable) == Event())
    }

    @Test("a client keeps enum numbers and skips members that it does not know")
    func openEnums() throws {
        let frame = try WireCoder().server([0x08, 0x05] + delimited(2, [0x08, 0x63]))
        guard case .error(let error) = frame.body else {
            Issue.record("no error")
            return
        }
        #expect(error.bridge.rawValue == 99)
        #expect(error.bridgeError.code == .internal)
        #expect(try WireCoder().server(delimited(700, [])).body == nil)
    }

    /// A message that holds itself in field 1, for the check alone.
    private func withRecursiveSchema(_ work: (UnsafePointer<fb_message>) -> Void) {
        let numbers: [UInt8] = [0, 1]
        let field = UnsafeMutablePointer<fb_field>.allocate(capacity: 1)
        let message = UnsafeMutablePointer<fb_message>.allocate(capacity: 1)
        defer {
            field.deallocate()
            message.deallocate()
        }
        message.initialize(to: fb_schema_event().pointee)
        guard let template = message.pointee.fields else {
            Issue.record("an event has fields")
            return
        }
        numbers.withUnsafeBufferPointer { numbers in
            field.initialize(to: template[0])
            field.pointee.type = UInt8(PROTOBUF_C_TYPE_MESSAGE.rawValue)
            field.pointee.message = UnsafePointer(message)
            message.pointee.fields = UnsafePointer(field)
            if let start = numbers.baseAddress { message.pointee.by_number = start }
            message.pointee.number_max = 1
            message.pointee.field_count = 1
            work(UnsafePointer(message))
        }
    }

    @Test("control: without the check of levels 33 are let pass")
    func depthControl() {
        var bytes: [UInt8] = []
        for _ in 1..<33 { bytes = delimited(1, bytes) }
        withRecursiveSchema { schema in
            for isGuarded in [true, false] {
                let ignored: UInt32 = isGuarded ? 0 : 1 << FB_WIRE_DEPTH.rawValue
                let fault = isGuarded ? FB_WIRE_DEPTH : FB_WIRE_SOUND
                var limits = fb_wire_limits(
                    depth_max: 32, elements_max: 10, open_enums: 0, ignored: ignored)
                var report = fb_wire_report()
                #expect(fb_wire_check(schema, bytes, bytes.count, &limits, &report) == fault)
            }
        }
    }

    @Test("control: without the check of elements 10 001 are let pass")
    func elementsControl() throws {
        let frame = with(ClientFrame()) {
            $0.body = .preloadFlows(
                with(PreloadFlowsRequest()) {
                    $0.placementIds = .init(repeating: "a", count: 10_001)
                })
        }
        let buffer = ByteBuffer()
        let coder = WireCoder()
        try coder.encode(frame, mode: .binary, into: buffer)
        let message = UnsafeRawBufferPointer(rebasing: buffer.readable.dropFirst(4))
        #expect(throws: WireFault.self) { try coder.decodeClientFrame(binary: message) }
        coder.ignoredFaults = 1 << FB_WIRE_ELEMENTS.rawValue
        #expect(try coder.decodeClientFrame(binary: message).body == frame.body)
    }

    @Test("32 levels are scanned, 33 and 100 are a fault", arguments: [1, 31, 32, 33, 100, 10_000])
    func depth(_ levels: Int) {
        var bytes: [UInt8] = []
        for _ in 1..<levels { bytes = delimited(1, bytes) }
        withRecursiveSchema { schema in
            var limits = fb_wire_limits(depth_max: 32, elements_max: 10, open_enums: 0, ignored: 0)
            var report = fb_wire_report()
            let fault = fb_wire_check(schema, bytes, bytes.count, &limits, &report)
            #expect(fault == (levels > 32 ? FB_WIRE_DEPTH : FB_WIRE_SOUND))
            if levels > 32 {
                #expect(report.value == 33)
                #expect(report.path_length == 32)
            }
        }
    }

    @Test(
        "UTF-8 is checked as the standard says",
        arguments: [
            ([0x61], 1), ([0x7F, 0xC2, 0x80], 3), ([0xC1, 0xBF], 0), ([0xDF, 0xBF], 2),
            ([0xE0, 0x9F, 0xBF], 0), ([0xE0, 0xA0, 0x80], 3), ([0xED, 0x9F, 0xBF], 3),
            ([0xED, 0xA0, 0x80], 0), ([0xEF, 0xBF, 0xBF], 3), ([0xF0, 0x8F, 0xBF, 0xBF], 0),
            ([0xF0, 0x90, 0x80, 0x80], 4), ([0xF4, 0x8F, 0xBF, 0xBF], 4),
            ([0xF4, 0x90, 0x80, 0x80], 0),
            ([0xF5, 0x80, 0x80, 0x80], 0), ([0x80], 0), ([0x61, 0xE2, 0x82], 1),
        ] as [([UInt8], Int)])
    func utf8(_ bytes: [UInt8], _ valid: Int) {
        for padding in 0..<18 {
            let padded = Array(repeating: UInt8(ascii: "x"), count: padding) + bytes
            var hasNul: Int32 = 0
            #expect(fb_utf8_valid_prefix(padded, padded.count, &hasNul) == padding + valid)
            #expect(hasNul == 0)
            let behind = padded + [0x79, 0x00]
            let all = fb_utf8_valid_prefix(behind, behind.count, &hasNul)
            if valid == bytes.count { #expect(all == behind.count && hasNul != 0) }
        }
    }
}
