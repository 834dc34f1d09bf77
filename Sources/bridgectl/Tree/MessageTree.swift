import BridgeProtocol

/// Messages as readable trees: the names of the .proto files, numbers as numbers, values without
/// the member that tells their type (`{"int64":"3"}` is `3`, `{"double":3}` is `3.0`), the JSON of
/// payloads as JSON.
struct MessageTree {
    /// The schema of this program.
    static let schema = SchemaIndex(Schema.fileDescriptorSet)
    static let package = "flowbridge.v1."

    /// Whether fields that hold their default are there too.
    let keepsDefaults: Bool

    /// A message out of its line-mode JSON.
    ///
    /// - Parameter message: its name without the package.
    func tree(_ json: String, of message: String) -> JSONNode {
        // What a coder wrote is sound.
        guard let node = try? JSONTreeReader.read(json) else { return .object([]) }
        return object(node, Self.package + message)
    }

    /// The content of an answer.
    func tree(of body: ServerFrame.Body, message: String) -> JSONNode {
        tree(WireJSON.text(of: body), of: message)
    }

    /// An event: its kind with its content, and what stands around it.
    func tree(of event: Event) -> JSONNode { tree(of: .event(event), message: "Event") }

    private func object(_ node: JSONNode, _ message: String) -> JSONNode {
        let fields = Self.schema.messages[message]?.fields ?? []
        let members = fields.compactMap { field -> (String, JSONNode)? in
            guard let value = node[field.jsonName] else { return nil }
            let readable = self.value(value, field)
            let isChosen = field.oneof != nil
            if !keepsDefaults, !isChosen, readable.isDefault { return nil }
            return (field.name, readable)
        }
        return .object(members)
    }

    private func value(_ node: JSONNode, _ field: SchemaIndex.Field) -> JSONNode {
        if let entry = Self.schema.mapEntry(of: field) {
            return .object(node.members.map { ($0.name, single($0.value, entry)) })
        }
        if field.isRepeated { return .list(node.items.map { single($0, field) }) }
        return single(node, field)
    }

    private func single(_ node: JSONNode, _ field: SchemaIndex.Field) -> JSONNode {
        if let kind = field.plainKind { return plain(node, kind) }
        switch field.type {
        case "message": return object(node, field.typeName)
        case "int64", "uint64", "fixed64", "sfixed64", "sint64":
            return node.text.map { JSONNode(.number($0)) } ?? node
        case "string" where field.name.hasPrefix("payload_json"):
            guard let text = node.text, let payload = try? JSONTreeReader.read(text) else {
                return node
            }
            return payload
        default: return node
        }
    }

    /// A `Value` or an `AttributeValue`.
    private func plain(_ node: JSONNode, _ kind: SchemaIndex.Field.PlainKind) -> JSONNode {
        guard let member = node.members.first else { return JSONNode(.null) }
        switch (member.name, member.value.value) {
        case ("int64", .string(let text)): return JSONNode(.number(text))
        case ("double", .number(let text)):
            let isWhole = kind == .value && !text.contains { ".eE".contains($0) }
            return JSONNode(.number(isWhole ? text + ".0" : text))
        case ("stringList", _): return .list(member.value["values"]?.items ?? [])
        default: return member.value
        }
    }
}

extension JSONNode {
    /// What a field holds that was not set.
    fileprivate var isDefault: Bool {
        switch value {
        case .null: true
        case .bool(let flag): !flag
        case .number(let text): text == "0"
        case .string(let text): text.isEmpty
        case .list(let items): items.isEmpty
        case .object(let members): members.isEmpty
        }
    }
}

extension SchemaIndex {
    /// The field with a name in either spelling.
    func field(_ name: String, of message: String) -> Field? {
        messages[message]?.fields.first { $0.name == name || $0.jsonName == name }
    }

    /// The value of a map's entries; nil: the field is no map.
    func mapEntry(of field: Field) -> Field? {
        guard field.type == "message", let entry = messages[field.typeName], entry.isMapEntry else {
            return nil
        }
        return entry.fields.first { $0.number == 2 }
    }
}

extension SchemaIndex.Field {
    /// Messages that are read as the plain value that they hold.
    enum PlainKind {
        /// Keeps integer and double apart.
        case value
        case attribute
    }

    /// nil: it is no such message.
    var plainKind: PlainKind? {
        switch typeName {
        case MessageTree.package + "Value": .value
        case MessageTree.package + "AttributeValue": .attribute
        default: nil
        }
    }

    /// As line mode prints it.
    var jsonName: String {
        var name = ""
        var isUpper = false
        for character in self.name {
            if character == "_" {
                isUpper = true
            } else {
                name += isUpper ? character.uppercased() : String(character)
                isUpper = false
            }
        }
        return name
    }
}
