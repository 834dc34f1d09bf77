/// One method of the protocol: a member of `ClientFrame.body` and what answers it.
public struct MethodInfo: Sendable, Equatable {
    /// Place in `MethodTable.all`, from 0.
    public let index: Int
    /// Such as `get_flow`.
    public let name: String
    /// Such as `getFlow`, as line mode prints it.
    public let jsonName: String
    /// Field number in both frames.
    public let number: Int
    /// Name of the request message.
    public let request: String
    /// The member of `ServerFrame.body` that answers; `welcome` for `hello`, else the same name.
    public let reply: String
    /// Name of the answer's message.
    public let replyMessage: String
}

extension MethodTable {
    /// The method with this name, in either spelling; nil if there is none.
    public static func named(_ name: String) -> MethodInfo? {
        all.first { $0.name == name || $0.jsonName == name }
    }
}

extension ClientFrame.Body {
    /// The method that this member asks for.
    public var method: MethodInfo { MethodTable.all[methodIndex] }
}

extension EventKindTable {
    /// The place of a kind's name in `names`; nil if there is no such kind.
    public static func index(of name: String) -> Int? {
        names.firstIndex(of: name)
    }
}

extension Event.Kind {
    /// The member name, such as `flow_did_appear`.
    public var name: String { EventKindTable.names[index] }
}
