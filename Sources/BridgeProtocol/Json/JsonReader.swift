import CBridgeWire
import CJansson
import CProtobufC

typealias JsonValue = UnsafeMutablePointer<json_t>

/// Fills protobuf-c structs from a document that jansson has read.
///
/// Texts are not copied: the structs point into the document, which must outlive them.
struct JsonReader {
    let arena: WireArena
    /// Towards the broker: unknown members and names of enums are faults. Towards a client they
    /// come from a newer broker: members are skipped, names read as `unknownName`.
    let isStrict: Bool
    /// The document's integers of 19 digits and more are strings that begin with a NUL.
    let hasMarkedIntegers: Bool
    private var elements = 0

    /// The number of an enum value whose name this version does not know.
    static let unknownName = Int32.min

    init(_ arena: WireArena, isStrict: Bool, hasMarkedIntegers: Bool) {
        self.arena = arena
        self.isStrict = isStrict
        self.hasMarkedIntegers = hasMarkedIntegers
    }

    mutating func message(
        _ json: JsonValue, _ schema: UnsafePointer<fb_message>
    ) throws(JsonFault) -> UnsafeMutableRawPointer {
        guard json.pointee.type == JSON_OBJECT else { throw expected("an object", json) }
        let wire = fb_arena_take(arena.raw, schema.pointee.descriptor.pointee.sizeof_message)
        fb_schema_init(schema, wire)
        var iterator = json_object_iter(json)
        while let place = iterator {
            try member(json, place, schema, wire)
            iterator = json_object_iter_next(json, place)
        }
        return wire
    }

    private mutating func member(
        _ json: JsonValue, _ place: UnsafeMutableRawPointer, _ schema: UnsafePointer<fb_message>,
        _ wire: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        guard let key = json_object_iter_key(place), let value = json_object_iter_value(place)
        else { return }
        let count = json_object_iter_key_len(place)
        guard let field = fb_schema_field_named(schema, key, count) else {
            if isStrict { throw unknownMember(schema, key, count, value) }
            return
        }
        do throws(JsonFault) {
            try checkSpelling(json, field, key, count)
            if value.pointee.type == JSON_NULL {
                try refuseMethodNull(schema, field)
            } else {
                try self.field(field, schema, value, wire)
            }
        } catch {
            throw error.within(shownKey(key, count))
        }
    }

    /// One field may come once: jansson has refused the same key twice, this refuses both
    /// spellings.
    private func checkSpelling(
        _ json: JsonValue, _ field: UnsafePointer<fb_field>, _ key: UnsafePointer<CChar>,
        _ count: Int
    ) throws(JsonFault) {
        let jsonCount = Int(field.pointee.json_key_length) - 3
        if count == jsonCount && fb_same_bytes(key, field.pointee.json_key + 1, count) != 0 {
            return
        }
        guard json_object_getn(json, field.pointee.json_key + 1, jsonCount) != nil else { return }
        throw JsonFault("is given twice, as \(text(field.pointee.name)) and \(jsonName(field))")
    }

    /// `null` is an absent field, but no way to call a method.
    private func refuseMethodNull(
        _ schema: UnsafePointer<fb_message>, _ field: UnsafePointer<fb_field>
    ) throws(JsonFault) {
        guard schema == fb_schema_client_frame(), field.pointee.oneof != 0 else { return }
        throw JsonFault(
            "no method: a method takes an object, got null; write \"\(jsonName(field))\":{}")
    }

    private mutating func field(
        _ field: UnsafePointer<fb_field>, _ schema: UnsafePointer<fb_message>, _ json: JsonValue,
        _ wire: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        let flags = Int(field.pointee.flags)
        if flags & Int(FB_FIELD_MAP) != 0 { return try map(field, json, wire) }
        if flags & Int(FB_FIELD_REPEATED) != 0 { return try list(field, json, wire) }
        if flags & Int(FB_FIELD_ONEOF) != 0 {
            let place = wire + Int(field.pointee.quantifier_offset)
            let taken = place.load(as: UInt32.self)
            if taken != 0, let other = fb_schema_field_numbered(schema, taken) {
                throw JsonFault(
                    "cannot go together with \(jsonName(other)): give one of the two")
            }
            place.storeBytes(of: UInt32(field.pointee.number), as: UInt32.self)
        }
        try self.value(field, json, wire + Int(field.pointee.offset))
    }

    private mutating func list(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue, _ wire: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        guard json.pointee.type == JSON_ARRAY else { throw expected("a list", json) }
        let count = json_array_size(json)
        if count == 0 { return }
        let stride = elementStride(field)
        try countElements(count)
        let items = fb_arena_take(arena.raw, count * stride)
        for i in 0..<count {
            guard let element = json_array_get(json, i) else { continue }
            do throws(JsonFault) {
                try self.value(field, element, items + i * stride)
            } catch {
                throw error.within(i)
            }
        }
        store(field, wire, items, count)
    }

    private mutating func map(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue, _ wire: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        guard json.pointee.type == JSON_OBJECT else { throw expected("an object", json) }
        guard let entry = field.pointee.message, let keyField = fb_schema_field_numbered(entry, 1),
            let valueField = fb_schema_field_numbered(entry, 2)
        else { return }
        let count = json_object_size(json)
        if count == 0 { return }
        try countElements(count)
        let items = fb_arena_take(arena.raw, count * 8)
        var iterator = json_object_iter(json)
        for i in 0..<count {
            guard let place = iterator, let key = json_object_iter_key(place),
                let value = json_object_iter_value(place)
            else { break }
            let length = json_object_iter_key_len(place)
            do throws(JsonFault) {
                let pair = fb_arena_take(
                    arena.raw, entry.pointee.descriptor.pointee.sizeof_message)
                fb_schema_init(entry, pair)
                try mapKey(keyField, key, length, pair + Int(keyField.pointee.offset))
                try self.value(valueField, value, pair + Int(valueField.pointee.offset))
                (items + i * 8).storeBytes(of: pair, as: UnsafeMutableRawPointer.self)
            } catch {
                throw error.within(shownKey(key, length))
            }
            iterator = json_object_iter_next(json, place)
        }
        store(field, wire, items, count)
    }

    private func store(
        _ field: UnsafePointer<fb_field>, _ wire: UnsafeMutableRawPointer,
        _ items: UnsafeMutableRawPointer, _ count: Int
    ) {
        (wire + Int(field.pointee.quantifier_offset)).storeBytes(of: count, as: Int.self)
        (wire + Int(field.pointee.offset))
            .storeBytes(of: items, as: UnsafeMutableRawPointer.self)
    }

    private mutating func countElements(_ count: Int) throws(JsonFault) {
        elements += count
        if isStrict && elements > Int(WireCoder.elementsMax) {
            throw JsonFault(
                "brings the frame to \(elements) repeated elements; at most "
                    + "\(WireCoder.elementsMax) are read")
        }
    }

    private mutating func value(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue, _ place: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        switch UInt32(field.pointee.type) {
        case PROTOBUF_C_TYPE_STRING.rawValue:
            try place.storeBytes(of: textValue(field, json), as: UnsafePointer<CChar>.self)
        case PROTOBUF_C_TYPE_MESSAGE.rawValue:
            guard let schema = field.pointee.message else { return }
            let inner = try message(json, schema)
            place.storeBytes(of: inner, as: UnsafeMutableRawPointer.self)
        case PROTOBUF_C_TYPE_BOOL.rawValue:
            let type = json.pointee.type
            guard type == JSON_TRUE || type == JSON_FALSE else {
                throw expected("true or false", json)
            }
            place.storeBytes(of: type == JSON_TRUE ? 1 : 0, as: protobuf_c_boolean.self)
        case PROTOBUF_C_TYPE_ENUM.rawValue:
            try place.storeBytes(of: enumValue(field, json), as: Int32.self)
        case PROTOBUF_C_TYPE_BYTES.rawValue:
            try place.storeBytes(of: bytesValue(json), as: ProtobufCBinaryData.self)
        case PROTOBUF_C_TYPE_DOUBLE.rawValue:
            try place.storeBytes(of: doubleValue(json), as: Double.self)
        case PROTOBUF_C_TYPE_FLOAT.rawValue:
            try place.storeBytes(of: Float(doubleValue(json)), as: Float.self)
        default:
            try store(wholeNumber(json), UInt32(field.pointee.type), place)
        }
    }

    private func store(
        _ number: WholeNumber, _ type: UInt32, _ place: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        switch type {
        case PROTOBUF_C_TYPE_INT32.rawValue, PROTOBUF_C_TYPE_SINT32.rawValue,
            PROTOBUF_C_TYPE_SFIXED32.rawValue:
            let value = try number.signed(Int64(Int32.min)...Int64(Int32.max))
            place.storeBytes(of: Int32(truncatingIfNeeded: value), as: Int32.self)
        case PROTOBUF_C_TYPE_UINT32.rawValue, PROTOBUF_C_TYPE_FIXED32.rawValue:
            let value = try number.unsigned(UInt64(UInt32.max))
            place.storeBytes(of: UInt32(truncatingIfNeeded: value), as: UInt32.self)
        case PROTOBUF_C_TYPE_UINT64.rawValue, PROTOBUF_C_TYPE_FIXED64.rawValue:
            place.storeBytes(of: try number.unsigned(.max), as: UInt64.self)
        default:
            place.storeBytes(of: try number.signed(.min ... .max), as: Int64.self)
        }
    }

    private func mapKey(
        _ field: UnsafePointer<fb_field>, _ key: UnsafePointer<CChar>, _ count: Int,
        _ place: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        let type = UInt32(field.pointee.type)
        if type == PROTOBUF_C_TYPE_STRING.rawValue {
            return place.storeBytes(of: key, as: UnsafePointer<CChar>.self)
        }
        if type == PROTOBUF_C_TYPE_BOOL.rawValue {
            let isTrue = shownKey(key, count) == "true"
            guard isTrue || shownKey(key, count) == "false" else {
                throw JsonFault("expected the key true or false")
            }
            return place.storeBytes(of: isTrue ? 1 : 0, as: protobuf_c_boolean.self)
        }
        try store(WholeNumber(bytes(key, count)), type, place)
    }
}
