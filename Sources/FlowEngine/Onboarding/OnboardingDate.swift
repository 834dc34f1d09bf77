/// The value of an onboarding's date picker: day, month and year, each of which may be missing
/// (OB-28). No time zone plays a part.
struct OnboardingDate: Equatable {
    /// A part that is 0 is missing.
    let parts: CivilDate

    init(_ parts: CivilDate) {
        self.parts = parts
    }

    /// Unpacks the word that a session keeps; nil: no value.
    init?(word: UInt64) {
        guard word != InputState.noValue else { return nil }
        parts = CivilDate(
            year: Int32(word >> 16), month: Int32(word >> 8 & 0xFF), day: Int32(word & 0xFF))
    }

    /// 16 bits of the year, 8 of the month, 8 of the day.
    var word: UInt64 {
        let year = UInt64(truncatingIfNeeded: parts.year) & 0xFFFF
        let month = UInt64(truncatingIfNeeded: parts.month) & 0xFF
        return year << 16 | month << 8 | UInt64(truncatingIfNeeded: parts.day) & 0xFF
    }

    var day: Int32? { parts.day == 0 ? nil : parts.day }
    var month: Int32? { parts.month == 0 ? nil : parts.month }
    var year: Int32? { parts.year == 0 ? nil : parts.year }

    var isComplete: Bool { day != nil && month != nil && year != nil }

    /// Refuses parts that no calendar has: without a year, 29 February counts as a day.
    func check(in zone: TimeZoneRules) throws(GestureRefusal) {
        let whole = CivilDate(
            year: year ?? 2000, month: month ?? 1, day: day ?? 1)
        guard day != nil || month != nil || year != nil else {
            throw GestureRefusal(
                .invalidArgument, "give a day, a month or a year", field: "date")
        }
        try zone.check(whole)
    }

    /// Refuses a whole date outside the bounds of the picker (IN-39).
    func check(against picker: PickerDocument, named name: String) throws(GestureRefusal) {
        guard isComplete else { return }
        if let minimum = picker.minimum?.date, parts.isBefore(minimum) {
            throw .outside(name, "before its minimum \(minimum.text)")
        }
        if let maximum = picker.maximum?.date, maximum.isBefore(parts) {
            throw .outside(name, "after its maximum \(maximum.text)")
        }
    }
}
