import Testing

@testable import FlowEngine

/// When fields report, and what (IN-9 to IN-12, IN-20 to IN-32, IN-92).
struct FieldTests {
    private func form(_ field: ElementDocument = .field("name")) -> Harness<FlowSession> {
        Harness(
            .screen(
                "s", field, .field("other"), .picker("day"), .single("pick", .option("a")),
                .toggle("flag"), .products("list", "p"), .tabs("tabs", "t0", "t1"),
                .button("stay", .custom("c")), .button("next", .openScreen("t", navigator: nil))),
            .screen("t"))
    }

    @Test(
        "IN-9 IN-10 IN-11 IN-12 IN-31 each kind reports its text as typed",
        arguments: [
            (FieldKind.text, "text_input", "  a b "), (.email, "email_input", "no address"),
            (.number, "number_input", "007"), (.number, "number_input", "1.50"),
            (.phone, "phone_input", "+1 (0)"),
        ])
    func kinds(kind: FieldKind, type: String, text: String) throws {
        var flow = form(.field("f", kind))
        try flow.present()
        try flow.perform(.focus("f"), .type(text), .blur)
        #expect(flow.take() == ["input s/f \(type) \"\(text)\""])
    }

    @Test(
        "IN-20 IN-21 an edited field reports at everything that takes its focus",
        arguments: [
            Gesture.blur, .focus("other"), .openPicker("day"), .tapOutside, .tapButton("next"),
        ])
    func losesFocus(by gesture: Gesture) throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"), .type("x"), gesture)
        #expect(flow.take().first == "input s/name text_input \"x\"")
    }

    @Test(
        "IN-22 ACT-6 taps that stay on the screen leave the focus alone",
        arguments: [
            Gesture.tapOption("pick", option: "a"), .tapToggle("flag"), .tapButton("stay"),
            .selectProduct("list", product: "p"), .switchTab("tabs", tab: "t1"),
        ])
    func keepsFocus(at gesture: Gesture) throws {
        var flow = form()
        try flow.send(.productsLoaded(["p"]))
        try flow.present()
        try flow.perform(.focus("name"), .type("x"), gesture)
        #expect(flow.element("name")?.isFocused == true)
        #expect(!flow.take().contains("input s/name text_input \"x\""))
    }

    @Test("IN-23 typing sends nothing, and one blur reports the last text")
    func typing() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"), .type("J"), .type("Ja"), .type("Jane"))
        #expect(flow.take() == [])
        try flow.perform(.blur)
        #expect(flow.take() == ["input s/name text_input \"Jane\""])
    }

    @Test("IN-24 a field emptied by the user reports the empty text")
    func emptied() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"), .type("x"), .blur, .focus("name"), .clearText(nil), .blur)
        #expect(flow.take() == ["input s/name text_input \"x\"", "input s/name text_input \"\""])
    }

    @Test("IN-25 IN-26 IN-29 a field never edited reports nothing", arguments: ["", "given"])
    func neverEdited(initial: String) throws {
        var flow = form(.field("name", text: initial, placeholder: "Your name"))
        try flow.present()
        try flow.perform(.focus("name"), .blur, .focus("name"), .focus("other"), .tapOutside)
        #expect(flow.take() == [])
        #expect(flow.value("name") == .text(initial))
        #expect(flow.element("name")?.placeholder == "Your name")
    }

    @Test("IN-29 an edited pre-filled field reports its whole text")
    func prefilled() throws {
        var flow = form(.field("name", text: "Jan"))
        try flow.present()
        try flow.perform(.focus("name"), .type("Jane"), .blur)
        #expect(flow.take() == ["input s/name text_input \"Jane\""])
    }

    @Test("IN-27 a second edit reports again, a second visit without edit does not")
    func again() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"), .type("a"), .blur, .focus("name"), .blur)
        try flow.perform(.focus("name"), .type("b"), .blur)
        #expect(flow.take() == ["input s/name text_input \"a\"", "input s/name text_input \"b\""])
    }

    @Test("IN-28 changed and changed back is an edit; typing what is there is none")
    func edits() throws {
        var flow = form(.field("name", text: "a"))
        try flow.present()
        try flow.perform(.focus("name"), .type("b"), .type("a"), .blur)
        #expect(flow.take() == ["input s/name text_input \"a\""])
        try flow.perform(.focus("name"), .type("a"), .blur)
        #expect(flow.take() == [])
    }

    @Test(
        "IN-30 max length cuts by characters, then the pattern accepts or undoes",
        arguments: [
            ("12345", 3, nil, "123"), ("👩‍👩‍👦‍👦e\u{301}x", 2, nil, "👩‍👩‍👦‍👦e\u{301}"),
            ("123", nil, "[0-9]+", "123"), ("12a", nil, "[0-9]+", "7"), ("a12", nil, "[0-9]+", "7"),
            ("12345", 3, "[0-9]{3}", "123"), ("1234", 2, "[0-9]{3}", "7"),
            ("free", nil, "[0-9", "free"), ("ab", nil, "a|ab", "7"),
        ] as [(String, Int?, String?, String)])
    func limits(typed: String, max: Int?, regex: String?, expected: String) throws {
        var flow = form(.field("name", text: "7", max: max, regex: regex))
        try flow.present()
        try flow.perform(.focus("name"), .type(typed))
        #expect(flow.value("name") == .text(expected))
        try flow.perform(.blur)
        #expect(flow.take() == (expected == "7" ? [] : ["input s/name text_input \"\(expected)\""]))
    }

    @Test(
        "IN-30 patterns know Unicode and both ways to write a code point",
        arguments: [
            (#"\w+"#, "Zoë", true), (#"\d+"#, "٣", true), (#"[\u0400-\u04FF]+"#, "Юля", true),
            (#"[\x{400}-\x{4FF}]+"#, "Юля", true), (#"\p{Lu}\p{Ll}*"#, "Ärger", true),
            ("a.c", "a👩c", true), ("é", "e\u{301}", false), ("(?i)straße", "STRAßE", true),
            ("^[^@ ]+@[^@ ]+$", "ann@example.com", true), ("a\\Kb", "ab", false),
        ])
    func unicode(regex: String, typed: String, passes: Bool) throws {
        var flow = form(.field("name", text: "7", regex: regex))
        try flow.present()
        try flow.perform(.focus("name"), .type(typed))
        #expect(flow.value("name") == .text(passes ? typed : "7"))
    }

    @Test(
        "IN-30 a pattern that backtracks without end refuses the text and holds up nobody",
        arguments: ["(a+)+$", "(a|aa)+$", "(a|a?)+$", "(.*)*b", "((a*)*)*$"])
    func backtracking(regex: String) throws {
        var flow = form(.field("name", text: "7", regex: regex))
        try flow.present()
        try flow.perform(.focus("name"), .type(String(repeating: "a", count: 20_000) + "!"))
        #expect(flow.value("name") == .text("7"))
        try flow.perform(.type("aab"))
        #expect(flow.value("name") == .text(regex.hasSuffix("b") ? "aab" : "7"))
    }

    @Test("IN-30 the empty text always passes")
    func emptyPasses() throws {
        var flow = form(.field("name", text: "7", regex: "[0-9]+"))
        try flow.present()
        try flow.perform(.focus("name"), .clearText("name"), .blur)
        #expect(flow.take() == ["input s/name text_input \"\""])
    }

    @Test(
        "IN-32 GEN-13 line ends belong to multi-line fields, control characters to none",
        arguments: [
            ("a\nb", GestureRefusal.Reason?.none, .invalidArgument),
            ("a\r\nb", nil, .invalidArgument),
            ("a\u{2028}b\u{2029}c\u{85}d\u{B}e\u{C}f", nil, .invalidArgument),
            ("a\tb", .invalidArgument, .invalidArgument),
            ("a\u{0}", .invalidArgument, .invalidArgument),
            ("\u{7F}", .invalidArgument, .invalidArgument),
            ("\u{9B}", .invalidArgument, .invalidArgument),
            ("\u{200F}שלום\u{200F}", nil, nil), (" a\u{A0}", nil, nil),
        ] as [(String, GestureRefusal.Reason?, GestureRefusal.Reason?)])
    func characters(
        text: String, inMultiline: GestureRefusal.Reason?, inSingle: GestureRefusal.Reason?
    ) throws {
        for (isMultiline, reason) in [(true, inMultiline), (false, inSingle)] {
            var flow = form(.field("name", multiline: isMultiline))
            try flow.present()
            try flow.perform(.focus("name"))
            if let reason {
                let refusal = flow.refusal(of: .type(text))
                #expect(refusal?.reason == reason)
                #expect(refusal?.field == "text")
                #expect(flow.value("name") == .text(""))
            } else {
                try flow.perform(.type(text), .blur)
                #expect(flow.take() == ["input s/name text_input \"\(text)\""])
            }
        }
    }

    @Test(
        "GEN-4 field case 29: text is reported code point for code point",
        arguments: [
            "Wünderbar", "Wu\u{308}nderbar", "Nguyễn", "李小龍", "👩‍👩‍👦‍👦", "a\u{A0}",
            String(repeating: "e\u{301}", count: 10_000),
        ])
    func unicode(text: String) throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"), .type(text), .blur)
        guard
            case .analytic(.userInput(_, .text(let reported)))? = flow.takeEffects().first
        else { throw Missing() }
        #expect(Array(reported.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test("IN-28 GEN-4 a composed letter typed over a decomposed one is an edit")
    func normalisation() throws {
        var flow = form(.field("name", text: "u\u{308}"))
        try flow.present()
        try flow.perform(.focus("name"), .type("ü"), .blur)
        #expect(flow.take().count == 1)
    }

    @Test("GEN-13 32 KiB of text pass, a byte more is refused")
    func size() throws {
        #expect(TextEntry.bytesMax == 32_768)
        for unit in ["a", "é", "👍"] {
            var flow = form()
            try flow.present()
            let longest = String(
                repeating: unit, count: TextEntry.bytesMax / unit.utf8.count)
            try flow.perform(.focus("name"), .type(longest), .blur)
            #expect(flow.take().count == 1)
            try flow.perform(.focus("name"))
            let refusal = flow.refusal(of: .type(longest + "a"))
            #expect(refusal?.reason == .limitExceeded)
            #expect(refusal?.message.contains("32769 bytes") == true)
        }
    }

    @Test("IN-92 text goes to the field in focus, by name or without")
    func inFocus() throws {
        var flow = form()
        try flow.present()
        #expect(flow.refusal(of: .type("x"))?.reason == .wrongState)
        #expect(flow.refusal(of: .clearText(nil))?.reason == .wrongState)
        #expect(flow.refusal(of: .blur)?.reason == .wrongState)
        try flow.perform(.focus("name"), .enterText("name", text: "x"))
        #expect(flow.refusal(of: .enterText("other", text: "y"))?.reason == .wrongState)
        #expect(flow.refusal(of: .clearText("other"))?.reason == .wrongState)
        try flow.perform(.focus("name"))
        #expect(flow.value("name") == .text("x"))
        try flow.perform(.tapOutside)
        #expect(flow.take() == ["input s/name text_input \"x\""])
        try flow.perform(.tapOutside)
        #expect(flow.take() == [])
    }

    @Test("IN-92 IN-28 focus on the field in focus keeps its edit pending")
    func focusTwice() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"), .type("x"), .focus("name"))
        #expect(flow.take() == [])
        try flow.perform(.blur)
        #expect(flow.take() == ["input s/name text_input \"x\""])
    }

    @Test("IN-6 one Element ID on two screens reports from both")
    func sameIDOnTwoScreens() throws {
        var flow = Harness<FlowSession>(
            .screen("a", .field("f"), .button("go", .openScreen("b", navigator: nil))),
            .screen("b", .field("f")))
        try flow.present()
        try flow.perform(.focus("f"), .type("1"), .tapButton("go"), .focus("f"), .type("2"), .blur)
        #expect(
            flow.take() == [
                "input a/f text_input \"1\"", "showed b 1 true", "input b/f text_input \"2\"",
            ])
    }

    @Test(
        "ACT-6 opening a URL leaves the field in focus and its edit pending",
        arguments: [Gesture.tapButton("site"), .tapButton("inside"), .tapLink("terms", index: 0)])
    func urlKeepsFocus(at gesture: Gesture) throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .field("name"),
                .button("site", .openURL("https://a.example", .browserOutApp)),
                .button("inside", .openURL("https://a.example", .browserInApp)),
                .label("terms", "Terms", links: ["https://a.example"])))
        try flow.present()
        try flow.perform(.focus("name"), .type("x"), gesture)
        #expect(flow.take().count == 1)
        #expect(flow.element("name")?.isFocused == true)
        try flow.perform(.blur)
        #expect(flow.take() == ["input s/name text_input \"x\""])
    }

    @Test("IN-81 events come in the order of the interactions that caused them")
    func order() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("name"), .type("x"), .tapToggle("flag"))
        try flow.perform(.tapOption("pick", option: "a"), .openPicker("day"), .pick(1990, 6, 15))
        try flow.perform(.tapToggle("flag"), .focus("other"), .type("y"), .tapButton("next"))
        #expect(
            flow.take() == [
                "input s/flag toggle true", "input s/pick single_choice [\"a\"] [\"a\"]",
                "input s/name text_input \"x\"", "input s/flag toggle false",
                "input s/day date_picker 645408000000", "input s/other text_input \"y\"",
                "showed t 1 true",
            ])
    }

    private struct Missing: Error {}
}
