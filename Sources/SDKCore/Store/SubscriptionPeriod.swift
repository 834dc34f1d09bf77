import FlowEngine

/// The period of a subscription: one count and one unit of ISO 8601, such as `P1M`.
struct SubscriptionPeriod: Sendable, Equatable {
    enum Unit: Sendable, Equatable {
        case day, week, month, year
    }

    let count: Int64
    let unit: Unit

    /// The last instant that anything ends at: the end of the year 9999.
    static let last = Instant(ms: 253_402_300_799_999)

    /// Reads a period; nil for an empty text and for what the catalog loader refuses.
    init?(_ text: String) {
        guard text.hasPrefix("P"), let count = Int32(text.dropFirst().dropLast()), count > 0 else {
            return nil
        }
        switch text.last {
        case "D": unit = .day
        case "W": unit = .week
        case "M": unit = .month
        case "Y": unit = .year
        default: return nil
        }
        self.count = Int64(count)
    }

    /// When a period that begins then ends: days and weeks by the clock, months and years at the
    /// same local time of the same day, or of the last one of a shorter month (GEN-3).
    func end(from start: Instant, in zone: TimeZoneRules) -> Instant {
        switch unit {
        case .day: min(start.advanced(byMs: count * 86_400_000), Self.last)
        case .week: min(start.advanced(byMs: count * 604_800_000), Self.last)
        case .month: end(from: start, months: count, in: zone)
        case .year: end(from: start, months: count * 12, in: zone)
        }
    }

    private func end(from start: Instant, months: Int64, in zone: TimeZoneRules) -> Instant {
        let (date, time) = zone.civil(start)
        let month = Int64(date.year) * 12 + Int64(date.month) - 1 + months
        guard month / 12 <= 9_999 else { return Self.last }
        var end = CivilDate(
            year: Int32(month / 12), month: Int32(month % 12) + 1, day: date.day)
        // A day that the month or the zone has not: the last one before it.
        while end.day > 1 {
            if zone.dayExists(end), let ms = zone.instant(end, time) {
                return min(Instant(ms: ms), Self.last)
            }
            end.day -= 1
        }
        return zone.instant(end, time).map(Instant.init(ms:)) ?? Self.last
    }
}
