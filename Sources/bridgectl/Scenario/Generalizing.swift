/// Makes a seen value fit for a file that is played again: what is drawn anew each time becomes
/// `$any`, what was captured becomes its name.
enum Generalizing {
    /// Members whose values are ids.
    private static let drawnAnew: Set<String> = [
        "question_id", "transaction_id", "original_transaction_id", "vendor_transaction_id",
        "purchase_id",
    ]

    /// - Parameter names: what captured values are called; the device's own name among them.
    static func form(_ node: JSONNode, _ names: [String: String]) -> JSONNode {
        switch node.value {
        case .string(let text):
            if let name = names[text] { return .string("$" + name) }
            if text.isUUID { return .string("$any") }
            let isSpecial = text.referenceName != nil || text.hasPrefix("$$")
            return .string(isSpecial ? "$" + text : text)
        case .list(let items): return .list(items.map { form($0, names) })
        case .object(let members):
            return .object(members.map { ($0.name, member($0, names)) })
        default: return node
        }
    }

    private static func member(
        _ member: JSONNode.Member, _ names: [String: String]
    ) -> JSONNode {
        if drawnAnew.contains(member.name), names[member.value.text ?? ""] == nil {
            return .string("$any")
        }
        return form(member.value, names)
    }

    /// An error as a step expects it: its class and code, not its wording.
    static func error(_ seen: JSONNode) -> JSONNode {
        let name = seen["sdk"] == nil ? "bridge" : "sdk"
        return .object([(name, seen[name] ?? JSONNode(.null))])
    }

    /// A file in which what was learned replaces what the steps expected.
    static func updated(_ file: JSONNode, _ learned: [Int: ScenarioRun.Learned]) -> JSONNode {
        .object(
            file.members.map { member in
                guard member.name == "steps" else { return (member.name, member.value) }
                let steps = member.value.items.enumerated().map { index, step in
                    learned[index].map { updated(step, $0) } ?? step
                }
                return (member.name, .list(steps))
            })
    }

    private static func updated(_ step: JSONNode, _ learned: ScenarioRun.Learned) -> JSONNode {
        var members = step.members.filter { $0.name != "error" && $0.name != "expect" }
            .map { ($0.name, $0.value) }
        if let error = learned.error { members.append(("error", error)) }
        if let callbacks = learned.callbacks {
            if !callbacks.isEmpty { members.append(("expect", .list(callbacks))) }
        } else if let kept = step["expect"] {
            members.append(("expect", kept))
        }
        return .object(members)
    }
}

extension String {
    /// 8-4-4-4-12 hexadecimal digits, in either case.
    var isUUID: Bool {
        let bytes = Array(utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place)
                ? byte == UInt8(ascii: "-")
                : (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
                    || (0x61...0x66).contains(byte)
        }
    }
}
