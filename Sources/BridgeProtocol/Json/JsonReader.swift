import CBridgeWire
import CJsonTape
import CProtobufC

typealias JsonValue = UnsafePointer<fb_json_node>

/// Fills protobuf-c structs from a document that simdjson has read.
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

    /// The message of a whole line.
    mutating func frame(
        _ json: JsonValue, _ schema: UnsafePointer<fb_message>
    ) throws(JsonFault) -> UnsafeMutableRawPointer {
        guard json.kind == FB_JSON_OBJECT else { throw expected("one JSON object", json) }
        return try message(json, schema)
    }

    private mutating func message(
        _ json: JsonValue, _ schema: UnsafePointer<fb_message>
    ) throws(JsonFault) -> UnsafeMutableRawPointer {
        guard json.kind == FB_JSON_OBJECT else { throw expected("an object", json) }
        let wire = fb_arena_take(arena.raw, schema.pointee.descriptor.pointee.sizeof_message)
        fb_schema_init(schema, wire)
        var seen: UInt64 = 0
        var name = json + 1
        for _ in 0..<json.pointee.count {
            try member(name, schema, wire, &seen)
            name = name.behindMember
        }
        return wire
    }

    /// Reads one member. `seen` has a bit for each field that has come.
    private mutating func member(
        _ name: JsonValue, _ schema: UnsafePointer<fb_message>, _ wire: UnsafeMutableRawPointer,
        _ seen: inout UInt64
    ) throws(JsonFault) {
        let key = name.text
        let value = name + 1
        guard let field = fb_schema_field_named(schema, key, name.length),
            let fields = schema.pointee.fields
        else {
            if isStrict { throw unknownMember(schema, name) }
            return
        }
        do throws(JsonFault) {
            let bit: UInt64 = 1 << UInt64(field - fields)
            if seen & bit != 0 { throw givenTwice(field) }
            seen |= bit
            if value.kind == FB_JSON_NULL {
                try refuseMethodNull(schema, field)
            } else {
                try self.field(field, schema, value, wire)
            }
        } catch {
            throw error.within(shownKey(key, name.length))
        }
    }

    private func givenTwice(_ field: UnsafePointer<fb_field>) -> JsonFault {
        let names = [jsonName(field), text(field.pointee.name)]
        if names[0] == names[1] { return JsonFault("is given twice") }
        return JsonFault("is given twice: \(names[0]) and \(names[1]) are the same field")
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
        guard json.kind == FB_JSON_LIST else { throw expected("a list", json) }
        let count = json.length
        if count == 0 { return }
        let stride = elementStride(field)
        try countElements(count)
        let items = fb_arena_take(arena.raw, count * stride)
        var element = json + 1
        for i in 0..<count {
            do throws(JsonFault) {
                try self.value(field, element, items + i * stride)
            } catch {
                throw error.within(i)
            }
            element += Int(element.pointee.span)
        }
        store(field, wire, items, count)
    }

    private mutating func map(
        _ field: UnsafePointer<fb_field>, _ json: JsonValue, _ wire: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        guard json.kind == FB_JSON_OBJECT else { throw expected("an object", json) }
        guard let entry = field.pointee.message else { return }
        let count = json.length
        if count == 0 { return }
        try countElements(count)
        try refuseRepeatedNames(json)
        let items = fb_arena_take(arena.raw, count * 8)
        var name = json + 1
        for i in 0..<count {
            do throws(JsonFault) {
                let pair = try self.entry(name, entry)
                (items + i * 8).storeBytes(of: pair, as: UnsafeMutableRawPointer.self)
            } catch {
                throw error.within(shownKey(name.text, name.length))
            }
            name = name.behindMember
        }
        store(field, wire, items, count)
    }

    /// The entry of a map whose name is at `name`.
    private mutating func entry(
        _ name: JsonValue, _ entry: UnsafePointer<fb_message>
    ) throws(JsonFault) -> UnsafeMutableRawPointer {
        let pair = fb_arena_take(arena.raw, entry.pointee.descriptor.pointee.sizeof_message)
        fb_schema_init(entry, pair)
        guard let key = fb_schema_field_numbered(entry, 1),
            let value = fb_schema_field_numbered(entry, 2)
        else { return pair }
        try mapKey(key, name, pair + Int(key.pointee.offset))
        try self.value(value, name + 1, pair + Int(value.pointee.offset))
        return pair
    }

    /// The names of a map may come once each.
    private func refuseRepeatedNames(_ json: JsonValue) throws(JsonFault) {
        guard json.length > 1 else { return }
        var names = Set<[UInt8]>(minimumCapacity: json.length)
        var name = json + 1
        for _ in 0..<json.length {
            guard names.insert(Array(name.bytes)).inserted else {
                throw JsonFault("is given twice").within(shownKey(name.text, name.length))
            }
            name = name.behindMember
        }
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
            guard json.kind == FB_JSON_TRUE || json.kind == FB_JSON_FALSE else {
                throw expected("true or false", json)
            }
            place.storeBytes(of: json.kind == FB_JSON_TRUE ? 1 : 0, as: protobuf_c_boolean.self)
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
        _ field: UnsafePointer<fb_field>, _ name: JsonValue, _ place: UnsafeMutableRawPointer
    ) throws(JsonFault) {
        if fb_text_length(name.text) != name.length { throw JsonReader.nulInName }
        switch UInt32(field.pointee.type) {
        case PROTOBUF_C_TYPE_STRING.rawValue:
            place.storeBytes(of: name.text, as: UnsafePointer<CChar>.self)
        case PROTOBUF_C_TYPE_BOOL.rawValue:
            let shown = shownKey(name.text, name.length)
            guard shown == "true" || shown == "false" else {
                throw JsonFault("expected the name true or false")
            }
            place.storeBytes(of: shown == "true" ? 1 : 0, as: protobuf_c_boolean.self)
        case let type: try store(WholeNumber(name.bytes), type, place)
        }
    }

    static let nulInName = JsonFault("the name holds U+0000; leave it out")
}

extension UnsafePointer<fb_json_node> {
    /// What this node is.
    var kind: fb_json_type { fb_json_type(rawValue: UInt32(pointee.type)) }

    /// Bytes of a text, elements of a list, members of an object.
    var length: Int { Int(pointee.count) }

    /// A text or name, with a NUL behind its last byte.
    var text: UnsafePointer<CChar> { pointee.value.text }

    /// A text or name.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: length)
    }

    /// The name of the next member, seen from the name of one.
    var behindMember: Self { self + 1 + Int(self[1].span) }
}
