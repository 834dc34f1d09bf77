import CJansson

/// Why a message of an onboarding document was dropped; names fields, never their values (OB-14).
package struct MessageFault: Error, Equatable {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// A value inside a parsed message, and the path to it. Valid as long as the message's tree.
struct MessageValue {
    private let node: UnsafeMutablePointer<json_t>
    private let path: String

    init(_ node: UnsafeMutablePointer<json_t>, path: String) {
        self.node = node
        self.path = path
    }

    /// A member of an object; nil when it is missing or null (OB-52).
    func member(_ key: String) -> MessageValue? {
        guard let member = json_object_get(node, key), member.pointee.type != JSON_NULL else {
            return nil
        }
        return MessageValue(member, path: path.isEmpty ? key : "\(path).\(key)")
    }

    /// A member that has to be there.
    func required(_ key: String) throws(MessageFault) -> MessageValue {
        guard let member = member(key) else {
            throw MessageFault("\(path.isEmpty ? key : "\(path).\(key)") is missing")
        }
        return member
    }

    /// This value, if it is an object.
    func object() throws(MessageFault) -> MessageValue {
        guard node.pointee.type == JSON_OBJECT else { throw mismatch("an object") }
        return self
    }

    /// The items, if this is an array.
    func items() throws(MessageFault) -> [MessageValue] {
        guard node.pointee.type == JSON_ARRAY else { throw mismatch("an array") }
        return (0..<json_array_size(node)).compactMap { index in
            json_array_get(node, index).map { MessageValue($0, path: "\(path)[\(index)]") }
        }
    }

    func string() throws(MessageFault) -> String {
        guard node.pointee.type == JSON_STRING, let start = json_string_value(node) else {
            throw mismatch("a text")
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: json_string_length(node))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Any number; a boolean counts as 0 or 1 (OB-53).
    func number() throws(MessageFault) -> Double {
        switch node.pointee.type {
        case JSON_TRUE: return 1
        case JSON_FALSE: return 0
        case JSON_INTEGER, JSON_REAL: return json_number_value(node)
        default: throw mismatch("a number")
        }
    }

    /// A number cut towards zero to a 32-bit integer (OB-53).
    func integer() throws(MessageFault) -> Int32 {
        guard let integer = Int32(exactly: try number().rounded(.towardZero)) else {
            throw mismatch("an integer of 32 bits")
        }
        return integer
    }

    /// This value is none of those that are known.
    func unknown() -> MessageFault {
        MessageFault("\(path) has an unknown value")
    }

    private func mismatch(_ expected: String) -> MessageFault {
        MessageFault("\(path.isEmpty ? "the message" : path) is not \(expected)")
    }
}
