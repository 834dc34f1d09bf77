/// What a scenario expects of a value.
indirect enum Pattern: Sendable {
    /// `"$any"`.
    case any
    /// `{"$capture": "name"}`: anything, kept under the name.
    case capture(String)
    /// `"$name"`: what was captured, or the view of that name.
    case reference(String)
    /// `null`: a member that is not there.
    case absent
    /// A scalar; `isTyped` tells integers from doubles.
    case scalar(JSONNode, isTyped: Bool)
    case list([Pattern])
    /// A message: the members that are named.
    case message([(name: String, pattern: Pattern)])
    /// A map, or JSON without a schema: exactly these names.
    case map([(name: String, pattern: Pattern)])
}

/// A place at which expected and seen part.
struct Difference: Sendable, Equatable {
    /// Dotted; empty for the whole.
    let path: String
    let text: String
}

/// Compares a value with what is expected of it.
struct Matcher {
    /// What `$name` stands for; captures are added.
    var captures: [String: JSONNode]
    private(set) var differences: [Difference] = []

    init(captures: [String: JSONNode]) {
        self.captures = captures
    }

    /// Notes each difference. `seen` nil: there is nothing.
    mutating func compare(_ pattern: Pattern, _ seen: JSONNode?, at path: String = "") {
        switch (pattern, seen) {
        case (.absent, nil): break
        case (.absent, let seen?):
            if case .null = seen.value { return }
            note(path, "nothing expected, seen \(seen.shown)")
        case (_, nil): note(path, "expected \(shown(pattern)), it is not there")
        case (.any, _): break
        case (.capture(let name), let seen?): captures[name] = seen
        case (.reference(let name), let seen?):
            guard let wanted = captures[name] else {
                return note(path, "nothing was captured as $\(name)")
            }
            if !wanted.equals(seen, isTyped: false) {
                note(path, "expected \(wanted.shown) ($\(name)), seen \(seen.shown)")
            }
        case (.scalar(let wanted, let isTyped), let seen?):
            if !wanted.equals(seen, isTyped: isTyped) {
                note(path, "expected \(wanted.shown), seen \(seen.shown)")
            }
        case (.list(let patterns), let seen?): compare(list: patterns, seen, path)
        case (.message(let members), let seen?): compare(members, seen, path)
        case (.map(let members), let seen?):
            compare(members, seen, path)
            for member in seen.members where !members.contains(where: { $0.name == member.name }) {
                note(path + "." + member.name, "not expected, seen \(member.value.shown)")
            }
        }
    }

    private mutating func compare(
        _ members: [(name: String, pattern: Pattern)], _ seen: JSONNode, _ path: String
    ) {
        guard seen.isObject else { return note(path, "expected an object, seen \(seen.shown)") }
        for member in members {
            let inner = path.isEmpty ? member.name : path + "." + member.name
            compare(member.pattern, seen[member.name], at: inner)
        }
    }

    private mutating func compare(list patterns: [Pattern], _ seen: JSONNode, _ path: String) {
        guard case .list(let items) = seen.value else {
            return note(path, "expected a list, seen \(seen.shown)")
        }
        if items.count != patterns.count {
            return note(
                path, "expected \(patterns.count) items, seen \(items.count): \(seen.shown)")
        }
        for (index, pattern) in patterns.enumerated() {
            compare(pattern, items[index], at: path + "[\(index)]")
        }
    }

    private mutating func note(_ path: String, _ text: String) {
        let path = path.first == "." ? String(path.dropFirst()) : path
        differences.append(Difference(path: path, text: text))
    }

    private func shown(_ pattern: Pattern) -> String {
        switch pattern {
        case .scalar(let node, _): node.shown
        case .reference(let name): captures[name].map { "\($0.shown) ($\(name))" } ?? "$\(name)"
        case .list: "a list"
        case .message, .map: "an object"
        case .any, .capture, .absent: "a value"
        }
    }
}

extension JSONNode {
    /// The longest value that a difference shows, in characters.
    private static let shownMax = 200

    /// For a line that people read.
    var shown: String {
        let text = compact
        return text.count <= Self.shownMax
            ? text : "\(text.prefix(Self.shownMax))… (\(text.utf8.count) bytes)"
    }

    /// Whether both are the same: texts byte by byte, numbers by value; members in any order.
    func equals(_ other: JSONNode, isTyped: Bool) -> Bool {
        switch (value, other.value) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.number(let a), .number(let b)): Self.equalNumbers(a, b, isTyped)
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.equals($1, isTyped: isTyped) }
        case (.object(let a), .object(let b)):
            a.count == b.count
                && a.allSatisfy { member in
                    other[member.name].map { member.value.equals($0, isTyped: isTyped) } ?? false
                }
        default: false
        }
    }

    private static func equalNumbers(_ a: String, _ b: String, _ isTyped: Bool) -> Bool {
        let (areWhole, isWhole) = (!a.isFraction, !b.isFraction)
        if isTyped, areWhole != isWhole { return false }
        if areWhole, isWhole, let a = Int64(a), let b = Int64(b) { return a == b }
        return a == b || Double(a) == Double(b)
    }
}

extension String {
    /// Of a JSON number: whether it is written with a point or an exponent.
    fileprivate var isFraction: Bool { contains { ".eE".contains($0) } }
}
