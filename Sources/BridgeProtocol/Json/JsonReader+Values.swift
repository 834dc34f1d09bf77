import CBridgeWire
import CJansson
import CProtobufC

// The values of single fields, in every spelling that JSON has for them.

extension JsonReader {
    func textValue(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue
    ) throws(JsonFault) -> UnsafePointer<CChar> {
        guard json.pointee.type == JSON_STRING, let value = json_string_value(json),
            !isMarked(json)
        else {
            if let form = field.pointee.form { throw expected("a text as \(text(form))", json) }
            throw expected("a text", json)
        }
        let count = json_string_length(json)
        let length = fb_text_length(value)
        if length != count {
            throw JsonFault("holds U+0000 at its byte \(length); leave it out")
        }
        return value
    }

    func enumValue(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue
    ) throws(JsonFault) -> Int32 {
        guard let values = field.pointee.enumeration else { return 0 }
        if json.pointee.type == JSON_STRING, let name = json_string_value(json), !isMarked(json) {
            let known = protobuf_c_enum_descriptor_get_value_by_name(values, name)
            if let known, json_string_length(json) == fb_text_length(name) {
                return known.pointee.value
            }
            if !isStrict { return JsonReader.unknownName }
            throw JsonFault("no such value; it takes \(enumNames(values, withNumbers: false))")
        }
        guard json.pointee.type == JSON_INTEGER || json.pointee.type == JSON_REAL else {
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
        switch json.pointee.type {
        case JSON_INTEGER: return WholeNumber(json_integer_value(json))
        case JSON_REAL:
            let value = json_real_value(json)
            if let number = WholeNumber(exactly: value) { return number }
            throw value.magnitude > WholeNumber.exactMax
                ? WholeNumber.inexact : WholeNumber.fraction
        case JSON_STRING:
            guard let text = numberText(json) else { throw WholeNumber.notANumber }
            return try WholeNumber(text)
        default: throw expected("a whole number", json)
        }
    }

    func doubleValue(_ json: JsonValue) throws(JsonFault) -> Double {
        switch json.pointee.type {
        case JSON_INTEGER: return Double(json_integer_value(json))
        case JSON_REAL: return json_real_value(json)
        case JSON_STRING:
            guard let text = numberText(json) else { throw JsonReader.notADouble }
            return try double(text)
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
        guard json.pointee.type == JSON_STRING, let text = json_string_value(json), !isMarked(json)
        else { throw expected("a text in base64", json) }
        let source = bytes(text, json_string_length(json))
        let room = fb_arena_take(arena.raw, source.count / 4 * 3 + 4)
        let memory = room.assumingMemoryBound(to: UInt8.self)
        guard let count = decodeBase64(source, memory) else {
            throw JsonFault("is no base64; use A-Z a-z 0-9 + / (or - _), padded with = or not")
        }
        return ProtobufCBinaryData(len: count, data: memory)
    }

    /// The text of a number that came as a string; nil for one that holds a NUL.
    private func numberText(_ json: JsonValue) -> UnsafeBufferPointer<UInt8>? {
        guard let text = json_string_value(json) else { return nil }
        let whole = bytes(text, json_string_length(json))
        return isMarked(json) ? UnsafeBufferPointer(rebasing: whole[1...]) : whole
    }

    private func isMarked(_ json: JsonValue) -> Bool {
        guard hasMarkedIntegers, json.pointee.type == JSON_STRING,
            let text = json_string_value(json)
        else { return false }
        return json_string_length(json) > 1 && text.pointee == 0
    }

    func bytes(
        _ text: UnsafePointer<CChar>, _ count: Int
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
    }
}

// Texts of faults

extension JsonReader {
    func expected(_ what: String, _ json: JsonValue) -> JsonFault {
        JsonFault("expected \(what), got \(isMarked(json) ? "a number" : kind(json))")
    }

    private func kind(_ json: JsonValue) -> String {
        switch json.pointee.type {
        case JSON_OBJECT: "an object"
        case JSON_ARRAY: "a list"
        case JSON_STRING: "a text"
        case JSON_INTEGER, JSON_REAL: "a number"
        case JSON_NULL: "null"
        default: "true or false"
        }
    }

    func unknownMember(
        _ schema: UnsafePointer<fb_message>, _ key: UnsafePointer<CChar>, _ count: Int,
        _ value: JsonValue
    ) -> JsonFault {
        let name = shownKey(key, count)
        if schema == fb_schema_client_frame() && value.pointee.type == JSON_OBJECT {
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
