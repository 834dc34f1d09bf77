import FlowEngine

/// Reads conditions, and the variables and elements that they look at.
struct ConditionReader {
    let scope: DocumentScope

    /// A condition that always fails stands for one that could not be read.
    private static var unreadable: ConditionDocument { .any([]) }

    /// Reads one condition.
    func condition(_ cursor: JSONCursor) -> ConditionDocument {
        guard let object = cursor.object("a condition") else { return Self.unreadable }
        defer { object.close() }
        if let all = object["all"] { return .all(all.array()?.map(condition) ?? []) }
        if let any = object["any"] { return .any(any.array()?.map(condition) ?? []) }
        if let not = object["not"] { return .not(condition(not)) }
        let subject = subject(of: object)
        let test = object.one(of: ["equals", "not_equals", "contains", "is_set"])
        guard let (subject, cursor) = subject, let (test, value) = test else {
            return Self.unreadable
        }
        mention(subject, comparedWith: value, at: cursor)
        return comparison(subject, test, value) ?? Self.unreadable
    }

    private func mention(
        _ subject: ConditionSubject, comparedWith value: JSONCursor, at cursor: JSONCursor
    ) {
        switch subject {
        case .variable(let name): scope.mention(.variable(name), at: cursor)
        case .element(let screen, let element):
            let options = value.isString ? [value.rawString] : value.items.map(\.rawString)
            scope.mention(
                .element(screen: screen, element: element, options: options), at: cursor)
        }
    }

    private func comparison(
        _ subject: ConditionSubject, _ test: String, _ value: JSONCursor
    ) -> ConditionDocument? {
        switch test {
        case "equals": self.value(value).map { .equals(subject, $0) }
        case "not_equals": self.value(value).map { .notEquals(subject, $0) }
        case "contains": value.string().map { .contains(subject, $0) }
        default: value.bool().map { $0 ? .isSet(subject) : .not(.isSet(subject)) }
        }
    }

    /// Reads `variable`, or `element_id` with the `screen_id` it is on.
    func subject(of object: JSONObject) -> (ConditionSubject, JSONCursor)? {
        guard let (key, cursor) = object.one(of: ["variable", "element_id"]) else { return nil }
        let screen = object["screen_id"]
        guard let name = cursor.name() else { return nil }
        if key == "variable" {
            screen?.fault("\"screen_id\" goes with \"element_id\" only; a variable has no screen")
            return (.variable(name), cursor)
        }
        guard let screenID = screen == nil ? scope.screen : screen?.name() else {
            if screen == nil {
                object.cursor.fault("\"screen_id\" is missing: a timer belongs to no screen")
            }
            return nil
        }
        return (.element(screen: screenID, element: name), cursor)
    }

    /// Reads a value of a variable: text, number, true or false, or an array of texts.
    func value(_ cursor: JSONCursor) -> VariableValue? {
        if cursor.isString { return .text(cursor.rawString) }
        if cursor.isNumber { return cursor.number().map(VariableValue.number) }
        if cursor.isBool { return cursor.bool().map(VariableValue.flag) }
        if cursor.isArray { return .items(cursor.items.compactMap { $0.string() }) }
        return cursor.mismatch("a text, a number, true, false or an array of texts")
    }
}
