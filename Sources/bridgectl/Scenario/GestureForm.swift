import BridgeProtocol

/// One short form of a gesture in a scenario: `{"tap": "experience", "option": "pro"}`.
struct GestureForm: Sendable {
    /// A member beside the first one.
    struct Companion: Sendable {
        let name: String
        let isRequired: Bool
    }

    /// The member that names the form.
    let name: String
    let companions: [Companion]
    /// The gestures as members of `perform`: name and content.
    let gestures: @Sendable (Words) throws(ScenarioFault) -> [(String, JSONNode)]

    /// Every form, in the order of docs/scenarios.md.
    static let all: [GestureForm] = [
        one("focus", "focus", ["element_id"]),
        GestureForm(name: "type", companions: [.init(name: "into", isRequired: false)]) {
            (words) throws(ScenarioFault) in
            let text = try words.text()
            guard let element = try words.companion("into") else {
                return [("enter_text", .object([("text", text)]))]
            }
            return [
                ("focus", .object([("element_id", element)])),
                ("enter_text", .object([("element_id", element), ("text", text)])),
                ("blur", .object([])),
            ]
        },
        one("clear", "clear_text", ["element_id"]), flag("blur", "blur"),
        one("open", "open_picker", ["element_id"]),
        GestureForm(name: "pick", companions: [.init(name: "in", isRequired: false)]) {
            (words) throws(ScenarioFault) in
            let pick = ("pick", try words.moment())
            guard let element = try words.companion("in") else { return [pick] }
            return [
                ("open_picker", .object([("element_id", element)])), pick,
                ("close_picker", .object([])),
            ]
        },
        flag("close_picker", "close_picker"),
        GestureForm(name: "tap", companions: [.init(name: "option", isRequired: false)]) {
            (words) throws(ScenarioFault) in
            let element = ("element_id", try words.text())
            guard let option = try words.companion("option") else {
                return [("tap_button", .object([element]))]
            }
            return [("tap_option", .object([element, ("option_id", option)]))]
        },
        one("toggle", "tap_toggle", ["element_id"]),
        GestureForm(name: "link", companions: [.init(name: "index", isRequired: false)]) {
            (words) throws(ScenarioFault) in
            let index = words.node["index"] ?? .int(0)
            return [
                ("tap_link", .object([("element_id", try words.text()), ("link_index", index)]))
            ]
        },
        pair("select", "select_product", "vendor_product_id"), pair("tab", "switch_tab", "tab_id"),
        flag("go_back", "go_back"), flag("tap_outside", "tap_outside"),
        flag("swipe_down", "dismiss_by_system"),
    ]

    private static func one(_ name: String, _ gesture: String, _ fields: [String]) -> GestureForm {
        GestureForm(name: name, companions: []) { (words) throws(ScenarioFault) in
            [(gesture, .object([(fields[0], try words.text())]))]
        }
    }

    /// A choice within an element: `{"select": "premium", "in": "products"}`.
    private static func pair(_ name: String, _ gesture: String, _ field: String) -> GestureForm {
        GestureForm(name: name, companions: [.init(name: "in", isRequired: true)]) {
            (words) throws(ScenarioFault) in
            let element = try words.companion("in") ?? .string("")
            return [(gesture, .object([("element_id", element), (field, try words.text())]))]
        }
    }

    private static func flag(_ name: String, _ gesture: String) -> GestureForm {
        GestureForm(name: name, companions: []) { (words) throws(ScenarioFault) in
            guard words.node[name]?.bool == true else {
                throw ScenarioFault(words.node, words.path + "." + name, "true is wanted")
            }
            return [(gesture, .object([]))]
        }
    }

    /// The members of a step that uses a form.
    struct Words {
        let node: JSONNode
        let form: String
        let path: String

        /// The first member, a text.
        func text() throws(ScenarioFault) -> JSONNode { try named(form) ?? .string("") }

        /// A text beside it; nil: not there.
        func companion(_ name: String) throws(ScenarioFault) -> JSONNode? { try named(name) }

        private func named(_ name: String) throws(ScenarioFault) -> JSONNode? {
            guard let value = node[name] else { return nil }
            guard value.text != nil else {
                throw ScenarioFault(
                    value, "\(path).\(name)", "\(value.kind) stands here, a text is wanted")
            }
            return value
        }

        /// A day, a time, or both.
        func moment() throws(ScenarioFault) -> JSONNode {
            let text = try self.text()
            guard let pick = Moment.pick(text.text ?? "") else {
                throw ScenarioFault(
                    text, "\(path).pick",
                    "\(text.shown) stands here; a day (1990-06-15), a time (08:30, 08:30:15) or "
                        + "both (1990-06-15 08:30) is wanted")
            }
            return pick
        }
    }
}

/// Days and times as people write them.
enum Moment {
    /// The content of `pick` for `1990-06-15`, `08:30` or both; nil: it is neither.
    static func pick(_ text: String) -> JSONNode? {
        var members: [(String, JSONNode)] = []
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let day = numbers(part, "-", 3...3), members.isEmpty {
                let names = ["year", "month", "day"]
                members.append(("date", .object(zip(names, day.map { .int($0) }).map { $0 })))
            } else if let time = numbers(part, ":", 2...3), members.last?.0 != "time" {
                let names = ["hour", "minute", "second"]
                members.append(("time", .object(zip(names, time.map { .int($0) }).map { $0 })))
            } else {
                return nil
            }
        }
        return members.isEmpty ? nil : .object(members)
    }

    /// A pick as the same text.
    static func text(_ pick: PickGesture) -> String {
        var parts: [String] = []
        if let date = pick.date {
            let numbers = [(date.year, 4), (date.month, 2), (date.day, 2)]
            parts.append(numbers.map { padded(Int($0), $1) }.joined(separator: "-"))
        }
        if let time = pick.time {
            let numbers =
                time.second == 0
                ? [time.hour, time.minute] : [time.hour, time.minute, time.second]
            parts.append(numbers.map { padded(Int($0), 2) }.joined(separator: ":"))
        }
        return parts.joined(separator: " ")
    }

    /// A number with leading zeros.
    static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func numbers(
        _ text: Substring, _ separator: Character, _ count: ClosedRange<Int>
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        return count.contains(parts.count) && numbers.count == parts.count ? numbers : nil
    }
}
