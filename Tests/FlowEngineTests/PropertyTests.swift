import Testing

@testable import FlowEngine

/// Random walks: repeatable, and untouched by what is refused (GEN-3, GEN-6).
struct PropertyTests {
    private static let elements = [
        "name", "email", "off", "day", "clock", "both", "plan", "likes", "flag", "next", "sheet",
        "shut", "ask", "fill", "list", "tabs", "quit", "missing", "#0", "",
    ]
    private static let options = ["a", "b", "#2", "gone", "p", "q", "one", "two"]
    private static let texts = ["", "x", "Jane", "a\nb", "tab\t", "1234567890", "ü"]

    static func document() -> FlowDocument {
        let elements: [ElementDocument] = [
            .field("name", max: 5), .field("email", .email, regex: "[a-zü]*"),
            .field("off", enabled: false), .picker("day"), .picker("clock", .time),
            .picker("both", .dateTime),
            .single("plan", .option("a", isDefault: true), .option("b")),
            .multi("likes", .option("a"), .option("b"), .option(nil), max: 2), .toggle("flag"),
            .products("list", "p", "q", preselected: "q"), .tabs("tabs", "one", "two"),
            .button("next", .openScreen("t", navigator: nil)),
            .button("sheet", .openScreen("s2", navigator: "sheet")),
            .button("fill", .setVariable(.element(screen: "s", element: "name"), .text("set"))),
            .button(
                "ask",
                .showAlert(
                    title: "?", message: "",
                    actions: [
                        AlertActionDocument(
                            id: "yes", title: "yes", style: .default,
                            actions: [.openScreen("t", navigator: nil)])
                    ])), .button("quit", .close, .custom("never")),
        ]
        return FlowDocument(
            FlowContent(
                id: "f",
                screens: [
                    ScreenDocument(id: "s", elements: elements),
                    .screen(
                        "t", .field("name"), .button("next", .back), .label("c", "", timer: "x")),
                    .screen("s2", .toggle("flag"), .button("shut", .closeNavigator("sheet"))),
                ], navigators: [.main, NavigatorDocument(id: "sheet", order: 1)],
                timers: [
                    TimerDocument(
                        id: "x", mode: .restart, durationMs: 5_000,
                        actions: [.openScreen("s", navigator: nil)])
                ]))
    }

    static func gesture(_ random: inout SplitMix) -> Gesture {
        let element = elements.randomElement(using: &random) ?? ""
        let option = options.randomElement(using: &random) ?? ""
        let text = texts.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<17, using: &random) {
        case 0, 1: return .focus(element)
        case 2, 3: return .enterText(Bool.random(using: &random) ? nil : element, text: text)
        case 4: return .clearText(nil)
        case 5: return .blur
        case 6: return .openPicker(element)
        case 7, 8:
            let date = CivilDate(
                year: 2024, month: 2, day: Int32.random(in: 27...31, using: &random))
            let time = CivilTime(hour: Int32.random(in: 20...25, using: &random), minute: 0)
            return .pick(
                Bool.random(using: &random) ? date : nil, Bool.random(using: &random) ? time : nil)
        case 9: return .closePicker
        case 10, 11: return .tapOption(element, option: option)
        case 12: return .tapToggle(element)
        case 13: return .tapButton(element)
        case 14: return .selectProduct(element, product: option)
        case 15: return .switchTab(element, tab: option)
        default: return Bool.random(using: &random) ? .goBack : .tapOutside
        }
    }

    static func input(_ random: inout SplitMix) -> ViewInput {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: .enterBackground
        case 1, 2: .enterForeground
        case 3: .disappear
        case 4, 5, 6: .appear
        case 7: .productsLoaded(["q"])
        case 8: .productsLoaded(["p", "q"])
        case 9, 10, 11: .alertAnswered(actionID: "yes")
        case 12: .timeReached
        default: .gesture(gesture(&random))
        }
    }

    private func walk(_ seed: UInt64, steps: Int = 400) throws -> [String] {
        var flow = Harness(FlowSession(document: Self.document(), options: .init(locale: 0)))
        var random = SplitMix(seed: seed)
        for _ in 0..<steps {
            flow.now = flow.now.advanced(byMs: Int64.random(in: 0..<900, using: &random))
            do { try flow.send(Self.input(&random)) } catch is GestureRefusal {}
        }
        return flow.take()
    }

    @Test(
        "GEN-3 a random walk repeated gives the same effects",
        arguments: 1...40 as ClosedRange<UInt64>)
    func repeatable(seed: UInt64) throws {
        let first = try walk(seed)
        #expect(try walk(seed) == first, "seed \(seed)")
        #expect(!first.isEmpty, "seed \(seed)")
    }

    @Test(
        "GEN-6 a refused gesture changes neither the snapshot nor what comes later",
        arguments: 1...40 as ClosedRange<UInt64>)
    func refusedChangesNothing(seed: UInt64) throws {
        var pestered = Harness(FlowSession(document: Self.document(), options: .init(locale: 0)))
        var calm = pestered
        var random = SplitMix(seed: seed)
        var refused = 0
        for _ in 0..<400 {
            let span = Int64.random(in: 0..<900, using: &random)
            pestered.now = pestered.now.advanced(byMs: span)
            calm.now = pestered.now
            let input = Self.input(&random)
            let before = pestered.session.snapshot(elements: 0..<99)
            do {
                try pestered.send(input)
            } catch is GestureRefusal {
                refused += 1
                #expect(
                    pestered.session.snapshot(elements: 0..<99) == before, "seed \(seed): \(input)")
                continue
            }
            try calm.send(input)
            #expect(pestered.effects == calm.effects, "seed \(seed): \(input)")
        }
        #expect(
            pestered.session.snapshot(elements: 0..<99) == calm.session.snapshot(elements: 0..<99))
        #expect(refused > 20, "seed \(seed)")
    }

    @Test("GEN-6 the same holds for onboardings", arguments: 1...20 as ClosedRange<UInt64>)
    func onboardings(seed: UInt64) throws {
        let content = OnboardingContent(
            id: "o", screens: Self.document().content.screens.filter { $0.id != "s2" })
        var pestered = Harness(
            OnboardingSession(
                document: OnboardingDocument(content), locale: 0, opensExternalBrowser: false,
                isReachable: true))
        var calm = pestered
        var random = SplitMix(seed: seed)
        for _ in 0..<400 {
            let input = Self.input(&random)
            let before = pestered.session.snapshot(elements: 0..<99)
            do {
                try pestered.send(input)
            } catch is GestureRefusal {
                #expect(
                    pestered.session.snapshot(elements: 0..<99) == before, "seed \(seed): \(input)")
                continue
            }
            try calm.send(input)
            #expect(pestered.effects == calm.effects, "seed \(seed): \(input)")
        }
        #expect(!pestered.effects.isEmpty)
    }

    @Test("A session is small: what it does not change stays in the document")
    func size() {
        #expect(MemoryLayout<FlowSession>.size <= 256)
        #expect(MemoryLayout<OnboardingSession>.size <= 256)
    }
}
