import CBridgeWire
import CProtobufC

extension WireCoder {
    /// Reads one line of a client: a `ClientFrame` in the proto3 JSON mapping. The LF, and a CR
    /// before it, may be there or not.
    ///
    /// - Throws: Always `payload`: nothing in a line costs the connection. INVALID_ARGUMENT for
    ///   what is no JSON, for a wrong type, range or member, UNKNOWN_METHOD for an unknown method.
    public func decodeClientFrame(line: UnsafeRawBufferPointer) throws(WireFault) -> ClientFrame {
        var reading = LineReading(line, isStrict: true)
        let wire = try reading.frame(arena, tape, fb_schema_client_frame())
            .assumingMemoryBound(to: Flowbridge__V1__ClientFrame.self)
        if wire.pointee.body_case.rawValue == 0 {
            throw .payload(id: wire.pointee.id, noMethodError())
        }
        return ClientFrame(wire: wire)
    }

    /// Reads one line of the broker. Unknown members are skipped; a name of an enum that is not
    /// known reads as the number -2147483648.
    ///
    /// - Throws: `payload` for what is no JSON or no `ServerFrame`.
    public func decodeServerFrame(line: UnsafeRawBufferPointer) throws(WireFault) -> ServerFrame {
        var reading = LineReading(line, isStrict: false)
        let wire = try reading.frame(arena, tape, fb_schema_server_frame())
            .assumingMemoryBound(to: Flowbridge__V1__ServerFrame.self)
        return ServerFrame(wire: wire)
    }

    /// Writes one line of JSON and its LF; nothing if it is longer than `bytesMax`.
    func writeLine(
        _ wire: UnsafeRawPointer, _ schema: UnsafePointer<fb_message>, _ buffer: ByteBuffer,
        _ bytesMax: Int
    ) -> EncodeOutcome {
        let before = buffer.count
        var writer = JsonWriter(buffer)
        writer.message(wire, schema)
        let size = writer.count - before
        writer.byte(0x0A)
        writer.finish()
        if size > bytesMax {
            buffer.truncate(to: before)
            return .tooLarge(size)
        }
        return .written(size + 1)
    }
}

// Events, rendered once for all subscribers

/// The line of an event with a gap where the id of a subscription goes.
public struct EventLine {
    /// Byte in the line before which the id goes.
    fileprivate var gap: Int
}

extension WireCoder {
    /// Writes the line of an event that `encodeEvent` made, with its LF, for one subscription.
    /// Returns the number of bytes.
    ///
    /// - Throws: `undecodable` for bytes that `encodeEvent` did not make.
    @discardableResult
    public func appendEventLine(
        _ event: UnsafeRawBufferPointer, subscriptionId: UInt32, to buffer: ByteBuffer
    ) throws(WireFault) -> Int {
        let wire = try checkAndUnpack(fb_schema_event(), event)
        wire.withMemoryRebound(to: Flowbridge__V1__Event.self, capacity: 1) {
            $0.pointee.subscription_id = subscriptionId
        }
        let before = buffer.count
        var writer = JsonWriter(buffer)
        writer.raw("{\"id\":\"0\",\"event\":")
        writer.message(wire, fb_schema_event())
        writer.raw("}\n")
        writer.finish()
        return buffer.count - before
    }

    /// Writes the line of an event once, for `appendEventLine(_:_:subscriptionId:to:)` to copy for
    /// every subscription.
    ///
    /// - Throws: `undecodable` for bytes that `encodeEvent` did not make.
    public func encodeEventLine(
        _ event: UnsafeRawBufferPointer, into buffer: ByteBuffer
    ) throws(WireFault) -> EventLine {
        let wire = try checkAndUnpack(fb_schema_event(), event)
        return writeEventLine(wire, buffer)
    }

    /// Writes the line of an event from its values, as `encodeEventLine` does from its bytes, which
    /// takes twice the work.
    public func encodeEventLine(_ event: Event, into buffer: ByteBuffer) -> EventLine {
        arena.reset()
        let wire = event.makeWire(arena)
        wire.pointee.subscription_id = 0
        return writeEventLine(UnsafeRawPointer(wire), buffer)
    }

    private func writeEventLine(_ wire: UnsafeRawPointer, _ buffer: ByteBuffer) -> EventLine {
        let before = buffer.count
        var writer = JsonWriter(buffer)
        writer.raw("{\"id\":\"0\",\"event\":")
        writer.message(wire, fb_schema_event())
        writer.raw("}\n")
        writer.finish()
        // The subscription is 0 in the event: its digit makes way for the real ones.
        let line = UnsafeRawBufferPointer(rebasing: buffer.readable[before...])
        return EventLine(gap: subscriptionPlace(line))
    }

    /// Writes the line of an event for one subscription: a copy of what `encodeEventLine` made,
    /// with the id in its gap. Returns the number of bytes.
    @discardableResult
    public func appendEventLine(
        _ line: UnsafeRawBufferPointer, _ place: EventLine, subscriptionId: UInt32,
        to buffer: ByteBuffer
    ) -> Int {
        let before = buffer.count
        buffer.append(UnsafeRawBufferPointer(rebasing: line[..<place.gap]))
        var writer = JsonWriter(buffer)
        writer.unsigned(UInt64(subscriptionId))
        writer.finish()
        buffer.append(UnsafeRawBufferPointer(rebasing: line[(place.gap + 1)...]))
        return buffer.count - before
    }

    /// The place of the number in `"subscriptionId":0`. In texts quotes are escaped, so that the
    /// first hit is the member itself.
    private func subscriptionPlace(_ line: UnsafeRawBufferPointer) -> Int {
        let key: StaticString = ",\"subscriptionId\":0"
        let length = key.utf8CodeUnitCount
        guard let start = line.baseAddress,
            let found = fb_find_bytes(start, line.count, key.utf8Start, length)
        else { preconditionFailure("an event line has its subscriptionId") }
        return found - start + length - 1
    }
}
