/// The members of an object, with a note of which of them were asked for.
///
/// A reader asks for every key that it knows and then closes the object: what nobody asked for is
/// unknown and a fault, so a typo never vanishes. `$schema` and `comment` are known everywhere.
final class JSONObject {
    let cursor: JSONCursor
    private let members: [(key: String, value: JSONCursor)]
    private var asked: [String] = []

    /// Opens an object.
    init(cursor: JSONCursor) {
        self.cursor = cursor
        self.members = cursor.members
    }

    /// The member with that key, if it is there.
    subscript(key: String) -> JSONCursor? {
        if !asked.contains(key) { asked.append(key) }
        return members.first { $0.key == key }?.value
    }

    /// The member with that key; a fault when it is missing.
    func required(_ key: String, _ meaning: String) -> JSONCursor? {
        if let value = self[key] { return value }
        cursor.fault("\(key.shown) is missing: \(meaning)")
        return nil
    }

    /// The key of those given that is there; a fault when it is none or more than one.
    func one(of keys: [String]) -> (key: String, value: JSONCursor)? {
        let present = keys.compactMap { key in self[key].map { (key: key, value: $0) } }
        if present.count == 1 { return present[0] }
        let list = keys.map(\.shown).joined(separator: ", ")
        cursor.fault(
            "expected one of the keys \(list), found \(present.isEmpty ? "none" : "several")")
        return nil
    }

    /// Reports every key that nobody asked for.
    func close() {
        for (key, value) in members where !asked.contains(key) {
            if key == "comment" || key == "$schema" {
                _ = value.string()
            } else {
                let known = asked.map(\.shown).joined(separator: ", ")
                value.fault("unknown key \(key.shown); known here: \(known)")
            }
        }
    }
}

extension JSONObject {
    /// A text that may be left out.
    func string(_ key: String) -> String? {
        self[key]?.string()
    }

    /// A name that may be left out, but not be blank.
    func name(_ key: String) -> String? {
        self[key]?.name()
    }

    /// A name that has to be there; empty after a fault.
    func requiredName(_ key: String, _ meaning: String) -> String {
        required(key, meaning)?.name() ?? ""
    }

    /// A text that has to be there; empty after a fault.
    func requiredString(_ key: String, _ meaning: String) -> String {
        required(key, meaning)?.string() ?? ""
    }

    /// True or false, or what holds without the key.
    func flag(_ key: String, default standard: Bool) -> Bool {
        self[key]?.bool() ?? standard
    }

    /// The items of an array that may be left out.
    func items(_ key: String) -> [JSONCursor] {
        self[key]?.array() ?? []
    }

    /// The items of an array that has to be there; a fault when it is missing or empty.
    func requiredItems(_ key: String, _ meaning: String) -> [JSONCursor] {
        guard let value = required(key, meaning), let items = value.array() else { return [] }
        if items.isEmpty { value.fault("expected at least one item: \(meaning)") }
        return items
    }

    /// The members of a map whose keys are names of the writer's own; every key counts.
    func map(_ key: String) -> [(key: String, value: JSONCursor)] {
        guard let value = self[key], value.object() != nil else { return [] }
        var names = Set<String>()
        for member in value.members where !names.insert(member.key).inserted {
            member.value.fault("the name \(member.key.shown) is there twice, written differently")
        }
        return value.members
    }
}
