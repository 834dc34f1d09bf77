import FlowEngine
import Testing

@testable import SDKCore

@Suite("Updates of a profile")
struct ProfileChangeTests {
    private let today = CivilDate(year: 2026, month: 6, day: 15)

    @Test("PRO-2 PRO-3 names, e-mail and phone are trimmed and not checked; blank is not given")
    func texts() throws {
        var record = try apply {
            $0.firstName = " Ann "
            $0.lastName = "\u{a0}Lee"
            $0.email = "not-an-email"
            $0.phoneNumber = String(repeating: "7", count: 10_000)
        }
        #expect(record.firstName == "Ann")
        #expect(record.lastName == "Lee")
        #expect(record.email == "not-an-email")
        #expect(record.phoneNumber.count == 10_000)
        record = try apply(to: record) {
            $0.firstName = "   "
            $0.lastName = ""
            $0.email = "\n"
        }
        #expect(record.firstName == "Ann")
        #expect(record.lastName == "Lee")
        #expect(record.email == "not-an-email")
    }

    @Test(
        "PRO-4 gender is f, m or o",
        arguments: [
            ("female", "f"), ("male", "m"), ("other", "o"), ("f", "f"), ("m", "m"), ("Female", "o"),
            ("x", "o"), (" ", "o"), ("", ""),
        ])
    func genders(given: String, stored: String) throws {
        #expect(try apply { $0.gender = given }.gender == stored)
    }

    @Test(
        "PRO-5 a birthday is stored with its calendar year, also around New Year",
        arguments: [
            "1990-06-15", "2024-12-30", "2024-12-31", "2025-01-01", "2000-02-29", "0001-01-01",
            "9999-12-31",
        ])
    func birthdays(text: String) throws {
        #expect(try apply { $0.birthday = text }.birthday == text)
    }

    @Test(
        "PRO-5 a date that does not exist is INVALID_ARGUMENT (field case 43)",
        arguments: [
            "2023-02-29", "1900-02-29", "1990-13-01", "1990-00-10", "1990-04-31", "1990-06-00",
            "0000-01-01", "645408000", "645408000000", "1990-6-15", "1990/06/15", " 1990-06-15",
            "1990-06-15T00:00:00Z", "١٩٩٠-٠٦-١٥", "-990-06-15", "10000-01-01",
        ])
    func impossibleBirthdays(text: String) {
        let error = #expect(throws: DeviceFault.self) { _ = try apply { $0.birthday = text } }
        #expect(error?.invalidField == "birthday")
        #expect(error?.message.contains("YYYY-MM-DD") == true)
        #expect(error?.message.contains(text) == false, "typed values stay out of messages")
    }

    @Test(
        "PRO-29 age is whole years when the birthday first arrives",
        arguments: [
            ("1990-06-15", 36), ("1990-06-16", 35), ("1990-06-14", 36), ("2026-06-15", 0),
            ("2026-06-16", nil), ("2000-02-29", 26),
        ] as [(String, Int32?)])
    func ages(birthday: String, age: Int32?) throws {
        let record = try apply { $0.birthday = birthday }
        #expect(record.age == age)
    }

    @Test("PRO-29 age is not computed again")
    func ageStays() throws {
        let record = try apply { $0.birthday = "1990-06-15" }
        let changed = try apply(to: record) { $0.birthday = "2010-01-01" }
        #expect(changed.age == 36)
        #expect(changed.birthday == "2010-01-01")
    }

    @Test("PRO-6 PRO-7 PRO-20 what is not given stays")
    func untouched() throws {
        let record = try apply {
            $0.trackingStatus = .authorized
            $0.analyticsDisabled = true
            $0.gender = "male"
            $0.customAttributes = [AttributeChange(key: "a", value: .string("1"))]
        }
        let same = try apply(to: record) { _ in }
        #expect(same == record)
        #expect(same.trackingStatus == .authorized)
        #expect(same.isAnalyticsDisabled)
        let off = try apply(to: record) { $0.analyticsDisabled = false }
        #expect(!off.isAnalyticsDisabled)
    }

    @Test("PRO-16 PRO-20 PRO-21 removals come before additions, and both before the count")
    func merging() throws {
        var record = ProfileRecord(profile: Profile(profileID: "p"))
        for number in 1...30 { record.profile.customAttributes["k\(number)"] = .number(1) }
        let swapped = try apply(to: record) {
            $0.customAttributes = [
                AttributeChange(key: "k31", value: .string("x")),
                AttributeChange(key: "k1", value: nil),
            ]
        }
        #expect(swapped.profile.customAttributes.count == 30)
        #expect(swapped.profile.customAttributes["k1"] == nil)
        let error = #expect(throws: DeviceFault.self) {
            _ = try apply(to: record) {
                $0.customAttributes = [AttributeChange(key: "k31", value: .string("x"))]
            }
        }
        #expect(error?.message == "at most 30 custom attributes with a value, got 31")
    }

    private func apply(
        to record: ProfileRecord = ProfileRecord(profile: Profile(profileID: "p")),
        _ edit: (inout ProfileUpdate) -> Void
    ) throws -> ProfileRecord {
        var update = ProfileUpdate()
        edit(&update)
        let change = try ProfileChange(update, dayExists: TimeZoneRules.fixed().dayExists)
        return try change.applied(to: record, today: today)
    }
}
