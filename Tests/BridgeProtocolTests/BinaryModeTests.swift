import Testing

@testable import BridgeProtocol

@Suite struct BinaryModeTests {
    @Test("a request survives the way to bytes and back")
    func requestRoundTrip() throws {
        let coder = WireCoder()
        var tap = TapOptionGesture()
        tap.elementId = "experience"
        tap.optionId = "beginner"
        var perform = PerformRequest()
        perform.viewId = "9C2D6C4E-0A57-4F6B-9C39-3B0B8B4A2F11"
        perform.gesture = .tapOption(tap)
        var frame = ClientFrame()
        frame.id = 7
        frame.deadlineMs = 1_000
        frame.body = .perform(perform)
        let buffer = ByteBuffer()
        #expect(try coder.encode(frame, mode: .binary, into: buffer) == .written(buffer.count))
        #expect(Array(buffer.readable.prefix(4)) == [0, 0, 0, UInt8(buffer.count - 4)])
        #expect(try coder.client(message(buffer)) == frame)
    }

    @Test("an event frame is the recorded event with the subscription behind it")
    func eventFrame() throws {
        let coder = WireCoder()
        var event = Event()
        event.sequence = 3
        event.device = "default"
        event.subscriptionId = 99
        event.kind = .flowDidAppear(FlowDidAppear())
        let record = ByteBuffer()
        coder.encodeEvent(event, into: record)
        let recorded = try coder.decodeEvent(record.readable)
        #expect(recorded.subscriptionId == 0)
        let buffer = ByteBuffer()
        coder.appendEventFrame(record.readable, subscriptionId: 5, to: buffer)
        let frame = try coder.server(message(buffer))
        event.subscriptionId = 5
        #expect(frame.body == .event(event))
    }

    @Test("an unknown member is UNKNOWN_METHOD with its number and the request's id")
    func unknownMethod() {
        let coder = WireCoder()
        // id 9; field 700, length-delimited, empty
        #expect(
            throws: WireFault.payload(id: 9, BridgeError(.unknownMethod, ""))
        ) {
            try coder.client([0x08, 0x09, 0xE2, 0x2B, 0x00])
        }
    }

    @Test("bytes that are no message are undecodable")
    func undecodable() {
        let coder = WireCoder()
        #expect(throws: WireFault.self) { try coder.client([0x0A, 0x05, 0x01]) }
    }
}
