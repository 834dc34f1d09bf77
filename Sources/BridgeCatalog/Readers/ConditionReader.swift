import FlowEngine

/// Reads conditions, and the variables and elements that they look at.
struct ConditionReader {
    let scope: DocumentScope

    /// A condition that always fails stands for one that could not be read.
    private static let unreadable = ConditionDocument.any([])

    /// Reads one condition.
    func condition(_ cursor: JSONCursor) -> ConditionDocument {
        guard let object = cursor.object("a condition") else { return Self.unreadable }
        defer { object.close() }
        if let all = object["all"] { return .all(all.array()?.map(condition) ?? []) }
        if let any = object["any"] { return .any(any.array()?.map(condition) ?? []) }
        if let not = object["not"] { return .not(condition(not)) }
        guard let subject = subject(of: object),
            let (test, value) = object.one(of: ["equals", "not_equals", "contains", "is_set"])
        else { return Self.unreadable }
        return comparison(subject, test, value) ?? Self.unreadable
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
    func subject(of object: JSONObject) -> ConditionSubject? {
        guard let (key, cursor) = object.one(of: ["variable", "element_id"]) else { return nil }
        let screen = object["screen_id"]
        guard let name = cursor.name() else { return nil }
        if key == "variable" {
            screen?.fault("\"screen_id\" goes with \"element_id\" only; a variable has no screen")
            scope.mention(.variable(name), at: cursor)
            return .variable(name)
        }
        guard let screenID = screen == nil ? scope.screen : screen?.name() else {
            if screen == nil {
                object.cursor.fault("\"screen_id\" is missing: a timer belongs to no screen")
            }
            return nil
        }
        scope.mention(.element(screen: screenID, element: name), at: cursor)
        return .element(screen: screenID, element: name)
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
