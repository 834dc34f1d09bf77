import BridgeProtocol

extension ScenarioReader {
    /// The callbacks of a step: none without `expect`, nil for `"any"`.
    func callbacks(
        _ node: JSONNode?, _ path: String
    ) throws(ScenarioFault) -> [ExpectedCallback]? {
        guard let node else { return [] }
        if node.text == "any" { return nil }
        guard case .list(let items) = node.value else {
            throw ScenarioFault(
                node, path, "\(node.shown) stands here, a list or \"any\" is wanted")
        }
        var callbacks: [ExpectedCallback] = []
        for (index, item) in items.enumerated() {
            callbacks.append(try callback(item, "\(path)[\(index)]"))
        }
        return callbacks
    }

    private func callback(
        _ node: JSONNode, _ path: String
    ) throws(ScenarioFault) -> ExpectedCallback {
        if let name = node.text {
            let kind = try eventKind(name, node, path)
            return ExpectedCallback(kind: kind, content: nil, around: [], written: node)
        }
        guard node.isObject else {
            throw ScenarioFault(
                node, path, "\(node.kind) stands here, the name of an event or an object is wanted")
        }
        let around = ["sequence", "view_id", "time_ms", "time_zone"]
        let own = node.members.filter { !around.contains($0.name) }
        let (kind, content) = try content(own, node, path)
        return ExpectedCallback(
            kind: kind, content: content, around: try patternsAround(node, around, path),
            written: node)
    }

    /// The kind, and what is expected of its content.
    private func content(
        _ own: [JSONNode.Member], _ node: JSONNode, _ path: String
    ) throws(ScenarioFault) -> (String, Pattern?) {
        if let analytic = own.first(where: { $0.name == "analytic" }) {
            let rest = own.filter { $0.name != "analytic" }
                .map { $0.name == "params" ? Self.named($0, analytic.value) : $0 }
            let written = JSONNode(
                .object([.init(name: "name", value: analytic.value)] + rest), line: node.line)
            let content = try patterns.message(written, "DidReceiveAnalyticEvent", at: path)
            return ("did_receive_analytic_event", content)
        }
        guard own.count == 1 else {
            throw ScenarioFault(
                node, path,
                "one event stands here: {\"analytic\": NAME, \"params\": {…}} or {KIND: {…}}")
        }
        let kind = try eventKind(own[0].name, own[0].value, path)
        let message =
            MessageTree.schema.field(kind, of: MessageTree.package + "Event")?.typeName ?? ""
        let short = String(message.dropFirst(MessageTree.package.count))
        return (kind, try patterns.message(own[0].value, short, at: "\(path).\(kind)"))
    }

    /// The name of an analytic event is a param too, and need not be written twice.
    private static func named(_ params: JSONNode.Member, _ name: JSONNode) -> JSONNode.Member {
        guard params.value.isObject, params.value["name"] == nil else { return params }
        let members = [JSONNode.Member(name: "name", value: name)] + params.value.members
        return .init(name: params.name, value: JSONNode(.object(members), line: params.value.line))
    }

    private func patternsAround(
        _ node: JSONNode, _ names: [String], _ path: String
    ) throws(ScenarioFault) -> [(name: String, pattern: Pattern)] {
        var found: [(name: String, pattern: Pattern)] = []
        for name in names {
            guard let value = node[name],
                let field = MessageTree.schema.field(name, of: MessageTree.package + "Event")
            else { continue }
            found.append((name, try patterns.value(value, field, "\(path).\(name)")))
        }
        return found
    }

    /// `{"sdk": 2002}` or `{"bridge": "NOT_FOUND"}`, with what else is to hold.
    func errorPattern(_ node: JSONNode?, _ path: String) throws(ScenarioFault) -> Pattern? {
        guard let node else { return nil }
        let names = ["sdk", "bridge", "name", "field", "message", "retryable"]
        var members: [(name: String, pattern: Pattern)] = []
        for member in node.members {
            guard names.contains(member.name) else {
                throw ScenarioFault(
                    member.value, "\(path).\(member.name)",
                    "there is no \"\(member.name)\"; \(hint(member.name, names))")
            }
            members.append(
                (
                    member.name,
                    try patterns.plain(member.value, isTyped: false, "\(path).\(member.name)")
                ))
        }
        try checkError(node, path)
        return .message(members)
    }

    private func checkError(_ node: JSONNode, _ path: String) throws(ScenarioFault) {
        guard (node["sdk"] == nil) != (node["bridge"] == nil) else {
            throw ScenarioFault(
                node, path, "{\"sdk\": CODE} or {\"bridge\": \"NAME\"} is wanted, one of both")
        }
        let classes = MessageTree.schema.enums[MessageTree.package + "Error.Bridge"] ?? []
        if let name = node["bridge"]?.text, name.referenceName == nil, !classes.contains(name) {
            throw ScenarioFault(
                node["bridge"] ?? node, "\(path).bridge", "no \"\(name)\"; \(hint(name, classes))")
        }
        if let code = node["sdk"], code.text?.referenceName == nil {
            guard case .number(let text) = code.value, Int32(text) != nil else {
                throw ScenarioFault(code, "\(path).sdk", "a code of the SDK such as 2002 is wanted")
            }
        }
    }

    /// The screen in control, its elements by their names.
    func screenPattern(_ node: JSONNode?, _ path: String) throws(ScenarioFault) -> Pattern? {
        guard let node else { return nil }
        var members: [(name: String, pattern: Pattern)] = []
        for member in node.members {
            let inner = "\(path).\(member.name)"
            switch member.name {
            case "elements": members.append(("elements", try elements(member.value, inner)))
            case "alert":
                members.append(
                    ("alert", try patterns.message(member.value, "ScreenAlert", at: inner)))
            default:
                let field = try screenField(member, inner)
                members.append((field.name, try patterns.value(member.value, field, inner)))
            }
        }
        return .message(members)
    }

    private func screenField(
        _ member: JSONNode.Member, _ path: String
    ) throws(ScenarioFault) -> SchemaIndex.Field {
        let (schema, package) = (MessageTree.schema, MessageTree.package)
        let ofScreen = schema.field(member.name, of: package + "Screen")
        if let field = ofScreen ?? schema.field(member.name, of: package + "GetScreenReply"),
            field.name != "screens", field.name != "next_page_token"
        {
            return field
        }
        let names = [
            "screen_id", "navigator_id", "screen_order", "is_last_screen", "view_id", "locale",
            "is_right_to_left", "alert", "elements",
        ]
        throw ScenarioFault(
            member.value, path, "there is no \"\(member.name)\"; \(hint(member.name, names))")
    }

    private func elements(_ node: JSONNode, _ path: String) throws(ScenarioFault) -> Pattern {
        var members: [(name: String, pattern: Pattern)] = []
        for member in node.members {
            let inner = "\(path).\(member.name)"
            let options = member.value["options"].flatMap { $0.isObject ? $0 : nil }
            let own = JSONNode(
                options == nil
                    ? member.value.value
                    : .object(member.value.members.filter { $0.name != "options" }),
                line: member.value.line)
            var pattern = try patterns.message(own, "ScreenElement", at: inner)
            if let options, case .message(let found) = pattern {
                var byId: [(name: String, pattern: Pattern)] = []
                for option in options.members {
                    let place = "\(inner).options.\(option.name)"
                    byId.append(
                        (option.name, try patterns.message(option.value, "ScreenOption", at: place))
                    )
                }
                pattern = .message(found + [("options_by_id", .message(byId))])
            }
            members.append((member.name, pattern))
        }
        return .message(members)
    }
}
