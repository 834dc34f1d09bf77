/// The two spellings of onboarding payloads (OB-9, OB-55).
public enum PayloadSpelling: Int32, Sendable, Hashable {
    case camelCase = 0
    case snakeCase = 1

    /// The other one (OB-55).
    public var other: PayloadSpelling { self == .camelCase ? .snakeCase : .camelCase }
}
