/// Whom a segment is matched against: the backend's profile and the device that asks (PL-17,
/// PL-20).
struct SegmentSubject {
    let record: ProfileRecord
    let facts: DeviceFacts

    /// The present value of an attribute.
    enum Value {
        case missing
        /// Several: any of them may match.
        case texts([String])
        case number(Double)
        case version(String)
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
        text.isEmpty ? .missing : .texts([text])
    }

    private func texts(_ texts: [String]) -> Value {
        texts.isEmpty ? .missing : .texts(texts)
    }

    private func custom(_ attribute: String) -> Value {
        let prefix = "custom:"
        guard attribute.hasPrefix(prefix) else { return .missing }
        switch record.profile.customAttributes[String(attribute.dropFirst(prefix.count))] {
        case .string(let text): return .texts([text])
        case .number(let number): return .number(number)
        case nil: return .missing
        }
    }
}
