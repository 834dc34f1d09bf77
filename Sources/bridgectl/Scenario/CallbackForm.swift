import BridgeProtocol

/// Events in the form in which a scenario has them.
enum CallbackForm {
    private static let messages = MessageTree(keepsDefaults: false)

    /// `"flow_did_appear"`, `{"analytic": NAME, "params": {…}}` or `{KIND: {…}}`; without the
    /// payloads, which say the same again.
    static func of(_ event: Event) -> JSONNode { of(event, line: WireJSON.text(of: .event(event))) }

    /// - Parameter line: the event as line mode prints it, perhaps with values hidden.
    static func of(_ event: Event, line: String) -> JSONNode {
        let kind = event.kind?.name ?? ""
        let content = messages.tree(line, of: "Event")[kind] ?? .object([])
        // A close has no target.
        let kindName = content["kind"]?.text
        let isOpening = kindName == "open_url"
        let members = content.members.filter {
            !$0.name.hasPrefix("payload_json") && $0.name != "spelling"
                && ($0.name != "target" || isOpening || kindName == nil)
                && ($0.name != "name" || kindName == nil || $0.value.text != kindName)
        }
        if case .didReceiveAnalyticEvent(let analytic) = event.kind {
            let params = (content["params"]?.members ?? []).filter { $0.name != "name" }
            let named = JSONNode.object(params.map { ($0.name, $0.value) })
            return .object([("analytic", .string(analytic.name)), ("params", named)])
        }
        if members.isEmpty { return .string(kind) }
        return .object([(kind, .object(members.map { ($0.name, short($0.value, $0.name)) }))])
    }

    /// A product by its id; the other members are the catalog's.
    private static func short(_ value: JSONNode, _ name: String) -> JSONNode {
        guard name == "product", let id = value["vendor_product_id"] else { return value }
        return .object([("vendor_product_id", id)])
    }

    /// One line for people.
    static func line(_ form: JSONNode) -> String {
        if let name = form.text { return name }
        if let name = form["analytic"] {
            let rest = form.members.filter { $0.name != "analytic" && $0.name != "params" }
            let params = form["params"].map { " " + $0.spaced } ?? ""
            let others = rest.map { " \($0.name) \($0.value.spaced)" }.joined()
            return "analytic \(name.text ?? name.spaced)\(params)\(others)"
        }
        return form.members.map { "\($0.name) \($0.value.spaced)" }.joined(separator: " ")
    }
}

/// A line of what went wrong in a step.
struct FailureLine: Sendable, Equatable {
    /// What it is.
    enum Kind: Sendable {
        case text
        /// Expected and seen.
        case both
        /// Expected only.
        case missing
        /// Seen only.
        case unexpected
        /// Where the two lines above part.
        case detail
    }

    let kind: Kind
    let text: String

    /// With the sign in front of it.
    var signed: String {
        switch kind {
        case .text: text
        case .both: "    " + text
        case .missing: "  - " + text
        case .unexpected: "  + " + text
        case .detail: "      " + text
        }
    }
}
