/// One field of a request as `introspect` shows it.
struct FieldRow {
    /// Dotted path in the names of the .proto files; `[]` marks a list.
    let path: String
    /// Such as `uint64`, `map<string, int64>` or `AUTOMATIC | SDK | APP`.
    let type: String
    /// The name of the oneof that it excludes others of; nil too for a oneof of one member, which
    /// only tells whether the field is given.
    let oneof: String?
    /// What the .proto file says about it; may be empty.
    let comment: String
}

extension SchemaIndex {
    private static let depthMax = 8

    /// Every field of a message, those of the messages within it too.
    func rows(of message: String) -> [FieldRow] {
        rows(message, "", Self.depthMax)
    }

    private func rows(_ name: String, _ prefix: String, _ depth: Int) -> [FieldRow] {
        guard depth > 0, let message = messages[name] else { return [] }
        return message.fields.flatMap { field -> [FieldRow] in
            let isMap = isMap(field)
            let path = prefix + field.name + (field.isRepeated && !isMap ? "[]" : "")
            let rivals = message.fields.count { $0.oneof != nil && $0.oneof == field.oneof }
            let row = FieldRow(
                path: path, type: type(of: field), oneof: rivals > 1 ? field.oneof : nil,
                comment: FieldComments.table["\(Self.shortName(name)).\(field.name)"] ?? "")
            if field.type != "message" || isMap { return [row] }
            return [row] + rows(field.typeName, path + ".", depth - 1)
        }
    }

    private func isMap(_ field: Field) -> Bool {
        field.type == "message" && messages[field.typeName]?.isMapEntry == true
    }

    private func type(of field: Field) -> String {
        switch field.type {
        case "enum": return enums[field.typeName]?.joined(separator: " | ") ?? "enum"
        case "message":
            let short = Self.shortName(field.typeName)
            guard isMap(field), let entry = messages[field.typeName], entry.fields.count == 2 else {
                return short
            }
            return "map<\(type(of: entry.fields[0])), \(type(of: entry.fields[1]))>"
        default: return field.type
        }
    }

    /// The name without its package.
    private static func shortName(_ full: String) -> String {
        full.split(separator: ".").last.map(String.init) ?? full
    }
}
