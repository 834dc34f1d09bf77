import CBridgeWire
import CJansson
import CJsonTape
import CProtobufC

/// One line on its way from bytes to a protobuf-c struct.
///
/// simdjson reads lines that are well-formed. What it refuses is looked at again, by a scan for the
/// limits and by jansson, which tells what is wrong and where.
struct LineReading {
    private let line: UnsafeRawBufferPointer
    private let isStrict: Bool
    private var scan = fb_json_scan()

    /// Lines from this length on are scanned for the limits before anything is built of them.
    private static let scannedBytesMin = 64 << 10

    init(_ line: UnsafeRawBufferPointer, isStrict: Bool) {
        self.line = line
        self.isStrict = isStrict
    }

    /// The struct lives in the arena, its texts in the tape, both until their next use.
    mutating func frame(
        _ arena: WireArena, _ tape: OpaquePointer, _ schema: UnsafePointer<fb_message>
    ) throws(WireFault) -> UnsafeMutableRawPointer {
        arena.reset()
        do throws(JsonFault) {
            if line.count >= LineReading.scannedBytesMin { try check() }
            if let bytes, let document = fb_json_tape_read(tape, bytes, line.count) {
                var reader = JsonReader(arena, isStrict: isStrict, hasMarkedIntegers: false)
                return try reader.frame(document, schema)
            }
            return try secondReading(arena, tape, schema)
        } catch {
            throw .payload(id: id(), error.bridgeError)
        }
    }

    /// Of a line that simdjson refuses: the message, if only its integers are too large for it.
    private mutating func secondReading(
        _ arena: WireArena, _ tape: OpaquePointer, _ schema: UnsafePointer<fb_message>
    ) throws(JsonFault) -> UnsafeMutableRawPointer {
        try check()
        guard let bytes else { throw JsonFault("the line is empty: expected one JSON object") }
        if scan.has_big_integer != 0 {
            let room = fb_arena_take(arena.raw, fb_json_marked_size(line.count))
            let marked = room.assumingMemoryBound(to: UInt8.self)
            let count = fb_json_mark_big_integers(bytes, line.count, marked)
            if let document = fb_json_tape_read(tape, marked, count) {
                var reader = JsonReader(arena, isStrict: isStrict, hasMarkedIntegers: true)
                return try reader.frame(document, schema)
            }
        }
        throw syntaxFault(bytes)
    }

    private var bytes: UnsafePointer<UInt8>? {
        line.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }

    /// The limits that are about the line and not about its fields.
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

    /// What jansson found, in our words: its own repeat what the line holds.
    private func syntaxFault(_ bytes: UnsafePointer<UInt8>) -> JsonFault {
        var error = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL)
        let text = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
        if let document = fb_json_load(text, line.count, flags, &error) {
            json_decref(document)
            return JsonFault("not JSON that can be read")
        }
        let offset = max(Int(error.position), 0)
        let place = "at byte \(offset) of the line"
        switch fb_json_code(&error) {
        case json_error_invalid_utf8: return at(offset, "not valid UTF-8 \(place)")
        case json_error_premature_end_of_input:
            return JsonFault("the line ends within the JSON; a frame is one line")
        case json_error_end_of_input_expected:
            return JsonFault("more text follows the JSON object \(place); a frame is one line")
        case json_error_null_byte_in_key:
            return at(offset, "a name holds U+0000 \(place)")
        case json_error_duplicate_key: return at(offset, "is given twice")
        case json_error_numeric_overflow:
            return at(offset, "the number is out of range \(place)")
        default:
            if !startsObject { return JsonFault("expected one JSON object \(place)") }
            return at(offset, "not JSON \(place)")
        }
    }

    private var startsObject: Bool {
        line.first { !isSpace($0) } == UInt8(ascii: "{")
    }

    /// A fault at a byte, with the path of what is there.
    private func at(_ offset: Int, _ text: String) -> JsonFault {
        guard let bytes else { return JsonFault(text) }
        let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            guard let start = room.baseAddress else { return "" }
            let count = fb_json_path(bytes, line.count, offset, start, room.count)
            return UnsafeRawPointer(start).withMemoryRebound(to: UInt8.self, capacity: count) {
                String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
            }
        }
        return JsonFault(.invalidArgument, text, path: path)
    }

    /// The request's id, as far as it can be read from a line that is not served.
    private mutating func id() -> UInt64 {
        guard let bytes else { return 0 }
        if scan.id_length == 0 { fb_json_check(bytes, line.count, .max, .max, &scan) }
        guard scan.id_length > 0, scan.id_offset + scan.id_length <= line.count else {
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
