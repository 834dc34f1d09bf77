import BridgeProtocol
import Testing

@testable import bridgectl

@Suite("bridgectl drive: keys and commands")
struct DriveKeyTests {
    private typealias Screens = DriveViewTests

    private func press(_ model: inout DriveModel, _ keys: Key...) -> [String] {
        keys.flatMap { model.press($0) }.map(Self.words)
    }

    private static func words(_ action: DriveAction) -> String {
        switch action {
        case .perform(let gestures): gestures.map(\.words).joined(separator: ", ")
        case .show(let placement): "show \(placement)"
        case .answer(let question, _): "answer \(question)"
        case .call(let method, let json): "\(method) \(json)"
        case .lookAt(let view): "view \(view)"
        case .redraw: "redraw"
        case .quit: "quit"
        }
    }

    private let form = Screens.model([
        Screens.element("name", "text_input", value: .string("Jo")),
        Screens.element("day", "date_picker") { $0.title = "Day" },
        Screens.element("size", "single_choice") {
            $0.options = [Screens.option("s", "S"), Screens.option("l", "L")]
        },
        Screens.element("on", "toggle"),
        Screens.element("plans", "product_list") {
            $0.options = [Screens.option("p", "P")]
        },
        Screens.element("bar", "tabs") { $0.options = [Screens.option("t", "T")] },
        Screens.element("terms", "text", "Terms"), Screens.element("next", "button"),
    ])

    @Test("letters go to the field at the cursor: focus, the whole text, away again")
    func typing() {
        var model = form
        #expect(press(&model, .character("h")) == ["focus name"])
        #expect(model.editing == "Joh")
        #expect(
            press(&model, .character("q"), .backspace, .character("n"), .enter) == [
                "type John, blur"
            ])
        #expect(model.editing == nil)
        #expect(press(&model, .enter, .escape) == ["focus name", "blur"])
        #expect(press(&model, .enter, .tab) == ["focus name", "blur"], "nothing was changed")
        #expect(model.element?.elementId == "day")
    }

    @Test("Enter does what the element at the cursor is for")
    func acting() {
        var model = form
        var done: [String] = []
        for _ in 0..<8 {
            _ = press(&model, .down)
            done += press(&model, .enter)
            if model.dialog != nil { done += press(&model, .up, .right, .character("7"), .enter) }
        }
        #expect(
            Array(done.prefix(8)) == [
                "open day", "pick 2001-07-01, close picker", "tap size s", "tap size l",
                "toggle on",
                "select p in plans", "tab t in bar", "link terms index 0",
            ])
        #expect(done.last == "tap next")
        _ = press(&model, .down)
        #expect(model.cursor == 0, "it goes round")
    }

    @Test("short keys work where no letter can be typed")
    func shortKeys() {
        var model = form
        #expect(press(&model, .control("o")) == [])
        #expect(model.command == "")
        _ = press(&model, .escape)
        model.cursor = 3
        #expect(
            press(&model, .character("b"), .character("o"), .character("s"), .character("q")) == [
                "go back", "tap outside", "swipe down", "quit",
            ])
        _ = press(&model, .character("x"))
        #expect(model.fault.contains("no key \"x\""))
        _ = press(&model, .character("?"))
        #expect(model.dialog == .help)
        #expect(press(&model, .control("c")) == ["quit"])
    }

    @Test("a question takes arrows and Enter, the first answer first")
    func questions() {
        var model = form
        model.cursor = 3
        model.questions = [
            .init(
                id: "Q", title: "?", standard: "no",
                answers: [("yes", .retry(true)), ("no", .retry(false))])
        ]
        _ = press(&model, .character("a"), .down)
        #expect(model.dialog == .question(chosen: 1))
        #expect(model.press(.enter) == [.answer(question: "Q", .retry(false))])
    }

    @Test("the cursor stays at its element while the screen changes, and begins anew on another")
    func cursor() {
        var model = form
        model.cursor = 8
        #expect(model.element?.elementId == "next")
        model.show(
            [
                with(Screen()) {
                    $0.screenId = "scr_a"
                    $0.elements = [Screens.element("new", "button")] + form.elements
                }
            ], of: model.view)
        #expect(model.element?.elementId == "next")
        model.editing = "half"
        model.show(
            [
                with(Screen()) {
                    $0.screenId = "scr_b"
                    $0.elements = [
                        Screens.element("#0", "text", "T"), Screens.element("b", "button"),
                    ]
                }
            ], of: model.view)
        #expect(model.element?.elementId == "b")
        #expect(model.editing == nil)
    }

    @Test(
        "commands say what they do, or what is wrong",
        arguments: [
            ("show onboarding", "show onboarding"), ("tap next", "tap next"),
            ("tap size l", "tap size l"), ("type name Jane Doe", "focus name, type Jane Doe, blur"),
            ("clear name", "focus name, type, blur"), ("toggle on", "toggle on"),
            ("pick day 1990-06-15 08:30", "open day, pick 1990-06-15 08:30, close picker"),
            ("select plans p", "select p in plans"), ("tab bar t", "tab t in bar"),
            ("link terms 1", "link terms index 1"), ("back", "go back"), ("swipe", "swipe down"),
            ("advance 2s", "advance_clock {\"byMs\":2000}"),
            ("dismiss", "dismiss {\"viewId\":\"V\"}"), ("background", "enter_background {}"),
            ("offline off", "set_conditions {\"offline\":false}"), ("view 2", "view 2"),
            ("call get_profile", "get_profile {}"),
            ("call ping {\"payload\":\"AQID\"}", "ping {\"payload\":\"AQID\"}"),
            ("q", "quit"), ("", ""),
        ])
    func commands(line: String, wanted: String) throws {
        let actions = try DriveCommand.read(line, form)
        #expect(actions.map(Self.words).joined() == wanted)
    }

    @Test(
        "a wrong command is told in words",
        arguments: [
            ("shwo x", "did you mean show?"), ("tap", "tap needs ELEMENT [OPTION]"),
            ("pick day tomorrow", "pick needs"), ("select plans", "select needs LIST PRODUCT"),
            ("answer yes", "no question is open"), ("advance soon", "a span such as"),
            ("view x", "a number"),
        ])
    func wrongCommands(line: String, text: String) {
        do throws(DriveFault) {
            _ = try DriveCommand.read(line, form)
            Issue.record("no fault")
        } catch {
            #expect(error.text.contains(text), "\(error.text)")
        }
    }

    @Test(
        "a picker begins at the value shown, and digits fill its parts",
        arguments: [
            ("date_picker", "1990-06-15", "1990-06-15"), ("time_picker", "08:30", "08:30"),
            ("date_time_picker", "1990-06-15 08:30", "1990-06-15 08:30"),
            ("date_picker", "", "2000-01-01"), ("date_picker", "----06-15", "2000-01-01"),
        ])
    func picker(kind: String, from: String, text: String) {
        var picker = PickerDialog(element: "e", title: "t", kind: kind, from: from)
        #expect(picker.text == text)
        if kind == "date_picker" {
            for digit in [2, 0, 2, 4, 0, 2, 2, 9] { picker.type(digit) }
            #expect(picker.text == "2024-02-29")
            picker.change(-28)
            #expect(picker.text == "2024-02-01")
            picker.change(-1)
            #expect(picker.text == "2024-02-31", "it goes round; the flow says what it takes")
        }
    }
}
