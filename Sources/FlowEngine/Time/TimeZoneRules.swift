/// What a local date and time mean in a zone, in Unix milliseconds.
public enum LocalTimeResolution: Sendable, Equatable {
    /// The local time exists once.
    case unique(Int64)
    /// Clocks jump over it. `before` and `after` use the offsets on either side of `transition`.
    case skipped(before: Int64, transition: Int64, after: Int64)
    /// It exists twice.
    case repeated(first: Int64, second: Int64)
}

/// A time zone without state: its name and functions of the host's zone data.
///
/// The engine gets it from outside, so that it does no I/O and tests can use fixed zones. One object
/// serves all who are in the zone.
public final class TimeZoneRules: Sendable {
    /// The IANA name, as the client gave it.
    public let name: String
    /// Resolves a local date and time (IN-40 to IN-43).
    public let resolve: @Sendable (CivilDate, CivilTime) -> LocalTimeResolution
    /// The local date and time of an instant.
    public let civil: @Sendable (Instant) -> (CivilDate, CivilTime)
    /// Whether the calendar has that day, whatever the zone.
    public let dayExists: @Sendable (CivilDate) -> Bool

    /// Makes rules out of functions that must be pure.
    public init(
        name: String,
        resolve: @escaping @Sendable (CivilDate, CivilTime) -> LocalTimeResolution,
        civil: @escaping @Sendable (Instant) -> (CivilDate, CivilTime),
        dayExists: @escaping @Sendable (CivilDate) -> Bool
    ) {
        self.name = name
        self.resolve = resolve
        self.civil = civil
        self.dayExists = dayExists
    }
}
