import Foundation

/// JSON to compare key by key: the order of keys does not matter, types do.
enum JSONValue: Decodable, Equatable {
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
    case null

    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let double = try? value.decode(Double.self) {
            self = .double(double)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Every place where two values differ, as paths; empty: they are the same.
    static func differences(_ a: JSONValue?, _ b: JSONValue?, at path: String = "") -> [String] {
        switch (a, b) {
        case (.object(let a), .object(let b)):
            Set(a.keys).union(b.keys).sorted().flatMap { key in
                differences(a[key], b[key], at: path + "/" + key)
            }
        case (.array(let a), .array(let b)) where a.count == b.count:
            a.indices.flatMap { differences(a[$0], b[$0], at: path + "/\($0)") }
        default: a == b ? [] : ["\(path): \(text(a)), not \(text(b))"]
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        value.map { "\($0)" } ?? "nothing"
    }
}
