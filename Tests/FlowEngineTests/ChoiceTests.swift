import Testing

@testable import FlowEngine

/// Choices and toggles (IN-17 to IN-19, IN-50 to IN-60).
struct ChoiceTests {
    private func interests(max: Int? = nil) -> Harness<FlowSession> {
        Harness(
            .screen(
                "s",
                .multi(
                    "interests", .option("sports", title: "Sports"),
                    .option("music", text: "Music"), .option("travel", isDefault: true),
                    .option("off", enabled: false), max: max)))
    }

    @Test("IN-50 IN-51 each tap on a single choice reports the one option at once")
    func single() throws {
        var flow = Harness<FlowSession>(.screen("s", .single("c", .option("a"), .option("b"))))
        try flow.present()
        try flow.perform(.tapOption("c", option: "a"), .tapOption("c", option: "b"))
        #expect(
            flow.take() == [
                "input s/c single_choice [\"a\"] [\"a\"]",
                "input s/c single_choice [\"b\"] [\"b\"]",
            ])
        #expect(flow.selection("c") == ["b"])
    }

    @Test("IN-52 a tap on the selected option keeps it and reports it again")
    func confirm() throws {
        var flow = Harness<FlowSession>(.screen("s", .single("c", .option("a"))))
        try flow.present()
        try flow.perform(.tapOption("c", option: "a"), .tapOption("c", option: "a"))
        #expect(flow.take().count == 2)
        #expect(flow.selection("c") == ["a"])
    }

    @Test(
        "IN-5 IN-18 IN-53 IN-54 IN-56 IN-59 a multi choice lists all that is selected, in builder order"
    )
    func multi() throws {
        var flow = interests()
        try flow.present()
        try flow.perform(
            .tapOption("interests", option: "music"), .tapOption("interests", option: "sports"),
            .tapOption("interests", option: "travel"))
        #expect(
            flow.take() == [
                "input s/interests multi_choice [\"music\", \"travel\"] [\"Music\", \"travel\"]",
                "input s/interests multi_choice [\"sports\", \"music\", \"travel\"] "
                    + "[\"Sports\", \"Music\", \"travel\"]",
                "input s/interests multi_choice [\"sports\", \"music\"] [\"Sports\", \"Music\"]",
            ])
    }

    @Test("IN-55 the last option unselected sends two empty lists")
    func emptied() throws {
        var flow = interests()
        try flow.present()
        try flow.perform(.tapOption("interests", option: "travel"))
        #expect(flow.take() == ["input s/interests multi_choice [] []"])
        #expect(flow.selection("interests") == [])
    }

    @Test(
        "IN-57 IN-58 a title is Element Title, else text in the default locale, else Element ID",
        arguments: [
            ("Title", ["text", "Text"], "Title"), ("  ", ["text", "Text"], "text"),
            (nil, ["text", "Text"], "text"), (nil, [nil, "Text"], "id"), (nil, ["\n ", "T"], "id"),
        ] as [(String?, [String?], String)])
    func titles(title: String?, texts: [String?], expected: String) throws {
        let option = OptionDocument(
            elementID: "id", elementTitle: title, text: LocalizedText(texts))
        let screen = ScreenDocument.screen("s", .single("c", option))
        let content = FlowContent(
            id: "f", locales: [LocaleDocument(id: "en"), LocaleDocument(id: "de")],
            screens: [screen])
        var flow = Harness(content, options: FlowSessionOptions(locale: 1))
        try flow.present()
        try flow.perform(.tapOption("c", option: "id"))
        #expect(flow.take() == ["input s/c single_choice [\"id\"] [\"\(expected)\"]"])
    }

    @Test("IN-60 at the limit a further option changes and reports nothing")
    func limit() throws {
        var flow = interests(max: 2)
        try flow.present()
        try flow.perform(
            .tapOption("interests", option: "music"), .tapOption("interests", option: "sports"))
        #expect(flow.take().count == 1)
        #expect(flow.selection("interests") == ["music", "travel"])
        try flow.perform(
            .tapOption("interests", option: "travel"), .tapOption("interests", option: "sports"))
        #expect(flow.selection("interests") == ["sports", "music"])
    }

    @Test("IN-60 GEN-6 a disabled option is refused")
    func disabledOption() throws {
        var flow = interests()
        try flow.present()
        let refusal = flow.refusal(of: .tapOption("interests", option: "off"))
        #expect(refusal?.reason == .wrongState)
        #expect(refusal?.field == "option_id")
    }

    @Test("IN-19 IN-59 a toggle reports its state after the tap")
    func toggle() throws {
        var flow = Harness<FlowSession>(
            .screen("s", .toggle("reminders"), .toggle("news", on: true)))
        try flow.present()
        try flow.perform(.tapToggle("reminders"), .tapToggle("news"), .tapToggle("news"))
        #expect(
            flow.take() == [
                "input s/reminders toggle true", "input s/news toggle false",
                "input s/news toggle true",
            ])
    }

    @Test("IN-54 a choice of many options keeps its order beyond one word of bits")
    func manyOptions() throws {
        let options = (0..<130).map { OptionDocument.option("o\($0)", isDefault: $0 == 64) }
        let choice = ElementDocument(
            id: "c", content: .choice(ChoiceDocument(isMultiple: true, options: options)))
        var flow = Harness<FlowSession>(.screen("s", choice))
        try flow.present()
        try flow.perform(.tapOption("c", option: "o129"), .tapOption("c", option: "o0"))
        #expect(flow.selection("c") == ["o0", "o64", "o129"])
        #expect(
            flow.take() == [
                "input s/c multi_choice [\"o64\", \"o129\"] [\"o64\", \"o129\"]",
                "input s/c multi_choice [\"o0\", \"o64\", \"o129\"] "
                    + "[\"o0\", \"o64\", \"o129\"]",
            ])
        try flow.perform(.tapOption("c", option: "o64"))
        #expect(flow.selection("c") == ["o0", "o129"])
    }

    @Test("IN-51 a single choice of many options selects one over all words")
    func manySingleOptions() throws {
        let options = (0..<130).map { OptionDocument.option("o\($0)", isDefault: $0 == 70) }
        let choice = ElementDocument(
            id: "c", content: .choice(ChoiceDocument(isMultiple: false, options: options)))
        var flow = Harness<FlowSession>(.screen("s", choice))
        try flow.present()
        #expect(flow.selection("c") == ["o70"])
        try flow.perform(.tapOption("c", option: "o3"), .tapOption("c", option: "o129"))
        #expect(
            flow.take() == [
                "input s/c single_choice [\"o3\"] [\"o3\"]",
                "input s/c single_choice [\"o129\"] [\"o129\"]",
            ])
        try flow.perform(.tapOption("c", option: "o3"))
        #expect(flow.selection("c") == ["o3"])
    }

    @Test("IN-54 reported items are read in both directions, and are the same by their texts")
    func reportedItems() {
        let texts = OptionTexts(
            ids: (0..<70).map { "o\($0)" }, titles: (0..<70).map { "T\($0)" })
        let items = ReportedItems(texts, word: 1 << 63 | 1, furtherWords: [1 << 5])
        #expect(Array(items.ids) == ["o0", "o63", "o69"])
        #expect(items.titles.reversed() == ["T69", "T63", "T0"])
        #expect(items.ids.count == 3)
        #expect(
            ReportedValue.items(items)
                == .items(ids: ["o0", "o63", "o69"], titles: ["T0", "T63", "T69"]))
        #expect(
            ReportedValue.items(items)
                != .items(ids: ["o0", "o63", "o69"], titles: ["T0", "T63", "T6"]))
        #expect(
            ReportedValue.items(ids: ["ü"], titles: ["x"])
                != .items(ids: ["u\u{308}"], titles: ["x"]))
        #expect(ReportedItems(texts, word: 0, furtherWords: [0]).ids.isEmpty)
    }
}
