import CBridgeWire
import CJansson
import CProtobufC

/// One line on its way from bytes to a protobuf-c struct.
///
/// The document, and the struct that points into it, live in the arena until its next reset.
struct LineReading {
    private let line: UnsafeRawBufferPointer
    private let isStrict: Bool
    private var scan = fb_json_scan()

    init(_ line: UnsafeRawBufferPointer, isStrict: Bool) {
        self.line = line
        self.isStrict = isStrict
    }

    mutating func frame(
        _ arena: WireArena, _ schema: UnsafePointer<fb_message>
    ) throws(WireFault) -> UnsafeMutableRawPointer {
        arena.reset()
        do throws(JsonFault) {
            try check()
            let document = try parse(arena)
            var reader = JsonReader(
                arena, isStrict: isStrict, hasMarkedIntegers: scan.has_big_integer != 0)
            return try reader.message(document, schema)
        } catch {
            throw .payload(id: id(), error.bridgeError)
        }
    }

    private var bytes: UnsafePointer<UInt8>? {
        line.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }

    /// What jansson cannot be asked to check.
    private mutating func check() throws(JsonFault) {
        guard let bytes, line.contains(where: { !isSpace($0) }) else {
            throw JsonFault("the line is empty: expected one JSON object")
        }
        let elementsMax = isStrict ? Int(WireCoder.elementsMax) : Int.max
        let membersMax = isStrict ? 10 * Int(WireCoder.elementsMax) : Int.max
        switch fb_json_check(bytes, line.count, elementsMax, membersMax, &scan) {
        case FB_JSON_DEPTH:
            throw at(scan.offset, "more than \(FB_JSON_DEPTH_MAX) levels of objects and lists")
        case FB_JSON_ELEMENTS:
            throw at(scan.offset, "more than \(elementsMax) repeated elements in one frame")
        case FB_JSON_MEMBERS:
            throw at(scan.offset, "more than \(membersMax) members in one frame")
        default: break
        }
    }

    private mutating func parse(_ arena: WireArena) throws(JsonFault) -> JsonValue {
        guard let bytes else { throw JsonFault("the line is empty: expected one JSON object") }
        guard scan.has_big_integer != 0 else { return try load(bytes, line.count, arena) }
        let room = fb_arena_take(arena.raw, fb_json_marked_size(line.count))
        let marked = room.assumingMemoryBound(to: UInt8.self)
        return try load(marked, fb_json_mark_big_integers(bytes, line.count, marked), arena)
    }

    private func load(
        _ text: UnsafePointer<UInt8>, _ count: Int, _ arena: WireArena
    ) throws(JsonFault) -> JsonValue {
        var error = json_error_t()
        fb_json_memory_begin(arena.raw)
        defer { fb_json_memory_end() }
        let flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL
        let document = UnsafeRawPointer(text).withMemoryRebound(to: CChar.self, capacity: count) {
            json_loadb($0, count, Int(flags), &error)
        }
        if let document {
            guard document.pointee.type == JSON_OBJECT else {
                throw JsonFault("expected one JSON object, got a list")
            }
            return document
        }
        throw syntaxFault(&error, UnsafeRawBufferPointer(start: text, count: count))
    }

    /// What jansson found, in our words: its own repeat what the line holds.
    private func syntaxFault(
        _ error: inout json_error_t, _ text: UnsafeRawBufferPointer
    ) -> JsonFault {
        let offset = max(Int(error.position), 0)
        let place = "at byte \(offset) of the line"
        switch fb_json_code(&error) {
        case json_error_invalid_utf8: return at(offset, "not valid UTF-8 \(place)", text)
        case json_error_premature_end_of_input:
            return JsonFault("the line ends within the JSON; a frame is one line")
        case json_error_end_of_input_expected:
            return JsonFault("more text follows the JSON object \(place); a frame is one line")
        case json_error_null_byte_in_key:
            return at(offset, "a name holds U+0000 \(place)", text)
        case json_error_duplicate_key: return at(offset, "is given twice", text)
        case json_error_numeric_overflow:
            return at(offset, "the number is out of range \(place)", text)
        default:
            if !startsObject(text) { return JsonFault("expected one JSON object \(place)") }
            return at(offset, "not JSON \(place)", text)
        }
    }

    private func startsObject(_ text: UnsafeRawBufferPointer) -> Bool {
        text.first { !isSpace($0) } == UInt8(ascii: "{")
    }

    private func at(_ offset: Int, _ text: String) -> JsonFault { at(offset, text, line) }

    /// A fault at a byte, with the path of what is there.
    private func at(_ offset: Int, _ text: String, _ source: UnsafeRawBufferPointer) -> JsonFault {
        guard let bytes = source.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return JsonFault(text)
        }
        let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            guard let start = room.baseAddress else { return "" }
            let count = fb_json_path(bytes, source.count, offset, start, room.count)
            return UnsafeRawPointer(start).withMemoryRebound(to: UInt8.self, capacity: count) {
                String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
            }
        }
        return JsonFault(.invalidArgument, text, path: path)
    }

    /// The request's id, as far as it can be read from a line that is not served.
    private func id() -> UInt64 {
        guard let bytes, scan.id_length > 0, scan.id_offset + scan.id_length <= line.count else {
            return 0
        }
        let text = UnsafeBufferPointer(start: bytes + scan.id_offset, count: scan.id_length)
        do throws(JsonFault) {
            return try WholeNumber(text).unsigned(.max)
        } catch {
            return 0
        }
    }
}

private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}
