extension CivilDate {
    /// Earlier, later or the same: year, month, day.
    func isBefore(_ other: CivilDate) -> Bool {
        (year, month, day) < (other.year, other.month, other.day)
    }

    /// As `YYYY-MM-DD`, for texts about bounds of the catalog.
    var text: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
}

extension CivilTime {
    /// Milliseconds since the start of a day of 24 hours.
    var dayMs: Int64 {
        Int64(hour) * 3_600_000 + Int64(minute) * 60_000 + Int64(second) * 1000
            + Int64(millisecond)
    }

    /// Without seconds, as pickers reckon.
    var flooredToMinute: CivilTime { CivilTime(hour: hour, minute: minute) }

    /// As `HH:MM`, for texts about bounds of the catalog.
    var text: String { "\(padded(hour, 2)):\(padded(minute, 2))" }
}

private func padded(_ number: Int32, _ width: Int) -> String {
    let digits = number.description
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
