import CBridgeWire
import CJsonTape
import CProtobufC

/// Turns frames into bytes and back, in both modes.
///
/// Not Sendable: one per loop or client. It owns an arena that is reset at the start of every
/// call, so no message costs an allocation besides those of its Swift values.
public final class WireCoder {
    /// Repeated elements of one frame; `Limits.elementsMax`.
    static let elementsMax = UInt32(truncatingIfNeeded: Limits().elementsMax)

    let arena: WireArena
    let report: UnsafeMutablePointer<fb_wire_report>
    /// Payload faults that the scan passes over, as bits: a test takes a guard away with it, and
    /// sees what it was good for.
    package var ignoredFaults: UInt32 = 0
    /// What simdjson has read of the last line.
    let tape: OpaquePointer
    /// The id of the request that was read last.
    public private(set) var requestID: UInt64 = 0
    /// The deadline of the request that was read last, in milliseconds; 0: none.
    public private(set) var requestDeadlineMs: UInt32 = 0

    /// Makes a coder.
    ///
    /// - Parameter arenaBytesMax: Memory that one incoming message may take once unpacked, in
    ///   bytes. Address space only, until it is used.
    public init(arenaBytesMax: Int = 64 << 20) {
        arena = WireArena(bytesMax: arenaBytesMax)
        report = .allocate(capacity: 1)
        report.initialize(to: fb_wire_report())
        guard let tape = fb_json_tape_create() else {
            preconditionFailure("no memory to read JSON with")
        }
        self.tape = tape
    }

    deinit {
        report.deallocate()
        fb_json_tape_destroy(tape)
    }
}

// Decoding

extension WireCoder {
    /// Reads the message of one binary frame from a client.
    ///
    /// - Throws: `undecodable` for bytes that are no message; `payload` with INVALID_ARGUMENT for
    ///   bad UTF-8, a NUL, a bad enum number, over 10 000 elements or over 32 levels, with
    ///   UNKNOWN_METHOD for an unknown member, with INVALID_ARGUMENT for none, and with
    ///   LIMIT_EXCEEDED for a message that does not fit the arena.
    public func decodeClientFrame(
        binary bytes: UnsafeRawBufferPointer
    ) throws(WireFault) -> ClientFrame {
        var frame = ClientFrame()
        frame.body = try decodeRequest(binary: bytes)
        frame.id = requestID
        frame.deadlineMs = requestDeadlineMs
        return frame
    }

    /// Reads one frame or line from a client as its body alone; `requestID` and
    /// `requestDeadlineMs` tell the rest. A frame is large to move, and this is the hot path.
    ///
    /// - Throws: As for `decodeClientFrame(binary:)` and `decodeClientFrame(line:)`.
    public func decodeRequest(
        _ bytes: UnsafeRawBufferPointer, mode: WireMode
    ) throws(WireFault) -> ClientFrame.Body {
        if mode == .binary { return try decodeRequest(binary: bytes) }
        let frame = try decodeClientFrame(line: bytes)
        guard let body = frame.body else { throw .payload(id: frame.id, noMethodError()) }
        requestID = frame.id
        requestDeadlineMs = frame.deadlineMs
        return body
    }

    private func decodeRequest(
        binary bytes: UnsafeRawBufferPointer
    ) throws(WireFault) -> ClientFrame.Body {
        arena.reset()
        var limits = fb_wire_limits(
            depth_max: UInt32(FB_WIRE_DEPTH_MAX), elements_max: WireCoder.elementsMax,
            open_enums: 0, ignored: ignoredFaults)
        let schema = fb_schema_client_frame()
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard fb_wire_check(schema, start, bytes.count, &limits, report) == FB_WIRE_SOUND else {
            throw checkFault()
        }
        if report.pointee.body_member == 0 { throw noMethodFault() }
        requestID = report.pointee.id
        requestDeadlineMs = UInt32(truncatingIfNeeded: report.pointee.second)
        return try requestBody(bytes, schema)
    }

    /// Reads the message of one binary frame from the broker. Unknown enum numbers and unknown
    /// members are kept or skipped, so that an older client reads what a newer broker says.
    ///
    /// - Throws: As for `decodeClientFrame(binary:)`, without the faults of methods and enums.
    public func decodeServerFrame(
        binary bytes: UnsafeRawBufferPointer
    ) throws(WireFault) -> ServerFrame {
        let message = try checkAndUnpack(fb_schema_server_frame(), bytes)
        return message.withMemoryRebound(to: Flowbridge__V1__ServerFrame.self, capacity: 1) {
            ServerFrame(wire: $0)
        }
    }

    /// Reads an event that `encodeEvent` wrote.
    ///
    /// - Throws: As for `decodeServerFrame(binary:)`; the id of a fault means nothing here.
    public func decodeEvent(_ bytes: UnsafeRawBufferPointer) throws(WireFault) -> Event {
        let message = try checkAndUnpack(fb_schema_event(), bytes)
        return message.withMemoryRebound(to: Flowbridge__V1__Event.self, capacity: 1) {
            Event(wire: $0)
        }
    }

    /// For messages of the broker: open enums, and as many elements as fit the arena.
    func checkAndUnpack(
        _ schema: UnsafePointer<fb_message>, _ bytes: UnsafeRawBufferPointer
    ) throws(WireFault) -> UnsafeMutablePointer<ProtobufCMessage> {
        arena.reset()
        var limits = fb_wire_limits(
            depth_max: UInt32(FB_WIRE_DEPTH_MAX), elements_max: .max, open_enums: 1,
            ignored: ignoredFaults)
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard fb_wire_check(schema, start, bytes.count, &limits, report) == FB_WIRE_SOUND else {
            throw checkFault()
        }
        return try unpack(schema, bytes)
    }

    private func unpack(
        _ schema: UnsafePointer<fb_message>, _ bytes: UnsafeRawBufferPointer
    ) throws(WireFault) -> UnsafeMutablePointer<ProtobufCMessage> {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let allocator = fb_arena_allocator(arena.raw)
        let descriptor = schema.pointee.descriptor
        if let message = protobuf_c_message_unpack(descriptor, allocator, bytes.count, start) {
            return message
        }
        throw unpackFault(bytes.count)
    }
}

// Encoding

/// What became of a frame that was to be written.
public enum EncodeOutcome: Sendable, Equatable {
    /// So many bytes were appended.
    case written(Int)
    /// The message takes so many bytes, over the given limit; nothing was appended.
    case tooLarge(Int)
}

extension WireCoder {
    /// Writes one frame of the broker: length and message, or a line of JSON with its LF.
    ///
    /// A NUL in a string leaves as U+FFFD: libprotobuf-c cannot carry it, and no request brings
    /// one in.
    /// - Parameter bytesMax: Limit of the message, or of the line without its LF, in bytes.
    @discardableResult
    public func encode(
        _ frame: ServerFrame, mode: WireMode, into buffer: ByteBuffer, bytesMax: Int = 16_777_215
    ) -> EncodeOutcome {
        if mode == .binary, let body = frame.body {
            return encode(body, id: frame.id, mode: mode, into: buffer, bytesMax: bytesMax)
        }
        arena.reset()
        let wire = UnsafeRawPointer(frame.makeWire(arena))
        return write(wire, fb_schema_server_frame(), mode, buffer, bytesMax)
    }

    /// Writes one answer or event of the broker, as `encode(_:mode:into:bytesMax:)` writes a frame.
    @discardableResult
    public func encode(
        _ body: ServerFrame.Body, id: UInt64, mode: WireMode, into buffer: ByteBuffer,
        bytesMax: Int = 16_777_215
    ) -> EncodeOutcome {
        if mode == .binary {
            arena.reset()
            return writeFrame(
                id: id, member: body.makeMember(arena), buffer, min(bytesMax, 16_777_215))
        }
        var frame = ServerFrame()
        frame.id = id
        frame.body = body
        return encode(frame, mode: mode, into: buffer, bytesMax: bytesMax)
    }

    /// Writes one frame of a client, as for the broker's.
    ///
    /// - Throws: INVALID_ARGUMENT when a string holds a NUL, which the broker refuses.
    @discardableResult
    public func encode(
        _ frame: ClientFrame, mode: WireMode, into buffer: ByteBuffer, bytesMax: Int = 16_777_215
    ) throws(BridgeError) -> EncodeOutcome {
        arena.reset()
        let wire = UnsafeRawPointer(frame.makeWire(arena))
        if arena.metNul {
            throw BridgeError(
                .invalidArgument, "a text of the request holds U+0000; leave it out")
        }
        return write(wire, fb_schema_client_frame(), mode, buffer, bytesMax)
    }

    /// Writes an event once for all subscribers and for the record: the bare message, without
    /// `subscription_id` and without a frame around it. Returns the number of bytes.
    @discardableResult
    public func encodeEvent(_ event: Event, into buffer: ByteBuffer) -> Int {
        arena.reset()
        if let kind = event.kind {
            return writeEvent(event, member: kind.makeMember(arena), buffer)
        }
        let wire = event.makeWire(arena)
        wire.pointee.subscription_id = 0
        return pack(UnsafeRawPointer(wire), buffer)
    }

    /// Packs a message behind what is in the buffer and returns its size.
    @discardableResult
    func pack(_ wire: UnsafeRawPointer, _ buffer: ByteBuffer) -> Int {
        let message = wire.assumingMemoryBound(to: ProtobufCMessage.self)
        let size = packedRoom(message)
        let memory = buffer.reserve(size).assumingMemoryBound(to: UInt8.self)
        let written = protobuf_c_message_pack(message, memory)
        buffer.commit(written)
        return written
    }

    /// Bytes that a message just built in the arena needs at most.
    ///
    /// No field packs to more than three times its memory (an int32 of 4 bytes to 12, with a tag
    /// of 2), so that small messages need not be measured first, which costs as much as packing.
    func packedRoom(_ message: UnsafePointer<ProtobufCMessage>) -> Int {
        let bound = fb_arena_bytes(arena.raw) * 3
        return bound <= 16 << 10 && bound > 0 ? bound : protobuf_c_message_get_packed_size(message)
    }

    /// Writes the binary frame of an event for one subscription: a header, the bytes that
    /// `encodeEvent` made, and the subscription's id behind them (protobuf allows any order).
    /// Returns the number of bytes.
    @discardableResult
    public func appendEventFrame(
        _ event: UnsafeRawBufferPointer, subscriptionId: UInt32, to buffer: ByteBuffer
    ) -> Int {
        let inner = event.count + 5
        let start = buffer.reserve(4 + FieldStore.headBytesMax + inner)
        var store = FieldStore(start + 4)
        store.head(3, length: inner)  // field 3 of ServerFrame
        var at = store.at
        if let source = event.baseAddress { at.copyMemory(from: source, byteCount: event.count) }
        at += event.count
        at.storeBytes(of: 0x35, as: UInt8.self)  // field 6 of Event, four bytes
        (at + 1).storeBytes(of: subscriptionId.littleEndian, as: UInt32.self)
        let message = at + 5 - (start + 4)
        storeHeader(message, start)
        buffer.commit(4 + message)
        return 4 + message
    }

    private func write(
        _ wire: UnsafeRawPointer, _ schema: UnsafePointer<fb_message>, _ mode: WireMode,
        _ buffer: ByteBuffer, _ bytesMax: Int
    ) -> EncodeOutcome {
        if mode == .line { return writeLine(wire, schema, buffer, bytesMax) }
        let message = wire.assumingMemoryBound(to: ProtobufCMessage.self)
        let limit = min(bytesMax, 16_777_215)
        let room = packedRoom(message)
        if room > limit {
            let size = protobuf_c_message_get_packed_size(message)
            if size > limit { return .tooLarge(size) }
        }
        let start = buffer.reserve(4 + room)
        let size = protobuf_c_message_pack(
            message, (start + 4).assumingMemoryBound(to: UInt8.self))
        storeHeader(size, start)
        buffer.commit(4 + size)
        return .written(4 + size)
    }
}

@inline(__always)
func storeHeader(_ length: Int, _ at: UnsafeMutableRawPointer) {
    at.storeBytes(of: UInt32(truncatingIfNeeded: length).bigEndian, as: UInt32.self)
}
