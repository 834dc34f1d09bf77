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
        let name = operatorName(object)
        let (value, type) = (object["value"], object["value_type"])
        guard let attribute, let name else { return nil }
        var condition = SegmentCondition(attribute: attribute, operand: .isSet)
        if name == "is_set" || name == "is_not_set" {
            value?.fault("this operator compares with nothing: leave \"value\" out")
            condition.operand = name == "is_set" ? .isSet : .isNotSet
            condition.valueType = type.flatMap(valueType)
        } else {
            type?.fault("\"value_type\" goes with \"is_set\" and \"is_not_set\" only (PL-15)")
            guard let value = object.required("value", "what \(name.shown) compares with"),
                let operand = operand(name, value, isVersion: SegmentCheck.isVersion(attribute))
            else { return nil }
            condition.operand = operand
        }
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

    private func operatorName(_ object: JSONObject) -> String? {
        let expected = "one of the operators \(Self.operators.map(\.shown).joined(separator: ", "))"
        guard let cursor = object.required("operator", expected),
            let name = cursor.string(expected)
        else { return nil }
        return Self.operators.contains(name) ? name : cursor.mismatch(expected)
    }

    private func valueType(_ cursor: JSONCursor) -> SegmentValueType? {
        switch cursor.string() {
        case nil: nil
        case "text": .text
        case "number": .number
        case _?: cursor.mismatch("\"text\" or \"number\"")
        }
    }
}

extension SegmentReader {
    private func operand(
        _ name: String, _ value: JSONCursor, isVersion: Bool
    ) -> SegmentOperand? {
        switch name {
        case "=": equality(value, SegmentOperand.equals, SegmentOperand.numberEquals)
        case "!=": equality(value, SegmentOperand.notEquals, SegmentOperand.numberNotEquals)
        case "in": texts(value).map { .isIn($0) }
        case "not_in": texts(value).map { .isNotIn($0) }
        case "between": isVersion ? versionBetween(value) : between(value)
        case _ where isVersion && value.isString: version(name, value.rawString)
        case ">": value.number().map { .greater($0) }
        case "<": value.number().map { .less($0) }
        case ">=": value.number().map { .greaterOrEqual($0) }
        default: value.number().map { .lessOrEqual($0) }
        }
    }

    private func version(_ name: String, _ bound: String) -> SegmentOperand {
        switch name {
        case ">": .version(.greater, bound)
        case "<": .version(.less, bound)
        case ">=": .version(.greaterOrEqual, bound)
        default: .version(.lessOrEqual, bound)
        }
    }

    private func equality(
        _ value: JSONCursor, _ text: (String) -> SegmentOperand,
        _ number: (Double) -> SegmentOperand
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
        guard let (low, high) = ends(value, "an array of two numbers, the lower first") else {
            return nil
        }
        let (lower, upper) = (low.number(), high.number())
        guard let lower, let upper else { return nil }
        if lower > upper {
            value.fault(
                "the lower end \(low.jsonText) is above the upper end \(high.jsonText) (PL-16)")
        }
        return .between(lower, upper)
    }

    private func versionBetween(_ value: JSONCursor) -> SegmentOperand? {
        guard let (low, high) = ends(value, "an array of two versions, the lower first") else {
            return nil
        }
        if low.isNumber, high.isNumber { return between(value) }
        let (lower, upper) = (low.string(), high.string())
        guard let lower, let upper else { return nil }
        if let first = SemanticVersion(lower), let last = SemanticVersion(upper), last < first {
            value.fault(
                "the lower end \(low.jsonText) is above the upper end \(high.jsonText) (PL-16)")
        }
        return .versionBetween(lower, upper)
    }

    private func ends(_ value: JSONCursor, _ expected: String) -> (JSONCursor, JSONCursor)? {
        guard let items = value.array(expected) else { return nil }
        return items.count == 2 ? (items[0], items[1]) : value.mismatch(expected)
    }
}
