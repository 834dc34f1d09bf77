import Testing

@testable import FlowEngine

/// Worked values of pickers in real zones (IN-40 to IN-46), and the cases from the field.
struct PickerVectorTests {
    private func pick(
        _ kind: PickerKind, in zone: String, at now: Int64 = 1_705_320_000_000,
        _ date: CivilDate?, _ time: CivilTime?
    ) throws -> ReportedValue? {
        var flow = Harness<FlowSession>(.screen("s", .picker("p", kind)))
        flow.zone = .named(zone)
        flow.now = Instant(ms: now)
        try flow.present()
        try flow.perform(.openPicker("p"), .pick(date, time), .closePicker)
        guard case .analytic(.userInput(_, let value))? = flow.takeEffects().first else {
            return nil
        }
        return value
    }

    private static let january: Int64 = 1_705_320_000_000
    private static let july: Int64 = 1_721_044_800_000

    @Test(
        "IN-13 IN-41 IN-46 D1 to D15: a date is the first instant of its day in the device's zone",
        arguments: [
            ("D1", 1990, 6, 15, "UTC", 645_408_000_000),
            ("D2", 1990, 6, 15, "America/New_York", 645_422_400_000),
            ("D3", 1990, 6, 15, "America/Los_Angeles", 645_433_200_000),
            ("D4", 1990, 6, 15, "Europe/London", 645_404_400_000),
            ("D5", 1990, 6, 15, "Europe/Madrid", 645_400_800_000),
            ("D6", 1990, 6, 15, "Asia/Kolkata", 645_388_200_000),
            ("D7", 1990, 6, 15, "Asia/Kathmandu", 645_387_300_000),
            ("D8", 1990, 6, 15, "Asia/Ho_Chi_Minh", 645_382_800_000),
            ("D9", 1990, 6, 15, "Asia/Tokyo", 645_375_600_000),
            ("D10", 2018, 11, 4, "America/Sao_Paulo", 1_541_300_400_000),
            ("D11", 2023, 4, 28, "Africa/Cairo", 1_682_632_800_000),
            ("D12", 2021, 3, 28, "Asia/Beirut", 1_616_882_400_000),
            ("D13", 2023, 11, 5, "America/Havana", 1_699_156_800_000),
            ("D14", 2000, 2, 29, "UTC", 951_782_400_000),
            ("D15", 1970, 1, 1, "Asia/Tokyo", -32_400_000),
            ("D16, the day after", 2011, 12, 31, "Pacific/Apia", 1_325_239_200_000),
        ] as [(String, Int32, Int32, Int32, String, Int64)])
    func dates(
        vector: String, year: Int32, month: Int32, day: Int32, zone: String, expected: Int64
    ) throws {
        for now in [Self.january, Self.july] {
            let date = CivilDate(year: year, month: month, day: day)
            #expect(try pick(.date, in: zone, at: now, date, nil) == .integer(expected))
        }
    }

    @Test("IN-42 IN-46 D16: a day that the zone skips cannot be picked")
    func skippedDay() throws {
        for (kind, time) in [(PickerKind.date, nil), (.dateTime, CivilTime(hour: 9, minute: 0))] {
            var flow = Harness<FlowSession>(.screen("s", .picker("p", kind)))
            flow.zone = .named("Pacific/Apia")
            try flow.present()
            try flow.perform(.openPicker("p"))
            let refusal = flow.refusal(
                of: .pick(CivilDate(year: 2011, month: 12, day: 30), time))
            #expect(refusal?.reason == .invalidArgument)
            #expect(refusal?.message.contains("Pacific/Apia") == true)
        }
    }

    @Test("IN-15 IN-44 IN-46 D17: a date and time is floored to the minute")
    func dateAndTime() throws {
        let value = try pick(
            .dateTime, in: "UTC", CivilDate(year: 2024, month: 5, day: 6),
            CivilTime(hour: 7, minute: 8, second: 59, millisecond: 999))
        #expect(value == .integer(1_714_979_280_000))
    }

    @Test(
        "IN-14 IN-43 IN-46 D18 to D21: a time on the device's day, over gaps and repeated hours",
        arguments: [
            ("D18", "Asia/Tokyo", 1_735_700_000_000, 7, 30, 1_735_684_200_000),
            ("D19", "Asia/Kathmandu", 1_735_700_000_000, 7, 30, 1_735_695_900_000),
            ("D20", "America/New_York", 1_710_093_600_000, 2, 30, 1_710_055_800_000),
            ("D21", "America/New_York", 1_730_656_800_000, 1, 30, 1_730_611_800_000),
        ] as [(String, String, Int64, Int32, Int32, Int64)])
    func times(
        vector: String, zone: String, now: Int64, hour: Int32, minute: Int32, expected: Int64
    ) throws {
        let time = CivilTime(hour: hour, minute: minute, second: 45)
        #expect(try pick(.time, in: zone, at: now, nil, time) == .integer(expected))
    }

    @Test(
        "IN-44 flooring goes towards the past",
        arguments: [
            (-1, -60_000), (0, 0), (59_999, 0), (-60_000, -60_000), (-60_001, -120_000),
            (60_000, 60_000),
        ] as [(Int64, Int64)])
    func flooring(ms: Int64, expected: Int64) {
        #expect(Instant.flooredToMinute(ms) == expected)
    }

    @Test(
        "Field case 39: the offset is that of the day picked, not of today",
        arguments: [
            ("Europe/Moscow", 1989, 5, 1, 609_969_600_000),
            ("Europe/Moscow", 1981, 4, 1, 354_920_400_000),
            ("America/New_York", 1990, 7, 4, 647_064_000_000),
            ("America/Mexico_City", 1985, 1, 17, 474_789_600_000),
            ("America/New_York", 1945, 8, 30, -768_081_600_000),
        ] as [(String, Int32, Int32, Int32, Int64)])
    func offsetOfTheDay(
        zone: String, year: Int32, month: Int32, day: Int32, expected: Int64
    ) throws {
        for now in [Self.january, Self.july] {
            let date = CivilDate(year: year, month: month, day: day)
            #expect(try pick(.date, in: zone, at: now, date, nil) == .integer(expected))
        }
    }

    @Test("IN-40 field case 41: a later change of zone does not move a value")
    func moved() throws {
        var flow = Harness<FlowSession>(.screen("s", .picker("p")))
        flow.zone = .named("Asia/Kolkata")
        try flow.present()
        try flow.perform(.openPicker("p"), .pick(1990, 6, 15), .closePicker)
        #expect(flow.take() == ["input s/p date_picker 645388200000"])
        flow.zone = .named("America/New_York")
        try flow.perform(.openPicker("p"), .closePicker)
        #expect(flow.take() == [])
        #expect(flow.value("p") == .instant(645_388_200_000))
    }

    @Test(
        "IN-45 field case 43: milliseconds, beyond 32 bits on both sides",
        arguments: [
            ("UTC", 2038, 1, 20, 2_147_558_400_000), ("UTC", 1901, 12, 1, -2_148_595_200_000),
            ("UTC", 1970, 1, 1, 0), ("UTC", 1970, 1, 25, 2_073_600_000),
            ("Asia/Tokyo", 2100, 1, 1, 4_102_412_400_000),
            ("UTC", 1, 1, 1, -62_135_596_800_000), ("UTC", 9999, 12, 31, 253_402_214_400_000),
        ] as [(String, Int32, Int32, Int32, Int64)])
    func milliseconds(
        zone: String, year: Int32, month: Int32, day: Int32, expected: Int64
    ) throws {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(try pick(.date, in: zone, date, nil) == .integer(expected))
    }

    @Test("IN-93 an offset with seconds is used exactly")
    func offsetWithSeconds() throws {
        let date = CivilDate(year: 1900, month: 1, day: 1)
        // Local mean time of Paris: +0:09:21.
        let zone = TimeZoneRules.named("Europe/Paris")
        guard let start = zone.dayStart(date) else { throw NoDay() }
        #expect(zone.civil(Instant(ms: start)) == (date, .midnight))
        #expect(start == -2_208_989_361_000)
    }

    private struct NoDay: Error {}
}
