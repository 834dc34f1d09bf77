import FlowEngine

/// A birthday as text and as a day (PRO-5).
enum CalendarDay {
    /// Reads `YYYY-MM-DD`, years 1 to 9999; nil if it is written otherwise or has no such month.
    static func parse(_ text: String) -> CivilDate? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), year >= 1, (1...12).contains(month), day >= 1
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Whole years from a birthday to a day; nil when the day comes first (PRO-29).
    static func age(born birthday: CivilDate, on day: CivilDate) -> Int32? {
        let hadBirthday = (day.month, day.day) >= (birthday.month, birthday.day)
        let years = day.year - birthday.year - (hadBirthday ? 0 : 1)
        return years < 0 ? nil : years
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int32? {
        var value: Int32 = 0
        for digit in digits {
            guard digit >= 0x30 && digit <= 0x39 else { return nil }
            value = value * 10 + Int32(digit - 0x30)
        }
        return value
    }
}
