import BridgeProtocol

/// Reads a scenario file. Strict: what it does not know is a fault with line and path.
struct ScenarioReader {
    /// A step may look at these.
    static let expectations = ["expect", "reply", "error", "screen", "profile"]
    static let members = [
        "$schema", "name", "about", "catalog", "device", "activate", "conditions", "ignore",
        "timeout",
        "steps",
    ]
    /// 2026-01-01T00:00:00Z: where the clock of a scenario begins unless it says otherwise.
    static let startMs: Int64 = 1_767_225_600_000
    /// More steps make no readable scenario.
    static let stepsMax = 10_000

    let file: String
    /// Names that a `$name` may stand for at this point.
    var known: Set<String> = ["view", "device"]
    /// Calls that may wait, by the names under which `await` finds them.
    var putOff: [String: MethodInfo] = [:]
    let patterns = PatternReader()

    /// Reads a text.
    static func read(_ text: String, file: String) throws(ScenarioFault) -> Scenario {
        let node: JSONNode
        do throws(JSONTreeFault) {
            node = try JSONTreeReader.read(text)
        } catch {
            throw ScenarioFault(
                line: error.line, "", "not JSON at column \(error.column): \(error.message)")
        }
        var reader = ScenarioReader(file: file)
        return try reader.scenario(node)
    }

    private mutating func scenario(_ node: JSONNode) throws(ScenarioFault) -> Scenario {
        guard node.isObject else { throw ScenarioFault(node, "", "the file has to be one object") }
        for member in node.members where !Self.members.contains(member.name) {
            throw ScenarioFault(
                member.value, member.name,
                "there is no \"\(member.name)\"; \(hint(member.name, Self.members))")
        }
        guard let name = try text(node, "name"), !name.isEmpty else {
            throw ScenarioFault(node, "name", "a scenario needs a name")
        }
        guard let list = node["steps"], case .list(let items) = list.value, !items.isEmpty else {
            throw ScenarioFault(node, "steps", "a list of at least one step is wanted")
        }
        guard items.count <= Self.stepsMax else {
            throw ScenarioFault(list, "steps", "\(items.count) steps, at most \(Self.stepsMax)")
        }
        let device = try device(node)
        let conditions = try request("set_conditions", node["conditions"], at: "conditions")
        var steps: [Step] = []
        for (index, item) in items.enumerated() {
            steps.append(try step(item, at: "steps[\(index)]"))
        }
        return Scenario(
            file: file, name: name, catalog: try catalog(node), device: device,
            activation: try activation(node), conditions: conditions,
            ignoredKinds: try ignored(node), timeout: try timeout(node), steps: steps)
    }

    private func catalog(_ node: JSONNode) throws(ScenarioFault) -> String? {
        guard let path = try text(node, "catalog"), path != "sample" else { return nil }
        return FilePath.absolute(path, beside: file)
    }

    private func device(_ node: JSONNode) throws(ScenarioFault) -> JSONNode {
        let given = node["device"] ?? .object([])
        guard given.isObject else {
            throw ScenarioFault(given, "device", "\(given.kind) stands here, an object is wanted")
        }
        var members = given.members.map { ($0.name, $0.value) }
        if given["clock"] == nil {
            let clock = JSONNode.object([
                ("kind", .string("MANUAL")), ("start_ms", .int(Self.startMs)),
            ])
            members.append(("clock", clock))
        }
        if given["random_seed"] == nil, given["randomSeed"] == nil {
            members.append(("random_seed", .int(1)))
        }
        let whole = JSONNode(
            .object(members.map { .init(name: $0.0, value: $0.1) }), line: given.line)
        return try request("open_device", whole, at: "device") ?? whole
    }

    private func activation(_ node: JSONNode) throws(ScenarioFault) -> JSONNode? {
        guard let given = node["activate"] else {
            return .object([("api_key", .string("public_live_scenario"))])
        }
        if given.bool == false { return nil }
        return try request("activate", given, at: "activate")
    }

    private func ignored(_ node: JSONNode) throws(ScenarioFault) -> Set<String> {
        var kinds: Set<String> = []
        for (index, item) in (node["ignore"]?.items ?? []).enumerated() {
            kinds.insert(try eventKind(item.text ?? "", item, "ignore[\(index)]"))
        }
        return kinds
    }

    private func timeout(_ node: JSONNode) throws(ScenarioFault) -> Duration? {
        guard let value = node["timeout"] else { return nil }
        return .milliseconds(try span(value, at: "timeout"))
    }

    /// A member that has to be a text; nil: not there.
    func text(_ node: JSONNode, _ name: String, at path: String = "") throws(ScenarioFault)
        -> String?
    {
        guard let value = node[name] else { return nil }
        guard let text = value.text else {
            throw ScenarioFault(
                value, path.isEmpty ? name : "\(path).\(name)",
                "\(value.kind) stands here, a text is wanted")
        }
        return text
    }

    /// Milliseconds: `"2.5s"`, `"500ms"`, `"1h"`, `"3d"`, or a number of them.
    func span(_ node: JSONNode, at path: String) throws(ScenarioFault) -> Int64 {
        switch node.value {
        case .number(let text):
            if let ms = Int64(text), ms >= 0 { return ms }
        case .string(let text):
            let units: [(String, Double)] = [
                ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
            ]
            for (suffix, factor) in units where text.hasSuffix(suffix) {
                if let number = Double(text.dropLast(suffix.count)), number >= 0,
                    number * factor < 1e15
                {
                    return Int64(number * factor)
                }
            }
        default: break
        }
        throw ScenarioFault(
            node, path,
            "\(node.shown) stands here; a span such as 500ms, 2.5s, 3m, 1h or 2d is wanted")
    }

    /// The request of a method, checked as far as its `$names` allow; nil: none is given.
    func request(
        _ method: String, _ node: JSONNode?, at path: String
    ) throws(ScenarioFault) -> JSONNode? {
        guard let node else { return nil }
        guard let info = MethodTable.named(method) else {
            let names = MethodTable.all.map(\.name)
            throw ScenarioFault(node, path, "no method \"\(method)\"; \(hint(method, names))")
        }
        guard node.isObject else {
            throw ScenarioFault(node, path, "\(node.kind) stands here, an object is wanted")
        }
        try checkReferences(node, path)
        if node.hasReference { return node }
        do throws(Exit) {
            _ = try WireJSON.request(info, node.resolved([:]).compact)
        } catch {
            throw ScenarioFault(node, path, error.message)
        }
        return node
    }

    /// A kind of event, by its name in either spelling.
    func eventKind(
        _ name: String, _ node: JSONNode, _ path: String
    ) throws(ScenarioFault) -> String {
        if EventKindTable.index(of: name) != nil { return name }
        if let field = MessageTree.schema.field(name, of: MessageTree.package + "Event"),
            EventKindTable.index(of: field.name) != nil
        {
            return field.name
        }
        let isAnalytic =
            name.hasPrefix("flow_") && nearest(to: name, in: EventKindTable.names) == nil
        let help =
            isAnalytic
            ? "an analytic event is written {\"analytic\": \"\(name)\"}"
            : hint(name, EventKindTable.names)
        throw ScenarioFault(node, path, "no event kind \"\(name)\"; \(help)")
    }

    /// Each `$name` of a request has to be known by then.
    func checkReferences(_ node: JSONNode, _ path: String) throws(ScenarioFault) {
        for (name, place) in node.references where !known.contains(name) {
            let help =
                name == "any"
                ? "$any is for what is expected, not for what is sent"
                : "nothing before captures $\(name); \(hint(name, known.sorted()))"
            throw ScenarioFault(place, path, help)
        }
    }
}

extension JSONNode {
    /// The texts `$name` within it.
    var references: [(String, JSONNode)] {
        switch value {
        case .string(let text): text.referenceName.map { [($0, self)] } ?? []
        case .list(let items): items.flatMap(\.references)
        case .object(let members): members.flatMap(\.value.references)
        default: []
        }
    }

    var hasReference: Bool { !references.isEmpty }

    /// The names that `{"$capture": …}` within it gives.
    var captureNames: [String] {
        switch value {
        case .list(let items): return items.flatMap(\.captureNames)
        case .object(let members):
            return members.flatMap { member in
                member.name == "$capture"
                    ? member.value.text.map { [$0] } ?? [] : member.value.captureNames
            }
        default: return []
        }
    }

    /// The same with what the names stand for, and `$` for `$$`.
    func resolved(_ captures: [String: JSONNode]) -> JSONNode {
        switch value {
        case .string(let text):
            if let name = text.referenceName { return captures[name] ?? self }
            return JSONNode(.string(text.withoutEscape), line: line)
        case .list(let items):
            return JSONNode(.list(items.map { $0.resolved(captures) }), line: line)
        case .object(let members):
            let resolved = members.map {
                Member(name: $0.name, value: $0.value.resolved(captures))
            }
            return JSONNode(.object(resolved), line: line)
        default: return self
        }
    }
}
