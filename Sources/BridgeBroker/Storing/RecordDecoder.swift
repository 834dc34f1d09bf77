import CJansson

/// Reads a value back from a stored record.
///
/// A member that is missing, as in a record of an older program, reads as false, 0, "", empty or
/// nil; one that nobody asks for, as in one of a newer program, is passed over. So a type can get
/// and lose members without a migration, as long as that is the right value for those of old.
struct RecordDecoder {
    /// The value of a record.
    ///
    /// - Throws: `DecodingError` for bytes that are no JSON, and for a member of another type.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        var error = json_error_t()
        let root = bytes.withUnsafeBufferPointer { text in
            text.baseAddress.flatMap { start in
                start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                    fb_json_load($0, text.count, 0, &error)
                }
            }
        }
        guard let root else { throw fault("no JSON") }
        defer { json_decref(root) }
        return try Value(from: RecordValueDecoder(node: root))
    }

    fileprivate static func fault(_ text: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: text))
    }
}

private typealias RecordNode = UnsafeMutablePointer<json_t>

/// Decodes one value; without a node, one that is missing.
private struct RecordValueDecoder: Decoder {
    let node: RecordNode?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let node, node.pointee.type != JSON_OBJECT {
            throw RecordDecoder.fault("an object was expected")
        }
        return KeyedDecodingContainer(RecordObject<Key>(node: node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if let node, node.pointee.type != JSON_ARRAY {
            throw RecordDecoder.fault("a list was expected")
        }
        return RecordArray(node: node)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { RecordScalar(node: node) }

    /// The value itself, of a kind that JSON has, or made by its own type.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let found: Any?
        switch type {
        case is String.Type: found = try text()
        case is Bool.Type: found = try flag()
        case is Double.Type: found = try double()
        case is UInt64.Type: found = UInt64(bitPattern: try integer())
        case let type as any FixedWidthInteger.Type: found = type.init(exactly: try integer())
        default: return try Value(from: self)
        }
        guard let value = found as? Value else { throw RecordDecoder.fault("no \(type)") }
        return value
    }

    private func text() throws -> String {
        guard let node else { return "" }
        guard node.pointee.type == JSON_STRING, let start = json_string_value(node) else {
            throw RecordDecoder.fault("a text was expected")
        }
        return String(
            decoding: UnsafeRawBufferPointer(start: start, count: json_string_length(node)),
            as: UTF8.self)
    }

    private func flag() throws -> Bool {
        switch node?.pointee.type {
        case nil, JSON_FALSE: return false
        case JSON_TRUE: return true
        default: throw RecordDecoder.fault("true or false was expected")
        }
    }

    private func integer() throws -> Int64 {
        guard let node else { return 0 }
        guard node.pointee.type == JSON_INTEGER else {
            throw RecordDecoder.fault("an integer was expected")
        }
        return json_integer_value(node)
    }

    private func double() throws -> Double {
        guard let node else { return 0 }
        guard node.pointee.type == JSON_REAL || node.pointee.type == JSON_INTEGER else {
            throw RecordDecoder.fault("a number was expected")
        }
        return json_number_value(node)
    }
}

private struct RecordObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: RecordNode?
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        var keys: [Key] = []
        var next = json_object_iter(node)
        while let member = next {
            if let name = json_object_iter_key(member),
                let key = Key(stringValue: String(cString: name))
            {
                keys.append(key)
            }
            next = json_object_iter_next(node, member)
        }
        return keys
    }

    private func decoder(_ key: Key) -> RecordValueDecoder {
        RecordValueDecoder(node: json_object_get(node, key.stringValue))
    }

    func contains(_ key: Key) -> Bool { decoder(key).node != nil }

    func decodeNil(forKey key: Key) -> Bool {
        decoder(key).node.map { $0.pointee.type == JSON_NULL } ?? true
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { RecordValueDecoder(node: node) }

    func superDecoder(forKey key: Key) -> any Decoder { decoder(key) }
}

private struct RecordArray: UnkeyedDecodingContainer {
    let node: RecordNode?
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }

    init(node: RecordNode?) {
        self.node = node
    }

    var count: Int? { json_array_size(node) }
    var isAtEnd: Bool { currentIndex >= json_array_size(node) }

    private mutating func next() throws -> RecordValueDecoder {
        guard !isAtEnd else { throw RecordDecoder.fault("the list ends early") }
        defer { currentIndex += 1 }
        return RecordValueDecoder(node: json_array_get(node, currentIndex))
    }

    mutating func decodeNil() throws -> Bool {
        guard json_array_get(node, currentIndex)?.pointee.type == JSON_NULL else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().value(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct RecordScalar: SingleValueDecodingContainer {
    let node: RecordNode?
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { node.map { $0.pointee.type == JSON_NULL } ?? true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try RecordValueDecoder(node: node).value(type)
    }
}
