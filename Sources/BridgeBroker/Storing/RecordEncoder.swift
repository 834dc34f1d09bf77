import FlowEngine

/// Writes a value as the JSON of a stored record.
///
/// `UInt64` is written as the signed number of the same bits; a member that is nil is left out, an
/// element that is nil becomes `null`, as NaN does.
struct RecordEncoder {
    /// The record of a value.
    ///
    /// - Throws: what the value's own encoding throws; the types of this package throw nothing.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let sink = RecordSink()
        try value.encode(to: RecordValueEncoder(sink: sink, depth: 0))
        sink.close(to: 0)
        return sink.writer.bytes
    }
}

/// The text as it grows, and which of its containers are open.
private final class RecordSink {
    var writer = PayloadWriter()
    private var open: [Bool] = []

    var depth: Int { open.count }

    func begin(isObject: Bool) -> Int {
        if isObject { writer.beginObject() } else { writer.beginArray() }
        open.append(isObject)
        return open.count
    }

    /// Ends the containers within the one of that depth.
    func close(to depth: Int) {
        while open.count > depth {
            if open.removeLast() { writer.endObject() } else { writer.endArray() }
        }
    }
}

/// Encodes one value, at the place that the text has come to.
private struct RecordValueEncoder: Encoder {
    let sink: RecordSink
    /// Of the container that the value is in.
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A value may ask for its container again: superclasses and enums do.
        let own = sink.depth > depth ? depth + 1 : sink.begin(isObject: true)
        return KeyedEncodingContainer(RecordObject<Key>(sink: sink, depth: own))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        RecordArray(sink: sink, depth: sink.begin(isObject: false))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        RecordScalar(sink: sink, depth: depth)
    }
}

/// How each kind of value is written.
private protocol RecordValues {
    var sink: RecordSink { get }
    var depth: Int { get }
}

extension RecordValues {
    fileprivate func write(_ value: some Encodable) throws {
        switch value {
        case let text as String: sink.writer.string(text)
        case let flag as Bool: sink.writer.bool(flag)
        case let number as Double: sink.writer.double(number)
        case let number as UInt64: sink.writer.integer(Int64(bitPattern: number))
        case let number as any FixedWidthInteger: sink.writer.integer(Int64(number))
        default:
            try value.encode(to: RecordValueEncoder(sink: sink, depth: depth))
            sink.close(to: depth)
        }
    }
}

private struct RecordObject<Key: CodingKey>: KeyedEncodingContainerProtocol, RecordValues {
    let sink: RecordSink
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    private func begin(_ key: Key) {
        sink.close(to: depth)
        sink.writer.key(key.stringValue)
    }

    mutating func encodeNil(forKey key: Key) {}

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        begin(key)
        try write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        begin(key)
        return KeyedEncodingContainer(
            RecordObject<Nested>(sink: sink, depth: sink.begin(isObject: true)))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        begin(key)
        return RecordArray(sink: sink, depth: sink.begin(isObject: false))
    }

    mutating func superEncoder() -> any Encoder { RecordValueEncoder(sink: sink, depth: depth) }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        begin(key)
        return RecordValueEncoder(sink: sink, depth: depth)
    }
}

private struct RecordArray: UnkeyedEncodingContainer, RecordValues {
    let sink: RecordSink
    let depth: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(sink: RecordSink, depth: Int) {
        self.sink = sink
        self.depth = depth
    }

    private mutating func begin() {
        sink.close(to: depth)
        count += 1
    }

    mutating func encodeNil() {
        begin()
        sink.writer.double(.nan)
    }

    mutating func encode(_ value: some Encodable) throws {
        begin()
        try write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        begin()
        return KeyedEncodingContainer(
            RecordObject<Nested>(sink: sink, depth: sink.begin(isObject: true)))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        begin()
        return RecordArray(sink: sink, depth: sink.begin(isObject: false))
    }

    mutating func superEncoder() -> any Encoder { RecordValueEncoder(sink: sink, depth: depth) }
}

private struct RecordScalar: SingleValueEncodingContainer, RecordValues {
    let sink: RecordSink
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { sink.writer.double(.nan) }

    mutating func encode(_ value: some Encodable) throws { try write(value) }
}
