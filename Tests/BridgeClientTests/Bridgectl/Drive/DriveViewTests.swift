import BridgeProtocol
import Testing

@testable import bridgectl

@Suite("bridgectl drive: the drawing")
struct DriveViewTests {
    static func element(
        _ id: String, _ kind: String, _ title: String = "", value: Value.Kind? = nil,
        _ change: (inout ScreenElement) -> Void = { _ in }
    ) -> ScreenElement {
        with(ScreenElement()) {
            $0.elementId = id
            $0.kind = kind
            $0.title = title
            $0.enabled = true
            if let value { $0.value = with(Value()) { $0.kind = value } }
            change(&$0)
        }
    }

    static func option(_ id: String, _ title: String, selected: Bool = false) -> ScreenOption {
        with(ScreenOption()) {
            $0.optionId = id
            $0.title = title
            $0.selected = selected
            $0.enabled = true
        }
    }

    static func model(_ elements: [ScreenElement], screen: String = "scr_a") -> DriveModel {
        var model = DriveModel()
        model.time = "12:00:00"
        model.locale = "en"
        model.show(
            [
                with(Screen()) {
                    $0.screenId = screen
                    $0.elements = elements
                }
            ],
            of: with(ViewInfo()) {
                $0.viewId = "V"
                $0.placementId = "place"
            })
        return model
    }

    private let everything = model([
        element("#0", "text", "Welcome 日本"),
        element("name", "text_input", "Name", value: .string("Jane")) { $0.focused = true },
        element("mail", "email_input", "E-mail") { $0.placeholder = "you@example.com" },
        element("secret", "password_input", "Password", value: .string("12345")),
        element("off", "number_input", "Age") { $0.enabled = false },
        element("day", "date_picker", "Birthday", value: .int64(0)),
        element("size", "single_choice", "Size") {
            $0.options = [option("s", "Small"), option("l", "Large", selected: true)]
        },
        element("likes", "multi_choice", "Likes") {
            $0.options = [option("a", "Sports", selected: true), option("b", "Music")]
        },
        element("news", "toggle", "News", value: .bool(true)), element("#9", "unknown"),
        element("next", "button", "Next"),
    ])

    private func texts(_ model: DriveModel, _ columns: Int, _ rows: Int) -> [String] {
        DriveView(model: model, size: TerminalSize(columns: columns, rows: rows)).draw().lines
            .map { line in
                var text = line.text
                while text.last == " " { text.removeLast() }
                return text
            }
    }

    @Test("every kind of element has its line, the cursor its sign")
    func elements() {
        var model = everything
        model.instants[5] = "1990-06-15"
        let lines = texts(model, 60, 40)
        #expect(
            Array(lines[0...20]) == [
                " default · place · scr_a · en                      12:00:00", "", "  Welcome 日本",
                "",
                "› Name      [Jane                                        ] ◂",
                "  E-mail    [you@example.com                             ]",
                "  Password  [•••••                                       ]",
                "  Age       [                                            ]",
                "  Birthday  [1990-06-15                                 ▾]", "  Size",
                "    ( ) Small", "    (•) Large", "", "  Likes", "    [x] Sports", "    [ ] Music",
                "",
                "  News      (on ●)", "  (an element that this version cannot show)", "",
                "  [ Next ]",
            ])
        #expect(!lines.contains { $0.contains("12345") })
    }

    @Test(
        "every line has exactly the columns of the terminal, at every size",
        arguments: [(40, 10), (80, 24), (109, 30), (110, 30), (200, 50), (41, 11), (20, 5), (1, 1)])
    func widths(columns: Int, rows: Int) {
        var model = everything
        for number in 0..<100 {
            model.note(.init(kind: .came, time: "12:00:00", text: "event \(number) 日本語 \u{1B}[2J"))
        }
        for dialog in [nil, .help, DriveModel.Dialog.question(chosen: 0)] {
            model.dialog = dialog
            let canvas = DriveView(
                model: model, size: TerminalSize(columns: columns, rows: rows)
            ).draw()
            #expect(canvas.lines.count == rows)
            #expect(canvas.lines.allSatisfy { $0.width == columns })
            #expect(!canvas.lines.contains { $0.text.contains("\u{1B}") })
        }
    }

    @Test("on a wide terminal the callbacks stand beside, on a narrow one below")
    func panes() {
        var model = everything
        model.note(.init(kind: .done, time: "12:00:00", text: "tap next"))
        model.note(.init(kind: .came, time: "12:00:01", text: "flow_did_appear"))
        let wide = texts(model, 120, 24)
        #expect(wide[1].hasSuffix("│ 12:00:00 → tap next"))
        #expect(wide[2].hasSuffix("│ 12:00:01 ← flow_did_appear"))
        let narrow = texts(model, 80, 24)
        let rule = narrow.firstIndex { $0.hasPrefix("── callbacks ─") } ?? 0
        #expect(rule > 10)
        #expect(narrow[rule + 1] == "12:00:00 → tap next")
    }

    @Test("what does not fit is counted, and the element at the cursor is always in sight")
    func scrolling() {
        var model = Self.model(
            (0..<50).map { Self.element("b\($0)", "button", "Button \($0)") })
        for cursor in [0, 20, 49] {
            model.cursor = cursor
            let lines = texts(model, 80, 24)
            #expect(lines.contains("› [ Button \(cursor) ]"))
            #expect(lines.contains { $0.contains("↓") } == (cursor < 49))
            #expect(lines.contains { $0.contains("↑") } == (cursor > 0))
        }
    }

    @Test("a question and a picker stand in a box in front of the screen")
    func dialogs() {
        var model = everything
        model.questions = [
            .init(
                id: "q", title: "Push?", standard: "denied",
                answers: [("granted", .retry(true)), ("denied", .retry(false))])
        ]
        model.dialog = .question(chosen: 1)
        var lines = texts(model, 80, 24)
        #expect(lines.contains { $0.contains("┌ Push? ─") })
        #expect(lines.contains { $0.contains("›  denied") })
        #expect(lines.contains { $0.contains("without an answer: denied") })
        model.dialog = .picker(
            PickerDialog(
                element: "d", title: "Day", kind: "date_time_picker", from: "2024-02-29 08:30"))
        lines = texts(model, 80, 24)
        #expect(lines.contains { $0.contains("│ 2024-02-29 08:30 ") })
    }

    @Test("the command line shows its end, and the cursor is there")
    func command() {
        var model = everything
        model.command = String(repeating: "x", count: 100) + "日"
        let canvas = DriveView(model: model, size: TerminalSize(columns: 80, rows: 24)).draw()
        #expect(canvas.lines[23].text.hasPrefix(":…xxx"))
        #expect(canvas.cursor?.row == 23)
        #expect(canvas.cursor?.column == 79)
    }

    @Test("the start page offers the placements")
    func startPage() {
        var model = DriveModel()
        model.placements = [
            with(PlacementInfo()) {
                $0.placementId = "onboarding"
                $0.type = "flow"
            }
        ]
        let lines = texts(model, 80, 24)
        #expect(lines[0].contains("nothing is on screen"))
        #expect(lines.contains("›  onboarding   flow"))
    }
}
