import FlowEngine

extension SegmentOperand {
    /// Whether a condition with it holds; a missing value satisfies `isNotSet` alone (PL-14).
    ///
    /// - Parameters:
    ///   - valueType: of the condition, for `isSet` and `isNotSet` (PL-15).
    ///   - isLanguage: the condition is one on `language` (PL-18).
    func holds(
        for value: SegmentSubject.Value, _ valueType: SegmentValueType?, isLanguage: Bool
    ) -> Bool {
        switch self {
        case .isSet: return value.counts(as: valueType)
        case .isNotSet: return !value.counts(as: valueType)
        default: break
        }
        switch value {
        case .missing: return false
        case .text, .texts: return matches(texts: value, isLanguage: isLanguage)
        case .number(let number): return matches(number)
        case .version(let version): return matches(version: version)
        }
    }

    /// Text operators; a language of more than two letters never matches (PL-18).
    private func matches(texts: SegmentSubject.Value, isLanguage: Bool) -> Bool {
        func isLong(_ wanted: String) -> Bool { isLanguage && wanted.utf8.count > 2 }
        switch self {
        case .equals(let wanted): return texts.has(wanted)
        case .notEquals(let wanted): return !isLong(wanted) && !texts.has(wanted)
        case .isIn(let list): return list.contains { texts.has($0) }
        case .isNotIn(let list): return !list.contains { isLong($0) || texts.has($0) }
        default: return false
        }
    }

    /// Number operators, on doubles; `between` includes both ends (PL-16).
    private func matches(_ number: Double) -> Bool {
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
    private func matches(version text: String) -> Bool {
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
