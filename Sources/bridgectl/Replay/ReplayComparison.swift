import BridgeProtocol

/// Compares what came with what was captured.
///
/// What another run cannot have the same is passed over: members whose name ends in `Ms` or `Ns`,
/// and sequences. Texts that look drawn (16 hexadecimal digits or more, dashes between them) are
/// names: the first time one stands in the place of another they are bound, and from then on the
/// one has to stand wherever the other stood. Requests that are sent have the new names.
struct ReplayComparison {
    private var seenNames: [String: String] = [:]
    private var capturedNames: [String: String] = [:]

    private static let passedOver: Set<String> = [
        "sequence", "nextSequence", "nextFromSequence", "oldestSequenceKept", "fromSequence",
        "toSequence",
    ]

    /// The first difference, with its place; nil: there is none.
    mutating func difference(
        _ captured: JSONNode, _ seen: JSONNode, at path: String = ""
    ) -> String? {
        switch (captured.value, seen.value) {
        case (.object, .object): return objects(captured, seen, path)
        case (.list(let old), .list(let new)):
            guard old.count == new.count else {
                return "\(path): \(old.count) entries then, \(new.count) now"
            }
            for (index, pair) in zip(old, new).enumerated() {
                if let found = difference(pair.0, pair.1, at: "\(path)[\(index)]") { return found }
            }
            return nil
        case (.string(let old), .string(let new)): return texts(old, new, path)
        default:
            return captured.compact == seen.compact ? nil : told(captured, seen, path)
        }
    }

    /// A request with the names of this run.
    func renamed(_ node: JSONNode) -> JSONNode {
        switch node.value {
        case .string(let text): .string(seenNames[text] ?? text)
        case .list(let items): .list(items.map(renamed))
        case .object(let members): .object(members.map { ($0.name, renamed($0.value)) })
        default: node
        }
    }

    private mutating func objects(
        _ captured: JSONNode, _ seen: JSONNode, _ path: String
    ) -> String? {
        for member in captured.members {
            let place = path.isEmpty ? member.name : "\(path).\(member.name)"
            guard let value = seen[member.name] else { return "\(place): not there now" }
            if Self.isPassedOver(member.name) { continue }
            if let found = difference(member.value, value, at: place) { return found }
        }
        for member in seen.members where captured[member.name] == nil {
            return "\(path.isEmpty ? "" : path + ".")\(member.name): not there then"
        }
        return nil
    }

    private mutating func texts(_ old: String, _ new: String, _ path: String) -> String? {
        if let name = seenNames[old] {
            return name == new ? nil : told(.string(old), .string(new), path)
        }
        if old == new { return nil }
        if Self.isDrawn(old), Self.isDrawn(new), capturedNames[new] == nil {
            seenNames[old] = new
            capturedNames[new] = old
            return nil
        }
        if old.hasPrefix("{"), new.hasPrefix("{"), let old = try? JSONTreeReader.read(old),
            let new = try? JSONTreeReader.read(new)
        {
            return difference(old, new, at: path)
        }
        return told(.string(old), .string(new), path)
    }

    private func told(_ captured: JSONNode, _ seen: JSONNode, _ path: String) -> String {
        "\(path): \(Self.short(captured)) then, \(Self.short(seen)) now"
    }

    private static func short(_ node: JSONNode) -> String {
        let text = node.compact
        return text.count <= 120 ? text : text.prefix(120) + "…"
    }

    private static func isPassedOver(_ name: String) -> Bool {
        name.hasSuffix("Ms") || name.hasSuffix("Ns") || passedOver.contains(name)
    }

    private static func isDrawn(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        return digits.count >= 16
            && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}
