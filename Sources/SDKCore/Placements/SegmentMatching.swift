import FlowEngine

extension AudienceDocument {
    /// Whether the subject belongs to it: all conditions hold, or it is All Users (PL-11, PL-12).
    func matches(_ subject: SegmentSubject) -> Bool {
        isAllUsers || conditions.allSatisfy { $0.matches(subject) }
    }
}

extension SegmentCondition {
    /// Whether the condition holds; a missing attribute satisfies `isNotSet` alone (PL-14).
    func matches(_ subject: SegmentSubject) -> Bool {
        let value = subject.value(of: attribute)
        switch operand {
        case .isSet: return isPresent(value)
        case .isNotSet: return !isPresent(value)
        default: break
        }
        switch value {
        case .missing: return false
        case .texts(let texts): return operand.matches(texts, isLanguage: attribute == "language")
        case .number(let number): return operand.matches(number)
        case .version(let version): return operand.matches(version: version)
        }
    }

    /// A value of another type than the condition's counts as missing (PL-15).
    private func isPresent(_ value: SegmentSubject.Value) -> Bool {
        switch value {
        case .missing: false
        case .texts, .version: valueType != .number
        case .number: valueType != .text
        }
    }
}

extension SegmentOperand {
    /// Text operators; a language of more than two letters never matches (PL-18).
    fileprivate func matches(_ texts: [String], isLanguage: Bool) -> Bool {
        func holds(_ wanted: [String]) -> Bool {
            texts.contains { text in wanted.contains { $0.isExactly(text) } }
        }
        func isLong(_ wanted: [String]) -> Bool {
            isLanguage && wanted.contains { $0.utf8.count > 2 }
        }
        switch self {
        case .equals(let wanted): return holds([wanted])
        case .notEquals(let wanted): return !isLong([wanted]) && !holds([wanted])
        case .isIn(let list): return holds(list)
        case .isNotIn(let list): return !isLong(list) && !holds(list)
        default: return false
        }
    }

    /// Number operators, on doubles; `between` includes both ends (PL-16).
    fileprivate func matches(_ number: Double) -> Bool {
        switch self {
        case .numberEquals(let wanted): number == wanted
        case .numberNotEquals(let wanted): number != wanted
        case .greater(let bound): number > bound
        case .less(let bound): number < bound
        case .greaterOrEqual(let bound): number >= bound
        case .lessOrEqual(let bound): number <= bound
        case .between(let low, let high): low <= number && number <= high
        default: false
        }
    }

    /// Version operators; a version that cannot be read never matches, on either side (PL-19).
    fileprivate func matches(version text: String) -> Bool {
        guard let version = SemanticVersion(text) else { return false }
        func compare(_ wanted: String, _ holds: (SemanticVersion, SemanticVersion) -> Bool) -> Bool
        {
            SemanticVersion(wanted).map { holds(version, $0) } ?? false
        }
        switch self {
        case .equals(let wanted): return compare(wanted, ==)
        case .notEquals(let wanted): return compare(wanted, !=)
        case .isIn(let list): return list.contains { compare($0, ==) }
        case .isNotIn(let list): return list.allSatisfy { compare($0, !=) }
        case .version(.greater, let bound): return compare(bound, >)
        case .version(.less, let bound): return compare(bound, <)
        case .version(.greaterOrEqual, let bound): return compare(bound, >=)
        case .version(.lessOrEqual, let bound): return compare(bound, <=)
        case .versionBetween(let low, let high): return compare(low, >=) && compare(high, <=)
        default: return matchesNumber(version)
        }
    }

    /// Number operators on a version: the bound is read as one, so that `>= 2` works.
    private func matchesNumber(_ version: SemanticVersion) -> Bool {
        func compare(_ wanted: Double, _ holds: (SemanticVersion, SemanticVersion) -> Bool) -> Bool
        {
            SemanticVersion("\(wanted)").map { holds(version, $0) } ?? false
        }
        switch self {
        case .numberEquals(let wanted): return compare(wanted, ==)
        case .numberNotEquals(let wanted): return compare(wanted, !=)
        case .greater(let bound): return compare(bound, >)
        case .less(let bound): return compare(bound, <)
        case .greaterOrEqual(let bound): return compare(bound, >=)
        case .lessOrEqual(let bound): return compare(bound, <=)
        case .between(let low, let high): return compare(low, >=) && compare(high, <=)
        default: return false
        }
    }
}
