import CBridgeWire
import CJsonTape
import CProtobufC

// The values of single fields, in every spelling that JSON has for them.

extension JsonReader {
    func textValue(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue
    ) throws(JsonFault) -> UnsafePointer<CChar> {
        guard json.kind == FB_JSON_TEXT, !isMarked(json) else {
            if let form = field.pointee.form { throw expected("a text as \(text(form))", json) }
            throw expected("a text", json)
        }
        let length = fb_text_length(json.text)
        if length != json.length {
            throw JsonFault("holds U+0000 at its byte \(length); leave it out")
        }
        return json.text
    }

    func enumValue(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue
    ) throws(JsonFault) -> Int32 {
        guard let values = field.pointee.enumeration else { return 0 }
        if json.kind == FB_JSON_TEXT, !isMarked(json) {
            let known = protobuf_c_enum_descriptor_get_value_by_name(values, json.text)
            if let known, json.length == fb_text_length(json.text) { return known.pointee.value }
            if !isStrict { return JsonReader.unknownName }
            throw JsonFault("no such value; it takes \(enumNames(values, withNumbers: false))")
        }
        guard isNumber(json) else {
            throw expected("one of \(enumNames(values, withNumbers: false))", json)
        }
        let number = try wholeNumber(json).signed(Int64(Int32.min)...Int64(Int32.max))
        let value = Int32(truncatingIfNeeded: number)
        if isStrict && protobuf_c_enum_descriptor_get_value(values, value) == nil {
            throw JsonFault("is \(value); it takes \(enumNames(values, withNumbers: true))")
        }
        return value
    }

    func wholeNumber(_ json: JsonValue) throws(JsonFault) -> WholeNumber {
        switch json.kind {
        case FB_JSON_INTEGER: return WholeNumber(json.pointee.value.integer)
        case FB_JSON_UNSIGNED: return WholeNumber(json.pointee.value.unsigned_integer)
        case FB_JSON_REAL:
            let value = json.pointee.value.real
            if let number = WholeNumber(exactly: value) { return number }
            throw value.magnitude > WholeNumber.exactMax
                ? WholeNumber.inexact : WholeNumber.fraction
        case FB_JSON_TEXT: return try WholeNumber(numberText(json))
        default: throw expected("a whole number", json)
        }
    }

    func doubleValue(_ json: JsonValue) throws(JsonFault) -> Double {
        switch json.kind {
        case FB_JSON_INTEGER: return Double(json.pointee.value.integer)
        case FB_JSON_UNSIGNED: return Double(json.pointee.value.unsigned_integer)
        case FB_JSON_REAL: return json.pointee.value.real
        case FB_JSON_TEXT: return try double(numberText(json))
        default: throw expected("a number", json)
        }
    }

    private static let notADouble = JsonFault(
        "expected a number, got a text that is none; write it as 1.5, \"1.5\", \"NaN\", "
            + "\"Infinity\" or \"-Infinity\"")

    private func double(_ bytes: UnsafeBufferPointer<UInt8>) throws(JsonFault) -> Double {
        let text = String(decoding: bytes, as: UTF8.self)
        switch text {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default:
            guard isJsonNumber(bytes), let value = Double(text) else {
                throw JsonReader.notADouble
            }
            guard value.isFinite else {
                throw JsonFault("is out of range: a double goes to about 1.8e308")
            }
            return value
        }
    }

    func bytesValue(_ json: JsonValue) throws(JsonFault) -> ProtobufCBinaryData {
        guard json.kind == FB_JSON_TEXT, !isMarked(json) else {
            throw expected("a text in base64", json)
        }
        let source = json.bytes
        let room = fb_arena_take(arena.raw, source.count / 4 * 3 + 4)
        let memory = room.assumingMemoryBound(to: UInt8.self)
        guard let count = decodeBase64(source, memory) else {
            throw JsonFault("is no base64; use A-Z a-z 0-9 + / (or - _), padded with = or not")
        }
        return ProtobufCBinaryData(len: count, data: memory)
    }

    /// The text of a number that came as a string.
    private func numberText(_ json: JsonValue) -> UnsafeBufferPointer<UInt8> {
        isMarked(json) ? UnsafeBufferPointer(rebasing: json.bytes[1...]) : json.bytes
    }

    /// Whether a text stands for an integer that no node can hold.
    private func isMarked(_ json: JsonValue) -> Bool {
        guard hasMarkedIntegers, json.kind == FB_JSON_TEXT else { return false }
        return json.length > 1 && json.text.pointee == 0
    }

    private func isNumber(_ json: JsonValue) -> Bool {
        json.kind == FB_JSON_INTEGER || json.kind == FB_JSON_UNSIGNED || json.kind == FB_JSON_REAL
    }
}

// Texts of faults

extension JsonReader {
    func expected(_ what: String, _ json: JsonValue) -> JsonFault {
        JsonFault("expected \(what), got \(isMarked(json) ? "a number" : kind(json))")
    }

    private func kind(_ json: JsonValue) -> String {
        switch json.kind {
        case FB_JSON_OBJECT: "an object"
        case FB_JSON_LIST: "a list"
        case FB_JSON_TEXT: "a text"
        case FB_JSON_NULL: "null"
        case FB_JSON_TRUE, FB_JSON_FALSE: "true or false"
        default: "a number"
        }
    }

    func unknownMember(_ schema: UnsafePointer<fb_message>, _ member: JsonValue) -> JsonFault {
        let name = shownKey(member.text, member.length)
        if fb_text_length(member.text) != member.length {
            return JsonReader.nulInName.within(name)
        }
        if schema == fb_schema_client_frame() && (member + 1).kind == FB_JSON_OBJECT {
            return JsonFault(
                .unknownMethod, "no method \"\(name)\"; `describe` lists the methods", path: name)
        }
        let names = (0..<Int(schema.pointee.field_count)).compactMap { i in
            schema.pointee.fields.map { jsonName($0 + i) }
        }
        let shown = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
        let known = names.isEmpty ? "there is none" : "there are \(shown)"
        return JsonFault(.invalidArgument, "no field \"\(name)\" here; \(known)", path: name)
    }

    func text(_ text: UnsafePointer<CChar>) -> String { String(cString: text) }

    func jsonName(_ field: UnsafePointer<fb_field>) -> String {
        shownKey(field.pointee.json_key + 1, Int(field.pointee.json_key_length) - 3)
    }
}
