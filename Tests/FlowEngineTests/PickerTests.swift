import Testing

@testable import FlowEngine

/// When pickers report (IN-33 to IN-39, IN-43, IN-93).
struct PickerTests {
    private func form(_ picker: ElementDocument = .picker("day")) -> Harness<FlowSession> {
        Harness(
            .screen(
                "s", picker, .picker("other"), .field("name"),
                .button("next", .openScreen("t", navigator: nil))), .screen("t"))
    }

    @Test(
        "IN-33 IN-35 a changed picker reports at everything that closes it",
        arguments: [
            Gesture.closePicker, .openPicker("other"), .focus("name"), .tapOutside,
            .tapButton("next"),
        ])
    func closes(by gesture: Gesture) throws {
        var flow = form()
        try flow.present()
        try flow.perform(.openPicker("day"), .pick(1990, 6, 15), gesture)
        #expect(flow.take().first == "input s/day date_picker 645408000000")
        #expect(flow.element("day")?.isOpen != true)
    }

    @Test("IN-34 IN-36 a picker closed as it was opened reports nothing")
    func unchanged() throws {
        var flow = form(
            .picker(
                "day", initial: PickerMoment(date: CivilDate(year: 2000, month: 1, day: 2))))
        try flow.present()
        try flow.perform(.openPicker("other"), .closePicker)
        try flow.perform(.openPicker("day"), .closePicker)
        try flow.perform(.openPicker("day"), .pick(1990, 6, 15), .pick(2000, 1, 2), .closePicker)
        #expect(flow.take() == [])
        #expect(flow.value("other") == nil)
        #expect(flow.value("day") == .instant(946_771_200_000))
    }

    @Test("IN-37 several picks make one event with the last")
    func lastPick() throws {
        var flow = form()
        try flow.present()
        try flow.perform(
            .openPicker("day"), .pick(1991, 1, 1), .pick(1990, 6, 15), .closePicker,
            .openPicker("day"), .pick(1990, 6, 15), .closePicker)
        #expect(flow.take() == ["input s/day date_picker 645408000000"])
    }

    @Test("IN-38 two picks within a minute are the same value")
    func sameMinute() throws {
        var flow = form(.picker("t", .time))
        try flow.present()
        try flow.perform(.openPicker("t"), .pickTime(7, 30, 5), .closePicker)
        #expect(flow.take() == ["input s/t time_picker 1705303800000"])
        try flow.perform(.openPicker("t"), .pickTime(7, 30, 45), .closePicker)
        #expect(flow.take() == [])
    }

    @Test("IN-92 picks and closing need an open picker")
    func needsOpenPicker() throws {
        var flow = form()
        try flow.present()
        #expect(flow.refusal(of: .pick(1990, 6, 15))?.reason == .wrongState)
        #expect(flow.refusal(of: .closePicker)?.reason == .wrongState)
        #expect(flow.refusal(of: .openPicker("name"))?.reason == .wrongState)
    }

    @Test("IN-16 IN-81 a date and a time as two elements report one by one, in order")
    func twoElements() throws {
        var flow = Harness<FlowSession>(.screen("s", .picker("d"), .picker("t", .time)))
        try flow.present()
        try flow.perform(.openPicker("d"), .pick(1990, 6, 15), .openPicker("t"), .pickTime(7, 30))
        try flow.perform(.closePicker)
        #expect(
            flow.take() == [
                "input s/d date_picker 645408000000", "input s/t time_picker 1705303800000",
            ])
    }

    private static let june = PickerMoment(date: CivilDate(year: 1990, month: 6, day: 1))
    private static let july = PickerMoment(date: CivilDate(year: 1990, month: 7, day: 1))

    @Test(
        "IN-39 IN-93 picks stop at the bounds, which belong to the range",
        arguments: [
            (5, 31, false), (6, 1, true), (7, 1, true), (7, 2, false),
        ] as [(Int32, Int32, Bool)])
    func dateBounds(month: Int32, day: Int32, isInside: Bool) throws {
        var flow = form(.picker("day", min: Self.june, max: Self.july))
        flow.zone = .named("America/Los_Angeles")
        try flow.present()
        try flow.perform(.openPicker("day"))
        if isInside {
            try flow.perform(.pick(1990, month, day), .closePicker)
            #expect(flow.take().count == 1)
        } else {
            let refusal = flow.refusal(of: .pick(1990, month, day))
            #expect(refusal?.reason == .wrongState)
            #expect(refusal?.message.contains("1990-0") == true)
            #expect(flow.value("day") == nil)
        }
    }

    @Test(
        "IN-39 bounds of a time hold on every day, those of a date and time on their own",
        arguments: [
            (PickerKind.time, nil, CivilTime(hour: 8, minute: 59), false),
            (.time, nil, CivilTime(hour: 9, minute: 0), true),
            (.time, nil, CivilTime(hour: 17, minute: 0, second: 59), true),
            (.time, nil, CivilTime(hour: 17, minute: 1), false),
            (
                .dateTime, CivilDate(year: 2024, month: 5, day: 6), CivilTime(hour: 9, minute: 0),
                true
            ),
            (
                .dateTime, CivilDate(year: 2024, month: 5, day: 6), CivilTime(hour: 8, minute: 59),
                false
            ),
            (
                .dateTime, CivilDate(year: 2024, month: 5, day: 7), CivilTime(hour: 8, minute: 59),
                true
            ),
            (
                .dateTime, CivilDate(year: 2024, month: 5, day: 8), CivilTime(hour: 17, minute: 1),
                false
            ),
        ])
    func timeBounds(kind: PickerKind, date: CivilDate?, time: CivilTime, isInside: Bool) throws {
        let day = kind == .dateTime
        var flow = form(
            .picker(
                "p", kind,
                min: PickerMoment(
                    date: day ? CivilDate(year: 2024, month: 5, day: 6) : nil,
                    time: CivilTime(hour: 9, minute: 0)),
                max: PickerMoment(
                    date: day ? CivilDate(year: 2024, month: 5, day: 8) : nil,
                    time: CivilTime(hour: 17, minute: 0))))
        try flow.present()
        try flow.perform(.openPicker("p"))
        if isInside {
            try flow.perform(.pick(date, time))
        } else {
            #expect(flow.refusal(of: .pick(date, time))?.reason == .wrongState)
        }
    }

    @Test(
        "IN-42 IN-93 days and times that do not exist, and parts a picker has not, are refused",
        arguments: [
            (PickerKind.date, CivilDate(year: 2023, month: 2, day: 29), nil),
            (.date, CivilDate(year: 2023, month: 13, day: 1), nil),
            (.date, CivilDate(year: 0, month: 1, day: 1), nil),
            (.date, CivilDate(year: 10_000, month: 1, day: 1), nil),
            (.date, nil, nil), (.date, nil, CivilTime.midnight),
            (.date, CivilDate(year: 2023, month: 1, day: 1), CivilTime.midnight),
            (.time, nil, nil), (.time, CivilDate(year: 2023, month: 1, day: 1), nil),
            (.time, nil, CivilTime(hour: 24, minute: 0)),
            (.time, nil, CivilTime(hour: 1, minute: 60)),
            (.time, nil, CivilTime(hour: 1, minute: 1, second: 60)),
            (.time, nil, CivilTime(hour: 1, minute: 1, millisecond: 1000)),
            (.dateTime, nil, nil),
        ] as [(PickerKind, CivilDate?, CivilTime?)])
    func impossible(kind: PickerKind, date: CivilDate?, time: CivilTime?) throws {
        var flow = form(.picker("p", kind))
        try flow.present()
        try flow.perform(.openPicker("p"))
        #expect(flow.refusal(of: .pick(date, time))?.reason == .invalidArgument)
        #expect(flow.value("p") == nil)
        try flow.perform(.closePicker)
        #expect(flow.take() == [])
    }

    @Test("IN-43 a time goes on the day of the present value, else on the device's present day")
    func timeDay() throws {
        var flow = form(.picker("t", .time))
        flow.zone = .named("Asia/Tokyo")
        flow.now = Instant(ms: 1_735_660_800_000)  // 2025-01-01T01:00 in Tokyo
        try flow.present()
        try flow.perform(.openPicker("t"), .pickTime(7, 30, 45), .closePicker)
        #expect(flow.take() == ["input s/t time_picker 1735684200000"])
        flow.now = flow.now.advanced(byMs: 3 * 86_400_000)
        try flow.perform(.openPicker("t"), .pickTime(8, 30), .closePicker)
        #expect(flow.take() == ["input s/t time_picker 1735687800000"])
    }

    @Test("IN-15 IN-43 the part not given is that of the present value")
    func partOfDateTime() throws {
        var flow = form(.picker("p", .dateTime))
        try flow.present()
        try flow.perform(
            .openPicker("p"), .pick(2024, 5, 6), .pickTime(7, 8, 59), .pick(2024, 5, 7),
            .closePicker)
        #expect(flow.take() == ["input s/p date_time_picker 1715065680000"])
    }

    @Test("IN-73 IN-93 a preset value is reckoned in the device's zone")
    func preset() throws {
        var flow = form(
            .picker("day", initial: PickerMoment(date: CivilDate(year: 1990, month: 6, day: 15))))
        flow.zone = .named("Asia/Kolkata")
        try flow.present()
        #expect(flow.value("day") == .instant(645_388_200_000))
    }

    @Test(
        "IN-22 IN-35 taps that stay on the screen leave a picker open",
        arguments: [
            Gesture.tapOption("pick", option: "a"), .tapToggle("flag"), .tapButton("stay"),
            .switchTab("tabs", tab: "t1"),
        ])
    func staysOpen(at gesture: Gesture) throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .picker("day"), .single("pick", .option("a")), .toggle("flag"),
                .tabs("tabs", "t0", "t1"), .button("stay", .custom("c"))))
        try flow.present()
        try flow.perform(.openPicker("day"), .pick(1990, 6, 15), gesture)
        #expect(flow.element("day")?.isOpen == true)
        #expect(!flow.take().contains("input s/day date_picker 645408000000"))
        try flow.perform(.closePicker)
        #expect(flow.take() == ["input s/day date_picker 645408000000"])
    }
}
