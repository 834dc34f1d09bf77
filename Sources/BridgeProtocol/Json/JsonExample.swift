import CBridgeWire
import CProtobufC

// Examples from the schema alone: every field with a value that is not its default.

extension MethodInfo {
    /// A request of this method as line mode takes it, without LF: every field is given.
    ///
    /// - Parameter variant: Which member each oneof shows, modulo the number of its members.
    public func exampleRequest(id: UInt64 = 1, variant: Int = 0) -> String {
        exampleFrame(fb_schema_client_frame(), name, id, variant)
    }

    /// An answer of this method as line mode prints it, without LF.
    ///
    /// - Parameter variant: Which member each oneof shows, modulo the number of its members.
    public func exampleReply(id: UInt64 = 1, variant: Int = 0) -> String {
        exampleFrame(fb_schema_server_frame(), reply, id, variant)
    }
}

extension EventKindTable {
    /// The line of an event of this kind, without LF; nil if there is no such kind.
    ///
    /// - Parameter variant: Which member each oneof shows, modulo the number of its members.
    public static func exampleLine(of kind: String, variant: Int = 0) -> String? {
        guard let field = member(fb_schema_event(), kind), field.pointee.oneof != 0 else {
            return nil
        }
        return exampleText { writer in
            writer.raw("{\"id\":\"0\",\"event\":")
            writer.example(fb_schema_event(), variant, only: field)
            writer.raw("}")
        }
    }
}

private func exampleFrame(
    _ schema: UnsafePointer<fb_message>, _ name: String, _ id: UInt64, _ variant: Int
) -> String {
    guard let field = member(schema, name), let message = field.pointee.message else { return "" }
    return exampleText { writer in
        writer.raw("{\"id\":\"")
        writer.unsigned(id)
        writer.raw("\",")
        writer.raw(field.pointee.json_key, Int(field.pointee.json_key_length))
        writer.example(message, variant, only: nil)
        writer.raw("}")
    }
}

private func member(
    _ schema: UnsafePointer<fb_message>, _ name: String
) -> UnsafePointer<fb_field>? {
    fb_schema_field_named(schema, name, name.utf8.count)
}

private func exampleText(_ write: (inout JsonWriter) -> Void) -> String {
    let buffer = ByteBuffer()
    var writer = JsonWriter(buffer)
    write(&writer)
    writer.finish()
    return String(decoding: buffer.readable, as: UTF8.self)
}

extension JsonWriter {
    /// A message with an example of every field; of a oneof one member, or `only`.
    fileprivate mutating func example(
        _ schema: UnsafePointer<fb_message>, _ variant: Int, only: UnsafePointer<fb_field>?
    ) {
        byte(UInt8(ascii: "{"))
        var isFirst = true
        var i = 0
        while i < Int(schema.pointee.field_count), let fields = schema.pointee.fields {
            var field = fields + i
            i += 1
            if field.pointee.oneof != 0 {
                let members = Int(field.pointee.oneof_rest) + 1
                i += members - 1
                field = only ?? field + variant % members
            }
            if !isFirst { byte(UInt8(ascii: ",")) }
            isFirst = false
            raw(field.pointee.json_key, Int(field.pointee.json_key_length))
            exampleField(field, variant)
        }
        byte(UInt8(ascii: "}"))
    }

    private mutating func exampleField(_ field: UnsafePointer<fb_field>, _ variant: Int) {
        let flags = Int(field.pointee.flags)
        if flags & Int(FB_FIELD_MAP) != 0 {
            guard let entry = field.pointee.message,
                let value = fb_schema_field_numbered(entry, 2)
            else { return }
            raw("{\"key\":")
            exampleValue(value, variant)
            return byte(UInt8(ascii: "}"))
        }
        let isList = flags & Int(FB_FIELD_REPEATED) != 0
        if isList { byte(UInt8(ascii: "[")) }
        exampleValue(field, variant)
        if isList { byte(UInt8(ascii: "]")) }
    }

    private mutating func exampleValue(_ field: UnsafePointer<fb_field>, _ variant: Int) {
        switch UInt32(field.pointee.type) {
        case PROTOBUF_C_TYPE_STRING.rawValue:
            if field.pointee.form != nil { return raw("\"1990-06-15\"") }
            byte(UInt8(ascii: "\""))
            raw(field.pointee.json_key + 1, Int(field.pointee.json_key_length) - 3)
            byte(UInt8(ascii: "\""))
        case PROTOBUF_C_TYPE_MESSAGE.rawValue:
            if let message = field.pointee.message { example(message, variant, only: nil) }
        case PROTOBUF_C_TYPE_BOOL.rawValue: raw("true")
        case PROTOBUF_C_TYPE_BYTES.rawValue: raw("\"AQID\"")
        case PROTOBUF_C_TYPE_DOUBLE.rawValue, PROTOBUF_C_TYPE_FLOAT.rawValue: raw("1.5")
        case PROTOBUF_C_TYPE_ENUM.rawValue:
            guard let values = field.pointee.enumeration else { return }
            let name = values.pointee.values[Int(values.pointee.n_values) - 1].name
            byte(UInt8(ascii: "\""))
            if let name { raw(name, fb_text_length(name)) }
            byte(UInt8(ascii: "\""))
        case let type: raw(is64Bit(type) ? "\"1\"" : "1")
        }
    }
}
