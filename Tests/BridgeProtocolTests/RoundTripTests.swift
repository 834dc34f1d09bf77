import Testing

@testable import BridgeProtocol

/// Every variant that an example needs so that each member of each oneof is shown once: the
/// longest oneof below a method or event has 16 members.
private let variants = 0..<16

@Suite struct RoundTripTests {
    @Test("every request is the same value after both modes", arguments: MethodTable.all)
    func requests(_ method: MethodInfo) throws {
        let coder = WireCoder()
        for variant in variants {
            let line = method.exampleRequest(id: 42, variant: variant)
            let frame = try coder.client(line: line)
            #expect(frame.id == 42)
            #expect(frame.body?.method == method)
            let binary = ByteBuffer()
            try coder.encode(frame, mode: .binary, into: binary)
            #expect(try coder.client(message(binary)) == frame)
            let printed = ByteBuffer()
            try coder.encode(frame, mode: .line, into: printed)
            #expect(try coder.client(line: text(printed)) == frame)
        }
    }

    @Test("every answer is the same value after both modes", arguments: MethodTable.all)
    func replies(_ method: MethodInfo) throws {
        let coder = WireCoder()
        for variant in variants {
            let line = method.exampleReply(id: 42, variant: variant)
            let frame = try coder.server(line: line)
            #expect(frame.body != nil)
            let binary = ByteBuffer()
            coder.encode(frame, mode: .binary, into: binary)
            #expect(try coder.server(message(binary)) == frame)
            let printed = ByteBuffer()
            coder.encode(frame, mode: .line, into: printed)
            #expect(try coder.server(line: text(printed)) == frame)
        }
    }

    @Test(
        "every kind of event is the same value after both modes", arguments: EventKindTable.names)
    func events(_ kind: String) throws {
        let coder = WireCoder()
        for variant in variants {
            let line = try #require(EventKindTable.exampleLine(of: kind, variant: variant))
            let frame = try coder.server(line: line)
            guard case .event(let event) = frame.body else {
                Issue.record("no event in \(line)")
                return
            }
            #expect(event.kind?.name == kind)
            let record = ByteBuffer()
            coder.encodeEvent(event, into: record)
            let binary = ByteBuffer()
            coder.appendEventFrame(record.readable, subscriptionId: 1, to: binary)
            #expect(try coder.server(message(binary)) == expected(event))
            let printed = ByteBuffer()
            try coder.appendEventLine(record.readable, subscriptionId: 1, to: printed)
            #expect(try coder.server(line: text(printed)) == expected(event))
        }
    }

    private func expected(_ event: Event) -> ServerFrame {
        var frame = ServerFrame()
        frame.body = .event(event)
        return frame
    }

    @Test("an example shows every field of a request, and prints as it was read")
    func printedAsRead() throws {
        let coder = WireCoder()
        for method in MethodTable.all {
            let line = method.exampleReply(id: 7)
            let printed = ByteBuffer()
            coder.encode(try coder.server(line: line), mode: .line, into: printed)
            #expect(text(printed) == line + "\n")
        }
    }

    @Test("the methods are those of the frame, densely numbered")
    func methodTable() {
        #expect(MethodTable.all.map(\.index) == Array(0..<MethodTable.all.count))
        #expect(Set(MethodTable.all.map(\.number)).count == MethodTable.all.count)
        #expect(MethodTable.named("get_flow") == MethodTable.named("getFlow"))
        #expect(MethodTable.named("hello")?.reply == "welcome")
        #expect(MethodTable.named("getFlows") == nil)
        #expect(EventKindTable.index(of: "flow_did_appear") == 0)
        #expect(EventKindTable.index(of: "flow_user_inputt") == nil)
    }
}
