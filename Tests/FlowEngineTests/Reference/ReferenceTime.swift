import Foundation

extension Reference {
    struct Day: Hashable, Comparable {
        var year: Int
        var month: Int
        var day: Int

        static func < (a: Day, b: Day) -> Bool {
            (a.year, a.month, a.day) < (b.year, b.month, b.day)
        }

        /// Whether the calendar has it (IN-93).
        var exists: Bool {
            guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else {
                return false
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            return day <= lengths[month - 1]
        }
    }

    struct Time: Hashable {
        var hour: Int
        var minute: Int
        var second = 0
        var millisecond = 0

        var exists: Bool {
            (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
                && (0...999).contains(millisecond)
        }

        var minuteOfDay: Int { hour * 60 + minute }

        /// Milliseconds on a clock that shows it.
        var dayMs: Int64 { Int64((minuteOfDay * 60 + second) * 1000 + millisecond) }
    }

    /// Civil time of a zone, out of nothing but Foundation's offsets and its calendar in Greenwich.
    struct Zone {
        private let zone: TimeZone
        private let calendar: Calendar

        init(_ name: String) {
            guard let zone = TimeZone(identifier: name), let gmt = TimeZone(secondsFromGMT: 0)
            else {
                fatalError("Foundation has no zone \(name)")
            }
            self.zone = zone
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = gmt
            self.calendar = calendar
        }

        /// What the clock shows at an instant.
        func local(_ ms: Int64) -> (Day, Time) {
            let shown = ms + offset(at: ms)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: floor(shown, 1000)))
            let day = Day(
                year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
            let rest = Int(shown - face(day, Time(hour: 0, minute: 0)))
            return (
                day,
                Time(
                    hour: rest / 3_600_000, minute: rest / 60_000 % 60, second: rest / 1000 % 60,
                    millisecond: rest % 1000)
            )
        }

        /// The first instant at which the clock shows that (IN-41, IN-43); moved forward by the
        /// gap if it never does; nil if the day is never there (IN-42).
        func instant(_ day: Day, _ time: Time) -> Int64? {
            let shown = face(day, time)
            if let first = firstHit(shown) { return first }
            guard firstInstant(of: day) != nil else { return nil }
            return shown - offset(at: shown - offset(at: shown - dayMs) - dayMs / 2)
        }

        /// The first instant of a day (IN-40, IN-41); nil if the zone skips it (IN-42).
        func firstInstant(of day: Day) -> Int64? {
            let midnight = face(day, Time(hour: 0, minute: 0))
            if let first = firstHit(midnight) { return first }
            // No midnight: look for the first second that the clock shows on that day.
            let offsets = offsets(around: midnight)
            let early = midnight - (offsets.max() ?? 0) - 1000
            let late = midnight + dayMs - (offsets.min() ?? 0)
            for quarter in stride(from: early, through: late, by: 900_000)
            where local(quarter + 900_000).0 == day {
                return stride(from: quarter, through: quarter + 900_000, by: 1000)
                    .first { local($0).0 == day }
            }
            return nil
        }

        private let dayMs: Int64 = 86_400_000

        /// The first instant at which the clock shows that; nil: never.
        private func firstHit(_ shown: Int64) -> Int64? {
            var first: Int64?
            for offset in offsets(around: shown) {
                let instant = shown - offset
                guard instant + self.offset(at: instant) == shown else { continue }
                first = min(first ?? instant, instant)
            }
            return first
        }

        /// The offsets of two days before and after.
        private func offsets(around shown: Int64) -> Set<Int64> {
            var found: Set<Int64> = []
            for quarter in -8...8 { found.insert(offset(at: shown + Int64(quarter) * dayMs / 4)) }
            return found
        }

        /// Milliseconds that the clock is ahead of Greenwich.
        private func offset(at ms: Int64) -> Int64 {
            let date = Date(timeIntervalSince1970: floor(ms, 1000))
            return Int64(zone.secondsFromGMT(for: date)) * 1000
        }

        /// The instant at which a clock in Greenwich shows that.
        private func face(_ day: Day, _ time: Time) -> Int64 {
            let parts = DateComponents(year: day.year, month: day.month, day: day.day)
            let midnight = calendar.date(from: parts) ?? Date(timeIntervalSince1970: 0)
            return Int64(midnight.timeIntervalSince1970) * 1000 + time.dayMs
        }

        private func floor(_ ms: Int64, _ unit: Int64) -> Double {
            (Double(ms) / Double(unit)).rounded(.down)
        }
    }

    /// Down to the minute, towards the past (IN-44).
    static func minute(_ ms: Int64) -> Int64 {
        var rest = ms % 60_000
        if rest < 0 { rest += 60_000 }
        return ms - rest
    }
}
