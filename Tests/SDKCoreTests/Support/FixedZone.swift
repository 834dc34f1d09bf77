import FlowEngine

extension TimeZoneRules {
    /// A zone that is that many minutes from UTC at all times.
    static func fixed(minutes: Int64 = 0) -> TimeZoneRules {
        let offset = minutes * 60_000
        return TimeZoneRules(
            name: minutes == 0 ? "UTC" : "Fixed\(minutes)",
            resolve: { date, time in
                .unique(days(date) * 86_400_000 + milliseconds(time) - offset)
            },
            civil: { instant in
                let local = instant.ms + offset
                let day = local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000
                return (date(day), time(local - day * 86_400_000))
            },
            dayExists: { date in
                (1...9999).contains(date.year) && (1...12).contains(date.month)
                    && (1...length(date)).contains(date.day)
            })
    }

    private static func length(_ date: CivilDate) -> Int32 {
        switch date.month {
        case 4, 6, 9, 11: return 30
        case 2:
            let year = date.year
            return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: return 31
        }
    }

    /// Days since 1970-01-01, by Howard Hinnant's civil algorithms.
    private static func days(_ date: CivilDate) -> Int64 {
        let year = Int64(date.year) - (date.month <= 2 ? 1 : 0)
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let month = Int64(date.month)
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(date.day) - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func date(_ days: Int64) -> CivilDate {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let year =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        return CivilDate(
            year: Int32(year + era * 400 + (civilMonth <= 2 ? 1 : 0)), month: Int32(civilMonth),
            day: Int32(day))
    }

    private static func milliseconds(_ time: CivilTime) -> Int64 {
        let seconds = Int64(time.hour) * 3_600 + Int64(time.minute) * 60 + Int64(time.second)
        return seconds * 1_000 + Int64(time.millisecond)
    }

    private static func time(_ ms: Int64) -> CivilTime {
        CivilTime(
            hour: Int32(ms / 3_600_000), minute: Int32(ms / 60_000 % 60),
            second: Int32(ms / 1_000 % 60), millisecond: Int32(ms % 1_000))
    }
}
