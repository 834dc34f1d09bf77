import CBridgeWire
import CProtobufC

// Prints protobuf-c structs by their schema tables, in the order of declaration. Fields without
// presence are printed even when they are false, 0, "" or []; messages and members of oneofs only
// when they are there.

extension JsonWriter {
    mutating func message(_ wire: UnsafeRawPointer, _ schema: UnsafePointer<fb_message>) {
        byte(UInt8(ascii: "{"))
        var isFirst = true
        var i = 0
        let count = Int(schema.pointee.field_count)
        guard let fields = schema.pointee.fields else { return byte(UInt8(ascii: "}")) }
        while i < count {
            var field = fields + i
            if field.pointee.oneof != 0 {
                // Members follow each other: go to the one that is set, step over the rest.
                i += Int(field.pointee.oneof_rest) + 1
                let number = wire.load(
                    fromByteOffset: Int(field.pointee.quantifier_offset), as: UInt32.self)
                guard number != 0, let member = fb_schema_field_numbered(schema, number) else {
                    continue
                }
                field = member
            } else {
                i += 1
            }
            self.field(field, wire, &isFirst)
        }
        byte(UInt8(ascii: "}"))
    }

    private mutating func field(
        _ field: UnsafePointer<fb_field>, _ wire: UnsafeRawPointer, _ isFirst: inout Bool
    ) {
        let place = wire + Int(field.pointee.offset)
        let isRepeated = Int(field.pointee.flags) & Int(FB_FIELD_REPEATED) != 0
        if UInt32(field.pointee.type) == PROTOBUF_C_TYPE_MESSAGE.rawValue && !isRepeated
            && place.load(as: UnsafeRawPointer?.self) == nil
        {
            return
        }
        if !isFirst { byte(UInt8(ascii: ",")) }
        isFirst = false
        raw(field.pointee.json_key, Int(field.pointee.json_key_length))
        guard isRepeated else { return value(field, place) }
        let count = wire.load(fromByteOffset: Int(field.pointee.quantifier_offset), as: Int.self)
        let items = place.load(as: UnsafeRawPointer?.self)
        if Int(field.pointee.flags) & Int(FB_FIELD_MAP) != 0 {
            map(field, items, count)
        } else {
            list(field, items, count)
        }
    }

    private mutating func list(
        _ field: UnsafePointer<fb_field>, _ items: UnsafeRawPointer?, _ count: Int
    ) {
        byte(UInt8(ascii: "["))
        if let items {
            let stride = elementStride(field)
            for i in 0..<count {
                if i > 0 { byte(UInt8(ascii: ",")) }
                value(field, items + i * stride)
            }
        }
        byte(UInt8(ascii: "]"))
    }

    private mutating func map(
        _ field: UnsafePointer<fb_field>, _ items: UnsafeRawPointer?, _ count: Int
    ) {
        byte(UInt8(ascii: "{"))
        if let items, let entry = field.pointee.message,
            let key = fb_schema_field_numbered(entry, 1),
            let content = fb_schema_field_numbered(entry, 2)
        {
            for i in 0..<count {
                let wire = (items + i * MemoryLayout<UnsafeRawPointer>.stride)
                    .load(as: UnsafeRawPointer.self)
                if i > 0 { byte(UInt8(ascii: ",")) }
                mapKey(key, wire + Int(key.pointee.offset))
                byte(UInt8(ascii: ":"))
                mapValue(content, wire + Int(content.pointee.offset))
            }
        }
        byte(UInt8(ascii: "}"))
    }

    /// Keys are strings, also those that are numbers or bools.
    private mutating func mapKey(_ field: UnsafePointer<fb_field>, _ place: UnsafeRawPointer) {
        let type = UInt32(field.pointee.type)
        let isQuoted =
            type == PROTOBUF_C_TYPE_STRING.rawValue || is64Bit(type)
        if !isQuoted { byte(UInt8(ascii: "\"")) }
        value(field, place)
        if !isQuoted { byte(UInt8(ascii: "\"")) }
    }

    private mutating func mapValue(_ field: UnsafePointer<fb_field>, _ place: UnsafeRawPointer) {
        let isMessage = UInt32(field.pointee.type) == PROTOBUF_C_TYPE_MESSAGE.rawValue
        if isMessage && place.load(as: UnsafeRawPointer?.self) == nil {
            raw("{}")
        } else {
            value(field, place)
        }
    }

    private mutating func value(_ field: UnsafePointer<fb_field>, _ place: UnsafeRawPointer) {
        switch UInt32(field.pointee.type) {
        case PROTOBUF_C_TYPE_STRING.rawValue:
            let text = place.load(as: UnsafePointer<CChar>?.self)
            guard let text else { return raw("\"\"") }
            let count = fb_text_length(text)
            UnsafeRawPointer(text).withMemoryRebound(to: UInt8.self, capacity: count) {
                self.text($0, count)
            }
        case PROTOBUF_C_TYPE_MESSAGE.rawValue:
            guard let inner = field.pointee.message else { return }
            message(place.load(as: UnsafeRawPointer.self), inner)
        case PROTOBUF_C_TYPE_BOOL.rawValue:
            raw(place.load(as: protobuf_c_boolean.self) != 0 ? "true" : "false")
        case PROTOBUF_C_TYPE_ENUM.rawValue: enumeration(field, place.load(as: Int32.self))
        case PROTOBUF_C_TYPE_BYTES.rawValue:
            let data = place.load(as: ProtobufCBinaryData.self)
            base64(UnsafeBufferPointer(start: data.data, count: data.data == nil ? 0 : data.len))
        default: number(UInt32(field.pointee.type), place)
        }
    }

    private mutating func number(_ type: UInt32, _ place: UnsafeRawPointer) {
        switch type {
        case PROTOBUF_C_TYPE_INT32.rawValue, PROTOBUF_C_TYPE_SINT32.rawValue,
            PROTOBUF_C_TYPE_SFIXED32.rawValue:
            signed(Int64(place.load(as: Int32.self)))
        case PROTOBUF_C_TYPE_UINT32.rawValue, PROTOBUF_C_TYPE_FIXED32.rawValue:
            unsigned(UInt64(place.load(as: UInt32.self)))
        case PROTOBUF_C_TYPE_DOUBLE.rawValue: double(place.load(as: Double.self))
        case PROTOBUF_C_TYPE_FLOAT.rawValue: float(place.load(as: Float.self))
        case PROTOBUF_C_TYPE_UINT64.rawValue, PROTOBUF_C_TYPE_FIXED64.rawValue:
            byte(UInt8(ascii: "\""))
            unsigned(place.load(as: UInt64.self))
            byte(UInt8(ascii: "\""))
        default:
            byte(UInt8(ascii: "\""))
            signed(place.load(as: Int64.self))
            byte(UInt8(ascii: "\""))
        }
    }

    private mutating func enumeration(_ field: UnsafePointer<fb_field>, _ number: Int32) {
        guard let values = field.pointee.enumeration,
            let value = protobuf_c_enum_descriptor_get_value(values, number)
        else { return signed(Int64(number)) }
        byte(UInt8(ascii: "\""))
        raw(value.pointee.name, fb_text_length(value.pointee.name))
        byte(UInt8(ascii: "\""))
    }
}

/// Bytes from one element of a repeated field to the next.
func elementStride(_ field: UnsafePointer<fb_field>) -> Int {
    switch UInt32(field.pointee.type) {
    case PROTOBUF_C_TYPE_BYTES.rawValue: MemoryLayout<ProtobufCBinaryData>.stride
    case PROTOBUF_C_TYPE_INT32.rawValue, PROTOBUF_C_TYPE_SINT32.rawValue,
        PROTOBUF_C_TYPE_SFIXED32.rawValue, PROTOBUF_C_TYPE_UINT32.rawValue,
        PROTOBUF_C_TYPE_FIXED32.rawValue, PROTOBUF_C_TYPE_FLOAT.rawValue,
        PROTOBUF_C_TYPE_ENUM.rawValue, PROTOBUF_C_TYPE_BOOL.rawValue:
        4
    default: 8
    }
}

/// Whether numbers of this type are strings in JSON.
func is64Bit(_ type: UInt32) -> Bool {
    switch type {
    case PROTOBUF_C_TYPE_INT64.rawValue, PROTOBUF_C_TYPE_SINT64.rawValue,
        PROTOBUF_C_TYPE_SFIXED64.rawValue, PROTOBUF_C_TYPE_UINT64.rawValue,
        PROTOBUF_C_TYPE_FIXED64.rawValue:
        true
    default: false
    }
}
