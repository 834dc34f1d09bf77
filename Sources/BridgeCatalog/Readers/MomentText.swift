import FlowEngine

/// Dates and times as the catalog writes them.
enum MomentText {
    /// `YYYY-MM-DD`, a day that exists, years 1 to 9999 (IN-93).
    static func date(_ text: Substring) -> CivilDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
            let day = digits(parts[2], 2), year >= 1, (1...12).contains(month), day >= 1,
            day <= days(in: month, of: year)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.mmm`.
    static func time(_ text: Substring) -> CivilTime? {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count <= 2, (2...3).contains(parts.count),
            halves.count == 1 || parts.count == 3,
            let hour = digits(parts[0], 2), let minute = digits(parts[1], 2),
            let second = parts.count == 3 ? digits(parts[2], 2) : 0,
            let millisecond = halves.count == 2 ? digits(halves[1], 3) : 0,
            hour < 24, minute < 60, second < 60
        else { return nil }
        return CivilTime(hour: hour, minute: minute, second: second, millisecond: millisecond)
    }

    /// A date, `T`, and a time.
    static func dateTime(_ text: Substring) -> (CivilDate, CivilTime)? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let date = date(halves[0]), let time = time(halves[1]) else {
            return nil
        }
        return (date, time)
    }

    /// A date and time with `Z` at its end: an instant in UTC.
    static func instant(_ text: String) -> Instant? {
        guard text.hasSuffix("Z"), let (date, time) = dateTime(text.dropLast()) else { return nil }
        let seconds =
            dayNumber(date) * 86_400 + Int64(time.hour) * 3600 + Int64(time.minute) * 60
            + Int64(time.second)
        return Instant(ms: seconds * 1000 + Int64(time.millisecond))
    }

    private static func digits(_ text: Substring, _ count: Int) -> Int32? {
        guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int32(text)
    }

    private static func days(in month: Int32, of year: Int32) -> Int32 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Days since 1970-01-01, counted in years that begin in March.
    private static func dayNumber(_ date: CivilDate) -> Int64 {
        let year = Int64(date.month <= 2 ? date.year - 1 : date.year)
        let month = Int64(date.month <= 2 ? date.month + 9 : date.month - 3)
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + (month * 153 + 2) / 5 + Int64(date.day) - 719_469
    }
}
