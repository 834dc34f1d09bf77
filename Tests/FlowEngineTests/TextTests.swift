import Testing

@testable import FlowEngine

/// Tags and locales in what a screen shows (FC-2 to FC-5, FC-10 to FC-13).
struct TextTests {
    private func shown(_ element: ElementDocument, tags: [String: String]) throws -> String? {
        var flow = Harness<FlowSession>(
            .screen("s", element), options: FlowSessionOptions(locale: 0, tags: tags))
        try flow.present()
        return flow.element("t")?.title
    }

    private static let initial = ["name": "you", "days": "few"]

    @Test(
        "FC-10 FC-11 FC-12 a text shows all of its tags or all of its initial values",
        arguments: [
            (["name": "Ann", "days": "3"], "Hi Ann, 3 days"),
            (["name": "Ann"], "Hi you, few days"),
            ([:], "Hi you, few days"),
            (["Name": "Ann", "days": "3"], "Hi you, few days"),
            (["name": "", "days": "3"], "Hi , 3 days"),
            (["name": "{{days}}", "days": "3"], "Hi {{days}}, 3 days"),
        ] as [([String: String], String)])
    func tags(given: [String: String], expected: String) throws {
        let element = ElementDocument.label("t", "Hi {{name}}, {{days}} days", tags: Self.initial)
        #expect(try shown(element, tags: given) == expected)
    }

    @Test(
        "FC-10 only names of the element's tags are replaced",
        arguments: [
            ("{{other}} {{name}}", "{{other}} Ann"), ("{{name", "{{name"), ("{{{{name}}", "{{Ann"),
            ("{name}", "{name}"), ("{{name}}{{name}}", "AnnAnn"), ("", ""),
        ])
    func notTags(text: String, expected: String) throws {
        let element = ElementDocument.label("t", text, tags: ["name": "you"])
        #expect(try shown(element, tags: ["name": "Ann", "other": "x"]) == expected)
    }

    @Test("FC-13 tags work in text elements only")
    func elsewhere() throws {
        let button = ElementDocument(
            id: "t", text: .text("{{name}}"), content: .button(ButtonDocument(actions: [])))
        #expect(try shown(button, tags: ["name": "Ann"]) == "{{name}}")
    }

    @Test("FC-12 a tag missing in one element does not touch another")
    func twoElements() throws {
        var flow = Harness<FlowSession>(
            .screen(
                "s", .label("a", "{{x}}", tags: ["x": "0"]), .label("b", "{{y}}", tags: ["y": "0"])),
            options: FlowSessionOptions(locale: 0, tags: ["y": "1"]))
        try flow.present()
        #expect(flow.element("a")?.title == "0")
        #expect(flow.element("b")?.title == "1")
    }

    @Test("FC-13 tags do nothing in alerts, URLs, placeholders, Set Variable and conditions")
    func elsewhereThanShown() throws {
        let isTag = ConditionDocument.equals(
            .element(screen: "s", element: "f"), .text("{{name}}"))
        let field = ElementDocument(
            id: "f",
            content: .field(FieldDocument(kind: .text, placeholder: .text("{{name}}"))))
        var flow = Harness<FlowSession>(
            .screen(
                "s", field, .label("l", "{{name}}", tags: ["name": "you"]),
                .button(
                    "set", .setVariable(.element(screen: "s", element: "f"), .text("{{name}}"))),
                .button(
                    "ask",
                    .branch(
                        [ConditionBranch(condition: isTag, actions: [.custom("as written")])],
                        otherwise: [])),
                .button("open", .openURL("https://a.example/{{name}}", .browserOutApp)),
                .button("alert", .showAlert(title: "{{name}}", message: "{{name}}", actions: []))),
            options: FlowSessionOptions(locale: 0, tags: ["name": "Ann"]))
        try flow.present()
        try flow.perform(.tapButton("set"), .tapButton("ask"), .tapButton("open"))
        try flow.perform(.tapButton("alert"))
        let effects = flow.takeEffects()
        #expect(
            effects.map(\.line) == [
                "custom as written", "openURL https://a.example/{{name}} out", "alert {{name}}",
            ])
        #expect(effects.last == .alertShown(title: "{{name}}", message: "{{name}}", actions: []))
        #expect(flow.element("f")?.placeholder == "{{name}}")
        #expect(flow.element("l")?.title == "Ann")
    }

    @Test("FC-10 GEN-4 tag names are compared code point by code point")
    func exactNames() throws {
        let element = ElementDocument.label("t", "{{ü}} {{u\u{308}}}", tags: ["ü": "0"])
        #expect(try shown(element, tags: ["u\u{308}": "1"]) == "0 {{u\u{308}}}")
        #expect(try shown(element, tags: ["ü": "1"]) == "1 {{u\u{308}}}")
    }

    private func bilingual(locale: Int) -> Harness<FlowSession> {
        let screen = ScreenDocument(
            id: "s",
            elements: [
                ElementDocument(
                    id: "t", text: LocalizedText(["Hello", "Hallo"]), content: .text(TextDocument())
                ),
                ElementDocument(
                    id: "u", text: LocalizedText(["Only English", nil]),
                    content: .text(TextDocument())),
            ])
        return Harness(
            FlowContent(
                id: "f",
                locales: [
                    LocaleDocument(id: "en"), LocaleDocument(id: "pt-br", isRightToLeft: true),
                ],
                screens: [screen]), options: FlowSessionOptions(locale: locale))
    }

    @Test("FC-3 FC-5 a hit shows that locale over the default one, a miss the default one")
    func locales() throws {
        for (locale, expected, id) in [
            (1, ["Hallo", "Only English"], "pt-br"), (0, ["Hello", "Only English"], "en"),
            (7, ["Hello", "Only English"], "en"),
        ] {
            var flow = bilingual(locale: locale)
            try flow.present()
            #expect(flow.session.snapshot(elements: 0..<9)[0].elements.map(\.title) == expected)
            #expect(flow.session.shownLocale.id == id)
            #expect(flow.session.shownLocale.isRightToLeft == (id == "pt-br"))
        }
    }

    @Test(
        "FC-2 locale ids are compared exactly",
        arguments: [("pt-br", 1), ("pt-BR", nil), ("pt_BR", nil), ("pt-PT", nil), ("en", 0)]
            as [(String, Int?)])
    func localeIDs(id: String, index: Int?) {
        #expect(bilingual(locale: 0).session.document.localeIndex(of: id) == index)
    }
}
