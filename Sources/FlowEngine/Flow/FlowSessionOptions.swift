/// What the configuration of a view fixes for its session (FC-2, FC-10, FC-14).
public struct FlowSessionOptions: Sendable, Equatable {
    /// Index in `FlowContent.locales`; out of range: the default locale.
    public var locale: Int
    /// Texts by full tag name, case-sensitive (FC-10).
    public var tags: [String: String]
    /// End instants by timer id, for timers in mode custom (FC-14).
    public var timers: [String: Instant]

    /// Makes options.
    public init(
        locale: Int, tags: [String: String] = [:], timers: [String: Instant] = [:]
    ) {
        self.locale = locale
        self.tags = tags
        self.timers = timers
    }
}
