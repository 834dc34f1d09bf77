import BridgeProtocol

extension ScenarioReader {
    /// Actions that are no gesture, with the members that may stand beside them.
    static let actions: [(name: String, companions: [String])] = [
        ("call", ["with", "later"]), ("await", []), ("show_flow", ["locale", "actions", "as"]),
        ("show_onboarding", ["locale", "actions", "as"]), ("advance", []), ("conditions", []),
        ("answer", ["question"]),
    ]

    /// Members that every step may have.
    static let common = ["note", "on"] + expectations

    /// Reads one step.
    mutating func step(_ node: JSONNode, at path: String) throws(ScenarioFault) -> Step {
        guard node.isObject else {
            throw ScenarioFault(node, path, "\(node.kind) stands here, an object is wanted")
        }
        let name = try actionName(node, path)
        let action = try action(name, node, path)
        let view = try viewName(node, path)
        for expectation in Self.expectations {
            guard let value = node[expectation] else { continue }
            try checkExpected(value, "\(path).\(expectation)")
            known.formUnion(value.captureNames)
        }
        try checkPlace(of: "reply", node, path, action)
        let step = Step(
            line: node.line, title: Self.title(node, name), action: action, view: view,
            callbacks: try callbacks(node["expect"], "\(path).expect"),
            reply: try node["reply"].map { (reply) throws(ScenarioFault) in
                try patterns.message(reply, replyMessage(of: action), at: "\(path).reply")
            },
            error: try errorPattern(node["error"], "\(path).error"),
            screen: try screenPattern(node["screen"], "\(path).screen"),
            profile: try node["profile"].map { (profile) throws(ScenarioFault) in
                try patterns.message(profile, "Profile", at: "\(path).profile")
            })
        if case .show(_, _, _, _, let name?) = action { known.insert(name) }
        if case .await(let later) = action { putOff[later] = nil }
        return step
    }

    /// The one member that says what is done; empty for a step that only looks.
    private func actionName(_ node: JSONNode, _ path: String) throws(ScenarioFault) -> String {
        let forms = GestureForm.all.map { ($0.name, $0.companions.map(\.name)) }
        let table = Self.actions.map { ($0.name, $0.companions) } + forms
        // `conditions`, `open` and the like are actions, `in` and `with` are not.
        let found = table.filter { node[$0.0] != nil }
        guard found.count <= 1 else {
            throw ScenarioFault(
                node, path,
                "a step does one thing, this one has \(found.map(\.0).joined(separator: " and "))")
        }
        let allowed = (found.first.map { [$0.0] + $0.1 } ?? []) + Self.common
        for member in node.members where !allowed.contains(member.name) {
            let names = allowed + (found.isEmpty ? table.map(\.0) : [])
            throw ScenarioFault(
                member.value, "\(path).\(member.name)",
                "there is no \"\(member.name)\" here; \(hint(member.name, names))")
        }
        guard found.isEmpty else { return found[0].0 }
        guard Self.expectations.contains(where: { node[$0] != nil }) else {
            throw ScenarioFault(
                node, path,
                "a step has an action (\(table.map(\.0).joined(separator: ", "))) or an "
                    + "expectation (\(Self.expectations.joined(separator: ", ")))")
        }
        return ""
    }

    private mutating func action(
        _ name: String, _ node: JSONNode, _ path: String
    ) throws(ScenarioFault) -> Step.Action {
        if let form = GestureForm.all.first(where: { $0.name == name }) {
            return try gestures(form, node, path)
        }
        let inner = "\(path).\(name)"
        switch name {
        case "call": return try call(node, path)
        case "await":
            let later = try text(node, "await", at: path) ?? ""
            guard putOff[later] != nil else {
                let names = putOff.keys.sorted()
                let help = names.isEmpty ? "" : "; \(hint(later, names))"
                throw ScenarioFault(
                    node, inner, "no call before waits as \"later\": \"\(later)\"\(help)")
            }
            return .await(later)
        case "show_flow": return try show(.flow, name, node, path)
        case "show_onboarding": return try show(.onboarding, name, node, path)
        case "advance": return .advance(ms: try span(node["advance"] ?? node, at: inner))
        case "conditions":
            let request = try request("set_conditions", node["conditions"], at: inner)
            guard let method = MethodTable.named("set_conditions"), let request else {
                return .look
            }
            return .call(method, request, later: nil)
        case "answer":
            let question = try text(node, "question", at: path)
            return .answer(try answer(node["answer"] ?? node, inner), question: question)
        default: return .look
        }
    }

    private func gestures(
        _ form: GestureForm, _ node: JSONNode, _ path: String
    ) throws(ScenarioFault) -> Step.Action {
        for companion in form.companions where companion.isRequired && node[companion.name] == nil {
            throw ScenarioFault(node, path, "\(form.name) needs \"\(companion.name)\"")
        }
        let words = GestureForm.Words(node: node, form: form.name, path: path)
        let gestures = try form.gestures(words).map { JSONNode.object([$0]) }
        for gesture in gestures { try checkReferences(gesture, path) }
        return .gestures(gestures)
    }

    private mutating func call(
        _ node: JSONNode, _ path: String
    ) throws(ScenarioFault) -> Step.Action {
        let name = try text(node, "call", at: path) ?? ""
        let given = node["with"] ?? JSONNode(.object([]), line: node.line)
        let request = try request(
            name, given, at: "\(path).\(node["with"] == nil ? "call" : "with")")
        guard let method = MethodTable.named(name), let request else { return .look }
        if ["hello", "subscribe", "unsubscribe", "cancel"].contains(method.name) {
            throw ScenarioFault(
                node, "\(path).call", "\(method.name) is this program's own to call")
        }
        let later = try text(node, "later", at: path)
        if let later { putOff[later] = method }
        return .call(method, request, later: later)
    }

    private func show(
        _ kind: ViewInfo.Kind, _ member: String, _ node: JSONNode, _ path: String
    ) throws(ScenarioFault) -> Step.Action {
        let modes = MessageTree.schema.enums[MessageTree.package + "ActionHandling.Mode"] ?? []
        let actions = try text(node, "actions", at: path) ?? "AUTOMATIC"
        guard modes.contains(actions) else {
            throw ScenarioFault(
                node, "\(path).actions",
                "\"\(actions)\" is none of \(modes.joined(separator: ", "))")
        }
        let name = try text(node, "as", at: path)
        if let name, !name.isScenarioName {
            throw ScenarioFault(node, "\(path).as", "a name of letters, digits and _ is wanted")
        }
        return .show(
            kind, placement: try text(node, member, at: path) ?? "",
            locale: try text(node, "locale", at: path) ?? "", actions: actions, name: name)
    }

    /// `"granted"`, `true`, `{"alert": "ok"}` … as the members of `answer`.
    private func answer(_ node: JSONNode, _ path: String) throws(ScenarioFault) -> JSONNode {
        let wanted =
            "{\"retry\": true}, {\"permission\": \"granted\", \"detail\": \"…\"}, {\"alert\": \"ACTION\"} "
            + "or {\"observer\": \"started\"} is wanted"
        guard let first = node.members.first else {
            throw ScenarioFault(node, path, "\(node.kind) stands here; \(wanted)")
        }
        let rest = node.members.dropFirst()
        switch (first.name, rest.first?.name) {
        case ("retry", nil): return .object([("retry", first.value)])
        case ("alert", nil): return .object([("alert_action_id", first.value)])
        case ("observer", nil): return .object([("observer", .object([("step", first.value)]))])
        case ("permission", nil), ("permission", "detail"):
            let detail = rest.first.map { [("detail", $0.value)] } ?? []
            return .object([("permission", .object([("status", first.value)] + detail))])
        default: throw ScenarioFault(node, path, "\(node.shown) stands here; \(wanted)")
        }
    }

    private func viewName(_ node: JSONNode, _ path: String) throws(ScenarioFault) -> String? {
        guard let name = try text(node, "on", at: path) else { return nil }
        let plain = name.referenceName ?? name
        guard known.contains(plain) else {
            throw ScenarioFault(
                node, "\(path).on",
                "no view \"\(plain)\"; \"as\" of show_flow or show_onboarding names one")
        }
        return plain
    }

    private func replyMessage(of action: Step.Action) -> String {
        switch action {
        case .call(let method, _, _): method.replyMessage
        case .await(let later): putOff[later]?.replyMessage ?? ""
        default: ""
        }
    }

    private func checkPlace(
        of member: String, _ node: JSONNode, _ path: String, _ action: Step.Action
    ) throws(ScenarioFault) {
        guard let value = node[member] else { return }
        switch action {
        case .call(_, _, let later) where later == nil: return
        case .await: return
        default:
            throw ScenarioFault(value, "\(path).\(member)", "only a call and an await have a reply")
        }
    }

    /// Names that what is expected refers to have to be known too.
    private func checkExpected(_ node: JSONNode, _ path: String) throws(ScenarioFault) {
        let own = known.union(node.captureNames).union(["any"])
        for (name, place) in node.references where !own.contains(name) {
            throw ScenarioFault(
                place, path,
                "nothing captures $\(name); a text that begins with $ is written with $$")
        }
    }

    /// The step in words, without what it expects.
    private static func title(_ node: JSONNode, _ action: String) -> String {
        guard !action.isEmpty else { return "look" }
        return node.members.filter { !common.contains($0.name) || $0.name == "on" }.map { member in
            let value = member.value.bool == true ? "" : " " + member.value.shown
            return member.name.replacingUnderscores + value
        }.joined(separator: " ")
    }
}

extension String {
    fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? " " : $0 }) }
}
