import CBridgeWire
import CProtobufC

// The frames and the event are written and read field by field, and protobuf-c does their one
// member: it looks at every field of a message, and these have dozens, of which one is there.

extension WireCoder {
    /// Reads the member of a checked frame; the check has made sure that its oneof came once.
    func requestBody(
        _ bytes: UnsafeRawBufferPointer, _ schema: UnsafePointer<fb_message>
    ) throws(WireFault) -> ClientFrame.Body {
        let number = report.pointee.body_member
        guard let field = fb_schema_field_numbered(schema, number),
            let member = field.pointee.message,
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let message = protobuf_c_message_unpack(
                member.pointee.descriptor, fb_arena_allocator(arena.raw),
                report.pointee.body_length, start + report.pointee.body_start),
            let body = ClientFrame.Body(number: number, wire: UnsafeRawPointer(message))
        else { throw unpackFault(bytes.count) }
        return body
    }

    /// Writes a frame: its length, its id, and its member. `second` is the frame's field 2, a
    /// number that is left out when it is 0.
    func writeFrame(
        id: UInt64, second: UInt64 = 0, member: (number: UInt32, wire: UnsafeRawPointer),
        _ buffer: ByteBuffer, _ limit: Int
    ) -> EncodeOutcome {
        let message = member.wire.assumingMemoryBound(to: ProtobufCMessage.self)
        let room = packedRoom(message)
        let start = buffer.reserve(4 + FieldStore.headBytesMax * 3 + room)
        var store = FieldStore(start + 4)
        if id != 0 { store.number(1, id) }
        if second != 0 { store.number(2, second) }
        store.message(member.number, message, room: room)
        let size = store.at - (start + 4)
        guard size <= limit else { return .tooLarge(size) }
        storeHeader(size, start)
        buffer.commit(4 + size)
        return .written(4 + size)
    }

    /// Writes an event without its `subscription_id`. Returns the number of bytes.
    func writeEvent(
        _ event: Event, member: (number: UInt32, wire: UnsafeRawPointer), _ buffer: ByteBuffer
    ) -> Int {
        let message = member.wire.assumingMemoryBound(to: ProtobufCMessage.self)
        let room = packedRoom(message)
        let texts = event.device.utf8.count + event.viewId.utf8.count + event.timeZone.utf8.count
        let start = buffer.reserve(FieldStore.headBytesMax * 6 + texts + room)
        var store = FieldStore(start)
        if event.sequence != 0 { store.number(1, event.sequence) }
        store.text(2, event.device)
        store.text(3, event.viewId)
        if event.timeMs != 0 { store.number(4, UInt64(bitPattern: event.timeMs)) }
        store.text(5, event.timeZone)
        store.message(member.number, message, room: room)
        buffer.commit(store.at - start)
        return store.at - start
    }
}

/// Stores protobuf fields one behind the other, into memory that has room for them.
struct FieldStore {
    /// Tag, length or number of one field, at most.
    static let headBytesMax = 15

    private(set) var at: UnsafeMutableRawPointer

    init(_ at: UnsafeMutableRawPointer) {
        self.at = at
    }

    /// A number, as a varint.
    mutating func number(_ field: UInt32, _ value: UInt64) {
        varint(UInt64(field << 3))
        varint(value)
    }

    /// Tag and length of a field whose bytes the caller puts behind them.
    mutating func head(_ field: UInt32, length: Int) {
        varint(UInt64(field << 3 | 2))
        varint(UInt64(length))
    }

    /// A text; an empty one is left out.
    mutating func text(_ field: UInt32, _ text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard let source = bytes.baseAddress, bytes.count > 0 else { return }
            head(field, length: bytes.count)
            at.copyMemory(from: source, byteCount: bytes.count)
            at += bytes.count
        }
    }

    /// A message that takes at most `room` bytes. It is packed behind the widest length that can
    /// be, and moved when the length turns out narrower.
    mutating func message(
        _ field: UInt32, _ message: UnsafePointer<ProtobufCMessage>, room: Int
    ) {
        varint(UInt64(field << 3 | 2))
        let packed = at + Self.varintBytes(room)
        let size = protobuf_c_message_pack(message, packed.assumingMemoryBound(to: UInt8.self))
        let start = at + Self.varintBytes(size)
        if start != packed { start.copyMemory(from: packed, byteCount: size) }
        varint(UInt64(size))
        at = start + size
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            at.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            at += 1
            rest >>= 7
        }
        at.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        at += 1
    }

    private static func varintBytes(_ value: Int) -> Int {
        var bytes = 1
        var rest = value >> 7
        while rest > 0 {
            bytes += 1
            rest >>= 7
        }
        return bytes
    }
}
