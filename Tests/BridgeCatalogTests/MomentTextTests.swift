import FlowEngine
import Foundation
import Testing

@testable import BridgeCatalog

@Suite("Dates and times in catalogs")
struct MomentTextTests {
    @Test(
        "IN-93 every day of 1 to 9999 and no other is read",
        arguments: [1, 1899, 1900, 2000, 2024, 9999])
    func days(_ year: Int32) {
        for month in Int32(1)...12 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths: [Int32] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for day in Int32(0)...32 {
                let text = String(format: "%04d-%02d-%02d", year, month, day)
                let exists = (1...lengths[Int(month) - 1]).contains(day)
                #expect(
                    MomentText.date(text[...])
                        == (exists ? CivilDate(year: year, month: month, day: day) : nil))
            }
        }
    }

    @Test(
        "IN-93 other texts are no days",
        arguments: [
            "", "2024", "2024-1-01", "2024-01-1", "24-01-01", "0000-01-01", "2024-00-01",
            "2024-13-01", "+024-01-01", "2024-01-01 ", "2024/01/01", "2024-01-01-", "２０２４-01-01",
        ])
    func noDays(_ text: String) {
        #expect(MomentText.date(text[...]) == nil)
    }

    @Test("times of day have minutes, and may have seconds and milliseconds")
    func times() {
        #expect(MomentText.time("00:00") == CivilTime(hour: 0, minute: 0))
        #expect(MomentText.time("23:59:58") == CivilTime(hour: 23, minute: 59, second: 58))
        #expect(
            MomentText.time("07:08:09.010")
                == CivilTime(hour: 7, minute: 8, second: 9, millisecond: 10))
        for text in ["24:00", "00:60", "00:00:60", "7:08", "07", "07:08.1", "07:08:09.1", "-7:08"] {
            #expect(MomentText.time(text[...]) == nil, "\(text)")
        }
    }

    @Test(
        "FC-14 instants are counted in the Gregorian calendar, also before it was made",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59Z", -1000),
            ("2000-02-29T12:00:00Z", 951825600000),
            ("0001-01-01T00:00:00Z", -62135596800000),
            ("9999-12-31T23:59:59Z", 253402300799000),
            ("2024-03-01T00:00:00Z", 1709251200000),
            ("1900-02-28T23:00:00Z", -2203894800000),
            ("2030-12-31T23:59:59Z", 1924991999000),
        ] as [(String, Int64)])
    func instants(_ text: String, _ ms: Int64) {
        #expect(MomentText.instant(text)?.ms == ms)
    }

    @Test("an instant is in UTC and may have milliseconds")
    func instantText() {
        #expect(MomentText.instant("1970-01-01T00:00:00.001Z")?.ms == 1)
        for text in ["1970-01-01T00:00:00", "1970-01-01", "1970-01-01T00:00:00+00:00", "Z"] {
            #expect(MomentText.instant(text) == nil, "\(text)")
        }
    }
}
