import Glibc

/// Times of a zone, which the whole process has: for a program that does one thing.
enum LocalTime {
    /// Takes an IANA name or a link from now on.
    static func use(_ zone: String) {
        if let current = getenv("TZ"), String(cString: current) == zone { return }
        setenv("TZ", zone, 1)
        tzset()
    }

    /// As `2026-01-01 12:00:03.250`.
    static func moment(_ ms: Int64) -> String {
        let part = Int(((ms % 1_000) + 1_000) % 1_000)
        return "\(text(ms, "date_picker")) \(clock(ms)).\(Moment.padded(part, 3))"
    }

    /// As `12:00:03`.
    static func clock(_ ms: Int64) -> String {
        let time = broken(ms)
        return [time.tm_hour, time.tm_min, time.tm_sec].map { Moment.padded(Int($0), 2) }
            .joined(separator: ":")
    }

    /// The instant that a picker of a kind shows: a day, a time, or both.
    static func text(_ ms: Int64, _ kind: String) -> String {
        let time = broken(ms)
        let day = [
            (Int(time.tm_year) + 1_900, 4), (Int(time.tm_mon) + 1, 2), (Int(time.tm_mday), 2),
        ]
        .map { Moment.padded($0, $1) }.joined(separator: "-")
        let clock = [time.tm_hour, time.tm_min].map { Moment.padded(Int($0), 2) }.joined(
            separator: ":")
        return switch kind {
        case "date_picker": day
        case "time_picker": clock
        default: "\(day) \(clock)"
        }
    }

    private static func broken(_ ms: Int64) -> tm {
        var seconds = time_t(ms >= 0 ? ms / 1_000 : (ms - 999) / 1_000)
        var time = tm()
        localtime_r(&seconds, &time)
        return time
    }
}
