/// Turns what a scenario expects into a pattern, and checks it against the schema: a member that no
/// message has is a fault of the file.
struct PatternReader {
    let schema = MessageTree.schema

    /// A message of the schema, by its name without the package.
    func message(
        _ node: JSONNode, _ name: String, at path: String
    ) throws(ScenarioFault) -> Pattern {
        try message(node, full: MessageTree.package + name, path)
    }

    private func message(
        _ node: JSONNode, full name: String, _ path: String
    ) throws(ScenarioFault) -> Pattern {
        if let special = try special(node, path) { return special }
        guard node.isObject else {
            throw ScenarioFault(node, path, "\(node.kind) stands here, an object is wanted")
        }
        var members: [(name: String, pattern: Pattern)] = []
        for member in node.members {
            let inner = path + "." + member.name
            guard let field = schema.field(member.name, of: name) else {
                throw unknown(member, in: schema.messages[name]?.fields.map(\.name) ?? [], inner)
            }
            members.append((field.name, try value(member.value, field, inner)))
        }
        return .message(members)
    }

    /// The value of a field.
    func value(
        _ node: JSONNode, _ field: SchemaIndex.Field, _ path: String
    ) throws(ScenarioFault) -> Pattern {
        if let special = try special(node, path) { return special }
        if let entry = schema.mapEntry(of: field) {
            guard node.isObject else {
                throw ScenarioFault(node, path, "\(node.kind) stands here, an object is wanted")
            }
            var members: [(name: String, pattern: Pattern)] = []
            for member in node.members {
                members.append(
                    (member.name, try single(member.value, entry, path + "." + member.name)))
            }
            return .map(members)
        }
        guard field.isRepeated else { return try single(node, field, path) }
        guard case .list(let items) = node.value else {
            throw ScenarioFault(node, path, "\(node.kind) stands here, a list is wanted")
        }
        var patterns: [Pattern] = []
        for (index, item) in items.enumerated() {
            patterns.append(try single(item, field, "\(path)[\(index)]"))
        }
        return .list(patterns)
    }

    private func single(
        _ node: JSONNode, _ field: SchemaIndex.Field, _ path: String
    ) throws(ScenarioFault) -> Pattern {
        if let special = try special(node, path) { return special }
        if let kind = field.plainKind { return try plain(node, isTyped: kind == .value, path) }
        if field.type == "message" { return try message(node, full: field.typeName, path) }
        if field.name.hasPrefix("payload_json") { return try plain(node, isTyped: false, path) }
        try check(node, field, path)
        return try plain(node, isTyped: false, path)
    }

    /// JSON as it stands, with `$any` and the like within it.
    func plain(
        _ node: JSONNode, isTyped: Bool, _ path: String
    ) throws(ScenarioFault) -> Pattern {
        if let special = try special(node, path) { return special }
        switch node.value {
        case .list(let items):
            var patterns: [Pattern] = []
            for item in items { patterns.append(try plain(item, isTyped: isTyped, path)) }
            return .list(patterns)
        case .object(let members):
            var patterns: [(name: String, pattern: Pattern)] = []
            for member in members {
                let inner = path + "." + member.name
                patterns.append((member.name, try plain(member.value, isTyped: isTyped, inner)))
            }
            return .map(patterns)
        case .string(let text): return .scalar(.string(text.withoutEscape), isTyped: isTyped)
        default: return .scalar(node, isTyped: isTyped)
        }
    }

    /// `"$any"`, `"$name"`, `{"$capture": "name"}` and `null`.
    private func special(_ node: JSONNode, _ path: String) throws(ScenarioFault) -> Pattern? {
        switch node.value {
        case .null: return .absent
        case .string(let text):
            guard let name = text.referenceName else { return nil }
            return name == "any" ? .any : .reference(name)
        case .object(let members) where members.contains { $0.name == "$capture" }:
            guard members.count == 1, let name = members[0].value.text, name.isScenarioName else {
                throw ScenarioFault(
                    node, path,
                    "{\"$capture\": \"name\"} is wanted, with a name of letters, digits and _")
            }
            return .capture(name)
        default: return nil
        }
    }

    private func check(
        _ node: JSONNode, _ field: SchemaIndex.Field, _ path: String
    ) throws(ScenarioFault) {
        let wanted: String
        switch (field.type, node.value) {
        case ("bool", .bool), ("string", .string), ("bytes", .string): return
        case ("enum", .string(let name)):
            let names = schema.enums[field.typeName] ?? []
            if names.contains(name) { return }
            wanted = "one of \(names.joined(separator: ", "))"
        case ("bool", _): wanted = "true or false"
        case ("string", _), ("bytes", _): wanted = "a text"
        case ("enum", _): wanted = "the name of a value"
        case (_, .number): return
        default: wanted = "a number"
        }
        throw ScenarioFault(node, path, "\(node.shown) stands here, \(wanted) is wanted")
    }

    private func unknown(
        _ member: JSONNode.Member, in names: [String], _ path: String
    ) -> ScenarioFault {
        ScenarioFault(
            member.value, path, "there is no \"\(member.name)\"; \(hint(member.name, names))")
    }
}

/// What a wrong name may have meant, or what there is.
func hint(_ name: String, _ names: [String]) -> String {
    if let close = nearest(to: name, in: names) { return "did you mean \(close)?" }
    return names.isEmpty ? "nothing may stand here" : "there are \(names.joined(separator: ", "))"
}

extension String {
    /// The name behind `$`; nil for other texts and for `$$…`, which stands for `$…`.
    var referenceName: String? {
        let name = dropFirst()
        return first == "$" && String(name).isScenarioName ? String(name) : nil
    }

    /// Letters, digits and `_`, a letter first.
    var isScenarioName: Bool {
        (first?.isLetter ?? false)
            && utf8.allSatisfy { byte in
                Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || byte == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }

    /// With `$` for a leading `$$`.
    var withoutEscape: String { hasPrefix("$$") ? String(dropFirst()) : self }
}
