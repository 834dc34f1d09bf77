import SDKCore

/// Reads the conditions of a segment (PL-12 to PL-19).
struct SegmentReader {
    private static let operators = [
        "=", "!=", "in", "not_in", ">", "<", ">=", "<=", "between", "is_set", "is_not_set",
    ]

    /// Reads one condition; nil, and a fault, when it is none.
    func condition(_ cursor: JSONCursor) -> SegmentCondition? {
        guard let object = cursor.object("a condition: an object with \"attribute\"") else {
            return nil
        }
        defer { object.close() }
        let attribute = attribute(object)
        let operand = operand(object)
        guard let attribute, let operand else { return nil }
        let condition = SegmentCondition(attribute: attribute, operand: operand)
        SegmentCheck(condition: condition, cursor: cursor).run()
        return condition
    }

    private func attribute(_ object: JSONObject) -> String? {
        guard let cursor = object.required("attribute", SegmentCheck.attributeList),
            let name = cursor.string()
        else { return nil }
        if SegmentCheck.isKnown(name) { return name }
        cursor.fault(
            "unknown attribute \(name.shown); expected \(SegmentCheck.attributeList) (PL-17)")
        return nil
    }

    private func operand(_ object: JSONObject) -> SegmentOperand? {
        let list = Self.operators.map(\.shown).joined(separator: ", ")
        guard let cursor = object.required("operator", "one of \(list)"),
            let name = cursor.string()
        else {
            _ = object["value"]
            return nil
        }
        switch name {
        case "is_set": return unary(.isSet, object)
        case "is_not_set": return unary(.isNotSet, object)
        default: break
        }
        guard Self.operators.contains(name) else {
            _ = object["value"]
            return cursor.mismatch("one of the operators \(list)")
        }
        return object.required("value", "what \(name.shown) compares with")
            .flatMap { binary(name, $0) }
    }

    private func unary(_ operand: SegmentOperand, _ object: JSONObject) -> SegmentOperand {
        object["value"]?.fault("this operator compares with nothing: leave \"value\" out")
        return operand
    }

    private func binary(_ name: String, _ value: JSONCursor) -> SegmentOperand? {
        switch name {
        case "=":
            equality(value, text: SegmentOperand.equals, number: SegmentOperand.numberEquals)
        case "!=":
            equality(value, text: SegmentOperand.notEquals, number: SegmentOperand.numberNotEquals)
        case "in": texts(value).map { .isIn($0) }
        case "not_in": texts(value).map { .isNotIn($0) }
        case ">": value.number().map { .greater($0) }
        case "<": value.number().map { .less($0) }
        case ">=": value.number().map { .greaterOrEqual($0) }
        case "<=": value.number().map { .lessOrEqual($0) }
        default: between(value)
        }
    }

    private func equality(
        _ value: JSONCursor, text: (String) -> SegmentOperand, number: (Double) -> SegmentOperand
    ) -> SegmentOperand? {
        if value.isString { return text(value.rawString) }
        if value.isNumber { return value.number().map(number) }
        return value.mismatch("a text or a number")
    }

    private func texts(_ value: JSONCursor) -> [String]? {
        guard let items = value.array("an array of texts") else { return nil }
        if items.isEmpty { value.fault("expected at least one text in the list") }
        return items.compactMap { $0.string() }
    }

    private func between(_ value: JSONCursor) -> SegmentOperand? {
        let expected = "an array of two numbers, the lower first"
        guard let items = value.array(expected) else { return nil }
        guard items.count == 2 else { return value.mismatch(expected) }
        let (low, high) = (items[0].number(), items[1].number())
        guard let low, let high else { return nil }
        if low > high {
            value.fault("the lower end \(low) is above the upper end \(high) (PL-16)")
        }
        return .between(low, high)
    }
}
