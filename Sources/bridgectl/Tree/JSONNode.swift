/// A JSON value that knows the line of its text.
///
/// Members keep their order, numbers keep the text in which they were written: `3` and `3.0` stay
/// apart, and no integer loses a digit.
struct JSONNode: Sendable {
    /// What a value is.
    enum Value: Sendable {
        case null
        case bool(Bool)
        /// As written, by the grammar of JSON.
        case number(String)
        case string(String)
        case list([JSONNode])
        case object([Member])
    }

    /// A name and its value.
    struct Member: Sendable {
        let name: String
        let value: JSONNode
    }

    let value: Value
    /// Of its first character, from 1; 0: it comes from no text.
    let line: Int

    init(_ value: Value, line: Int = 0) {
        self.value = value
        self.line = line
    }

    static func string(_ text: String) -> JSONNode { JSONNode(.string(text)) }
    static func int(_ number: some BinaryInteger) -> JSONNode { JSONNode(.number("\(number)")) }
    static func bool(_ flag: Bool) -> JSONNode { JSONNode(.bool(flag)) }
    static func list(_ items: [JSONNode]) -> JSONNode { JSONNode(.list(items)) }

    static func object(_ members: [(String, JSONNode)]) -> JSONNode {
        JSONNode(.object(members.map { Member(name: $0.0, value: $0.1) }))
    }

    /// Its members; empty for what is no object.
    var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// Its items; empty for what is no list.
    var items: [JSONNode] {
        if case .list(let items) = value { items } else { [] }
    }

    var text: String? {
        if case .string(let text) = value { text } else { nil }
    }

    var bool: Bool? {
        if case .bool(let flag) = value { flag } else { nil }
    }

    var isObject: Bool {
        if case .object = value { true } else { false }
    }

    /// The value of a member, by its exact name.
    subscript(name: String) -> JSONNode? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// What it is, for an error: `a number`.
    var kind: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

extension JSONNode {
    /// The value on one line, without white space.
    var compact: String { written(spaced: false) }

    /// The value on one line, with a space behind each comma and colon.
    var spaced: String { written(spaced: true) }

    private func written(spaced: Bool) -> String {
        let comma = spaced ? ", " : ","
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return JSONText.quoted(text)
        case .list(let items):
            return "[" + items.map { $0.written(spaced: spaced) }.joined(separator: comma) + "]"
        case .object(let members):
            let colon = spaced ? ": " : ":"
            let parts = members.map {
                JSONText.quoted($0.name) + colon + $0.value.written(spaced: spaced)
            }
            return "{" + parts.joined(separator: comma) + "}"
        }
    }

    /// The value over several lines: what fits `columns` stays on one.
    func laidOut(indent: Int = 0, columns: Int = 100, after used: Int = 0) -> String {
        let flat = spaced
        if indent + used + flat.count <= columns { return flat }
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch value {
        case .list(let items) where !items.isEmpty:
            let lines = items.map { inner + $0.laidOut(indent: indent + 2, columns: columns) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
        case .object(let members) where !members.isEmpty:
            let lines = members.map { member in
                let name = JSONText.quoted(member.name) + ": "
                return inner + name
                    + member.value.laidOut(
                        indent: indent + 2, columns: columns, after: name.count + 1)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + outer + "}"
        default: return flat
        }
    }
}
