import CBridgeWire
import CProtobufC
import Testing

@testable import BridgeProtocol

@Suite struct WireArenaTests {
    @Test("what is unpacked ends at the cap, what is built does not")
    func cap() throws {
        let arena = WireArena(bytesMax: 4_096)
        let allocator = fb_arena_allocator(arena.raw)
        let alloc = try #require(allocator.pointee.alloc)
        #expect(alloc(allocator.pointee.allocator_data, 4_000) != nil)
        #expect(alloc(allocator.pointee.allocator_data, 96) != nil)
        #expect(alloc(allocator.pointee.allocator_data, 1) == nil)
        #expect(arena.raw.pointee.refused != 0)
        let built = fb_arena_take(arena.raw, 100_000)
        built.initializeMemory(as: UInt8.self, repeating: 7, count: 100_000)
        #expect(fb_arena_bytes(arena.raw) == 0)
        arena.reset()
        #expect(arena.raw.pointee.refused == 0)
        #expect(alloc(allocator.pointee.allocator_data, .max) == nil)
        #expect(alloc(allocator.pointee.allocator_data, 4_096) != nil)
    }

    @Test("a message over the cap is LIMIT_EXCEEDED with its id, and the next one is read")
    func overCap() throws {
        let small = WireCoder(arenaBytesMax: 64 << 10)
        var ping = PingRequest()
        ping.payload = Array(repeating: 1, count: 100_000)
        var frame = ClientFrame()
        frame.id = 5
        frame.body = .ping(ping)
        let binary = ByteBuffer()
        let line = ByteBuffer()
        try small.encode(frame, mode: .binary, into: binary)
        try small.encode(frame, mode: .line, into: line)
        let fault = payloadFault { try small.client(message(binary)) }
        #expect(fault?.id == 5)
        #expect(fault?.error.code == .limitExceeded)
        // A line is bounded by its length and its members; jansson must never run out of memory.
        #expect(try small.client(line: text(line)) == frame)
        #expect(try small.client(line: #"{"id":6,"ping":{}}"#).id == 6)
        let roomy = WireCoder()
        #expect(try roomy.client(message(binary)) == frame)
    }

    @Test("pages beyond 256 KiB are given back and read as zero")
    func pages() {
        let arena = WireArena(bytesMax: 1 << 20)
        let memory = fb_arena_take(arena.raw, 1 << 20).assumingMemoryBound(to: UInt8.self)
        memory.update(repeating: 7, count: 1 << 20)
        arena.reset()
        #expect(memory[(256 << 10) - 1] == 7)
        #expect(memory[256 << 10] == 0)
        #expect(memory[(1 << 20) - 1] == 0)
    }

    @Test("a NUL leaves the broker as U+FFFD, and a client is told")
    func nul() throws {
        let coder = WireCoder()
        var reply = CreateFlowControllerReply()
        reply.viewId = "a\u{0}b"
        var answer = ServerFrame()
        answer.body = .createFlowController(reply)
        let buffer = ByteBuffer()
        coder.encode(answer, mode: .binary, into: buffer)
        reply.viewId = "a\u{FFFD}b"
        #expect(try coder.server(message(buffer)).body == .createFlowController(reply))
        var request = GetFlowRequest()
        request.placementId = "a\u{0}b"
        var frame = ClientFrame()
        frame.body = .getFlow(request)
        for mode in [WireMode.binary, .line] {
            buffer.removeAll(keepingCapacity: true)
            #expect(throws: BridgeError(.invalidArgument, "")) {
                try coder.encode(frame, mode: mode, into: buffer)
            }
            #expect(buffer.isEmpty)
        }
    }

    @Test("a frame at the limit is written, one byte over is not and its size is told")
    func bytesMax() throws {
        let coder = WireCoder()
        for count in [0, 10, 100_000] {
            var ping = PingReply()
            ping.payload = Array(repeating: 1, count: count)
            var frame = ServerFrame()
            frame.id = 1
            frame.body = .ping(ping)
            let buffer = ByteBuffer()
            guard case .written(let bytes) = coder.encode(frame, mode: .binary, into: buffer) else {
                Issue.record("not written")
                return
            }
            #expect(bytes == buffer.count)
            let size = bytes - 4
            #expect(
                coder.encode(frame, mode: .binary, into: buffer, bytesMax: size) == .written(bytes))
            #expect(buffer.count == 2 * bytes)
            #expect(
                coder.encode(frame, mode: .binary, into: buffer, bytesMax: size - 1)
                    == .tooLarge(size))
            #expect(buffer.count == 2 * bytes)
            #expect(try coder.server(Array(buffer.readable[4..<bytes])) == frame)
        }
    }

    @Test("small messages fit the room that is guessed for them")
    func guessedRoom() throws {
        // Numbers that take the most bytes on the wire, in messages with the least around them.
        let coder = WireCoder()
        var device = DeviceInfo()
        device.clock = DeviceClock.Kind(rawValue: -1)
        device.timeMs = -1
        device.randomSeed = .max
        device.activated = true
        device.inBackground = true
        device.views = .max
        device.lastSequence = .max
        device.connections = .max
        for count in [1, 10, 60, 1_000] {
            var reply = ListDevicesReply()
            reply.devices = Array(repeating: device, count: count)
            var frame = ServerFrame()
            frame.id = .max
            frame.body = .listDevices(reply)
            let buffer = ByteBuffer()
            coder.encode(frame, mode: .binary, into: buffer)
            #expect(try coder.server(message(buffer)) == frame)
        }
    }
}
