import BridgeProtocol

/// What a scenario can look at, as trees.
enum SeenTree {
    private static let messages = MessageTree(keepsDefaults: true)

    /// An event: `kind`, its content, and what stands around it.
    static func event(_ event: Event) -> (kind: String, content: JSONNode, around: JSONNode) {
        let tree = messages.tree(of: event)
        let kind = event.kind?.name ?? ""
        return (kind, tree[kind] ?? .object([]), tree)
    }

    static func error(_ error: BridgeError) -> JSONNode {
        var members: [(String, JSONNode)] = []
        if let sdk = error.sdk {
            members = [
                ("sdk", .int(sdk.code)), ("name", .string(sdk.name)),
                ("message", .string(sdk.message)),
            ]
        } else {
            members = [
                ("bridge", .string(error.code.name)), ("message", .string(error.message)),
            ]
        }
        members += [("field", .string(error.field)), ("retryable", .bool(error.isRetryable))]
        return .object(members)
    }

    static func reply(_ body: ServerFrame.Body, message: String) -> JSONNode {
        messages.tree(of: body, message: message)
    }

    static func profile(_ body: ServerFrame.Body) -> JSONNode {
        messages.tree(of: body, message: "GetProfileReply")["profile"] ?? .object([])
    }

    /// The screen in control with its elements by name, and what the view adds.
    static func screen(_ body: ServerFrame.Body) -> JSONNode {
        let reply = messages.tree(of: body, message: "GetScreenReply")
        let screen = reply["screens"]?.items.last ?? .object([])
        let elements = (screen["elements"]?.items ?? []).map { element -> (String, JSONNode) in
            let options = (element["options"]?.items ?? []).map {
                ($0["option_id"]?.text ?? "", $0)
            }
            let members = element.members.map { ($0.name, $0.value) }
            return (
                element["element_id"]?.text ?? "",
                .object(members + [("options_by_id", .object(options))])
            )
        }
        let own = screen.members.filter { $0.name != "elements" }.map { ($0.name, $0.value) }
        let ofView = reply.members.filter { $0.name != "screens" }.map { ($0.name, $0.value) }
        return .object(own + ofView + [("elements", .object(elements))])
    }
}
