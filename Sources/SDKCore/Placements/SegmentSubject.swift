import FlowEngine

/// Whom a segment is matched against: the backend's profile and the device that asks (PL-17,
/// PL-20).
struct SegmentSubject {
    let record: ProfileRecord
    let facts: DeviceFacts

    /// The present value of an attribute.
    enum Value {
        case missing
        case text(String)
        /// Several: any of them may match.
        case texts([String])
        case number(Double)
        case version(String)

        /// Whether it is there for a condition of that type; one of another type counts as missing
        /// (PL-15).
        func counts(as type: SegmentValueType?) -> Bool {
            switch self {
            case .missing: false
            case .text, .texts, .version: type != .number
            case .number: type != .text
            }
        }

        /// Whether it is that text, code point by code point, or one of several is (PL-16).
        func has(_ wanted: String) -> Bool {
            switch self {
            case .text(let text): text.isExactly(wanted)
            case .texts(let texts): texts.contains { $0.isExactly(wanted) }
            case .missing, .number, .version: false
            }
        }
    }

    /// The value of an attribute by its name in conditions.
    func value(of attribute: String) -> Value {
        switch attribute {
        case "customer_user_id": text(record.profile.customerUserID)
        case "age": record.age.map { .number(Double($0)) } ?? .missing
        case "gender": texts(Self.genders[record.gender] ?? [])
        case "language": text(facts.language)
        case "country": text(facts.country)
        case "platform": text(facts.platform)
        case "app_version": facts.appVersion.isEmpty ? .missing : .version(facts.appVersion)
        case "os_version": facts.osVersion.isEmpty ? .missing : .version(facts.osVersion)
        case "access_level":
            texts(record.profile.accessLevels.values.filter(\.isActive).map(\.id))
        case "attribution_source": texts(record.profile.appliedAttributionSources)
        default: custom(attribute)
        }
    }

    /// Both spellings of a gender match (PRO-4).
    private static let genders = ["f": ["f", "female"], "m": ["m", "male"], "o": ["o", "other"]]

    private func text(_ text: String) -> Value {
        text.isEmpty ? .missing : .text(text)
    }

    private func texts(_ texts: [String]) -> Value {
        texts.isEmpty ? .missing : .texts(texts)
    }

    private func custom(_ attribute: String) -> Value {
        let prefix = "custom:"
        guard attribute.hasPrefix(prefix) else { return .missing }
        switch record.profile.customAttributes[String(attribute.dropFirst(prefix.count))] {
        case .string(let text): return .text(text)
        case .number(let number): return .number(number)
        case nil: return .missing
        }
    }
}
