/// The messages and enums of a serialized `google.protobuf.FileDescriptorSet`, by full name.
///
/// Source: google/protobuf/descriptor.proto.
struct SchemaIndex {
    /// A field of a message.
    struct Field {
        let name: String
        let number: Int
        /// Such as `string`, `uint64`, `message` or `enum`.
        let type: String
        /// The full name of its message or enum, without the leading dot.
        let typeName: String
        let isRepeated: Bool
        /// The name of its oneof.
        let oneof: String?
    }

    /// A message with its fields in the order of the file.
    struct Message {
        var fields: [Field] = []
        /// An entry of a map: key and value.
        var isMapEntry = false
    }

    private(set) var messages: [String: Message] = [:]
    private(set) var enums: [String: [String]] = [:]

    /// Reads a set.
    init(_ bytes: [UInt8]) {
        for file in ProtoReader(bytes[...]) where file.number == 1 {
            let fields = Array(ProtoReader(file.bytes))
            let package = fields.first { $0.number == 2 }?.text ?? ""
            for field in fields {
                if field.number == 4 { addMessage(field.bytes, package) }
                if field.number == 5 { addEnum(field.bytes, package) }
            }
        }
    }

    private mutating func addMessage(_ bytes: ArraySlice<UInt8>, _ scope: String) {
        let parts = Array(ProtoReader(bytes))
        let name = scope + "." + (parts.first { $0.number == 1 }?.text ?? "")
        let oneofs = parts.filter { $0.number == 8 }.map { Self.name(of: $0.bytes) }
        var message = Message()
        for part in parts {
            switch part.number {
            case 2: message.fields.append(Field(part.bytes, oneofs))
            case 3: addMessage(part.bytes, name)
            case 4: addEnum(part.bytes, name)
            case 7: message.isMapEntry = Self.isMapEntry(part.bytes)
            default: break
            }
        }
        messages[name] = message
    }

    private mutating func addEnum(_ bytes: ArraySlice<UInt8>, _ scope: String) {
        let name = scope + "." + Self.name(of: bytes)
        enums[name] = ProtoReader(bytes).filter { $0.number == 2 }.map { Self.name(of: $0.bytes) }
    }

    private static func isMapEntry(_ options: ArraySlice<UInt8>) -> Bool {
        ProtoReader(options).contains { $0.number == 7 && $0.integer == 1 }
    }

    private static func name(of bytes: ArraySlice<UInt8>) -> String {
        ProtoReader(bytes).first { $0.number == 1 }?.text ?? ""
    }
}

extension SchemaIndex.Field {
    private static let types: [UInt64: String] = [
        1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32",
        8: "bool", 9: "string", 11: "message", 12: "bytes", 13: "uint32", 14: "enum",
        15: "sfixed32", 16: "sfixed64", 17: "sint32", 18: "sint64",
    ]

    fileprivate init(_ bytes: ArraySlice<UInt8>, _ oneofs: [String]) {
        var values: [Int: ProtoReader.Field] = [:]
        for part in ProtoReader(bytes) { values[part.number] = part }
        name = values[1]?.text ?? ""
        number = Int(values[3]?.integer ?? 0)
        type = Self.types[values[5]?.integer ?? 0] ?? "unknown"
        typeName = values[6].map { String($0.text.drop { $0 == "." }) } ?? ""
        isRepeated = values[4]?.integer == 3
        oneof = values[9].flatMap { place in
            oneofs.indices.contains(Int(place.integer)) ? oneofs[Int(place.integer)] : nil
        }
    }
}
