extension TimeZoneRules {
    /// The instant at which a day begins, in Unix milliseconds (IN-40, IN-41): the first one where
    /// midnight is missing or comes twice; nil where the zone skips the whole day (IN-42).
    public func dayStart(_ date: CivilDate) -> Int64? {
        switch resolve(date, .midnight) {
        case .unique(let ms): ms
        case .repeated(let first, _): first
        case .skipped(_, let transition, _):
            civil(Instant(ms: transition)).0 == date ? transition : nil
        }
    }

    /// The instant of a local time, in Unix milliseconds: one in a gap moves forward by the gap,
    /// one that comes twice is the first (IN-43); nil where the zone skips the whole day.
    public func instant(_ date: CivilDate, _ time: CivilTime) -> Int64? {
        switch resolve(date, time) {
        case .unique(let ms): ms
        case .repeated(let first, _): first
        case .skipped(let before, _, _): dayStart(date) == nil ? nil : before
        }
    }
}

extension Instant {
    /// Milliseconds floored to the minute, towards the past (IN-44).
    static func flooredToMinute(_ ms: Int64) -> Int64 {
        let rest = ms % 60_000
        let floored = ms - rest
        return rest < 0 ? floored - 60_000 : floored
    }
}
