import BridgeProtocol

/// What a key or a command asks for.
enum DriveAction: Sendable, Equatable {
    /// Gestures on the view on top, one after the other.
    case perform([PerformRequest.Gesture])
    /// The flow or onboarding of a placement.
    case show(placement: String)
    case answer(question: String, AnswerRequest.Answer)
    /// A method and its request as JSON; what it answers is told.
    case call(String, json: String)
    /// Another view of the device, from 1.
    case lookAt(view: Int)
    case redraw
    case quit
}

/// Commands, behind the colon or as lines of `--plain`.
enum DriveCommand {
    /// Name, words, meaning, in the order of the help.
    static let all: [(name: String, words: String, meaning: String)] = [
        ("show", "PLACEMENT", "fetch its flow or onboarding and put it on screen"),
        ("tap", "ELEMENT [OPTION]", "tap a button, or an option of a choice"),
        ("type", "ELEMENT TEXT", "focus a field, enter a text, leave it"),
        ("clear", "ELEMENT", "focus a field, clear it, leave it"),
        ("toggle", "ELEMENT", "tap a toggle"),
        ("pick", "ELEMENT DAY|TIME|DAY TIME", "open a picker, pick, close it"),
        ("select", "LIST PRODUCT", "select a product"), ("tab", "BAR TAB", "switch to a tab"),
        ("link", "ELEMENT [INDEX]", "tap a link of a text"), ("back", "", "go back"),
        ("outside", "", "tap outside"), ("swipe", "", "swipe down, as the system does"),
        ("answer", "ANSWER", "answer the open question: granted, yes, an action …"),
        ("advance", "SPAN", "let time pass on a clock that stands still"),
        ("dismiss", "", "the app dismisses the view"), ("background", "", "the app goes there"),
        ("foreground", "", "and comes back"), ("offline", "on|off", "the network goes, or comes"),
        ("profile", "", "show the profile"), ("view", "N", "look at another view"),
        ("call", "METHOD [JSON]", "call a method"), ("screen", "", "draw the screen again"),
        ("quit", "", "end"),
    ]

    /// Reads a line.
    ///
    /// - Throws: what is wrong, in words.
    static func read(_ line: String, _ model: DriveModel) throws(DriveFault) -> [DriveAction] {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let given = words.first else { return [] }
        let rest = words.count > 1 ? words[1] : ""
        guard let command = all.first(where: { $0.name == given }) else {
            let short = ["q": "quit", "b": "back", "exit": "quit"]
            if let name = short[given] { return try read(name, model) }
            throw DriveFault("no command \"\(given)\"; \(hint(given, all.map(\.name)))")
        }
        let isWanting = !command.words.isEmpty && command.words.first != "["
        if isWanting, rest.isEmpty { throw DriveFault("\(given) needs \(command.words)") }
        return try actions(given, rest, command.words, model)
    }

    private static func actions(
        _ name: String, _ rest: String, _ wanted: String, _ model: DriveModel
    ) throws(DriveFault) -> [DriveAction] {
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        let second = parts.count > 1 ? parts[1] : nil
        switch name {
        case "show": return [.show(placement: rest)]
        case "back": return [.perform([.goBack(GoBackGesture())])]
        case "outside": return [.perform([.tapOutside(TapOutsideGesture())])]
        case "swipe": return [.perform([.dismissBySystem(DismissBySystemGesture())])]
        case "answer": return [try answer(rest, model)]
        case "advance": return [.call("advance_clock", json: "{\"byMs\":\(try span(rest))}")]
        case "dismiss":
            let view = JSONText.quoted(model.view?.viewId ?? "")
            return [.call("dismiss", json: "{\"viewId\":\(view)}")]
        case "background", "foreground": return [.call("enter_\(name)", json: "{}")]
        case "offline": return [.call("set_conditions", json: "{\"offline\":\(rest != "off")}")]
        case "profile": return [.call("get_profile", json: "{}")]
        case "call": return [.call(parts[0], json: second ?? "{}")]
        case "view":
            guard let number = Int(rest) else { throw DriveFault("view needs a number") }
            return [.lookAt(view: number)]
        case "screen": return [.redraw]
        case "quit": return [.quit]
        default:
            guard let gestures = gestures(name, parts[0], second) else {
                throw DriveFault("\(name) needs \(wanted)")
            }
            return [.perform(gestures)]
        }
    }

    /// nil: a word is missing or wrong.
    private static func gestures(
        _ name: String, _ element: String, _ second: String?
    ) -> [PerformRequest.Gesture]? {
        switch name {
        case "tap":
            return [
                second.map { .tap(element, option: $0) }
                    ?? .tapButton(with(.init()) { $0.elementId = element })
            ]
        case "toggle": return [.tapToggle(with(.init()) { $0.elementId = element })]
        case "type": return .typing(second ?? "", into: element)
        case "clear": return .typing("", into: element)
        case "pick":
            guard let form = second.flatMap(Moment.pick), let pick = PickGesture(form) else {
                return nil
            }
            return .picking(pick, in: element)
        case "select":
            guard let second else { return nil }
            return [
                .selectProduct(
                    with(SelectProductGesture()) {
                        $0.elementId = element
                        $0.vendorProductId = second
                    })
            ]
        case "tab":
            guard let second else { return nil }
            return [
                .switchTab(
                    with(SwitchTabGesture()) {
                        $0.elementId = element
                        $0.tabId = second
                    })
            ]
        case "link":
            guard let index = UInt32(second ?? "0") else { return nil }
            return [
                .tapLink(
                    with(TapLinkGesture()) {
                        $0.elementId = element
                        $0.linkIndex = index
                    })
            ]
        default: return nil
        }
    }

    private static func answer(
        _ word: String, _ model: DriveModel
    ) throws(DriveFault) -> DriveAction {
        guard let question = model.questions.first else { throw DriveFault("no question is open") }
        guard let answer = question.answers.first(where: { $0.title == word }) else {
            let titles = question.answers.map(\.title)
            throw DriveFault("no answer \"\(word)\"; \(hint(word, titles))")
        }
        return .answer(question: question.id, answer.answer)
    }

    private static func span(_ text: String) throws(DriveFault) -> Int64 {
        do throws(ScenarioFault) {
            return try ScenarioReader(file: "").span(.string(text), at: "advance")
        } catch {
            throw DriveFault("advance: \(error.message)")
        }
    }
}

/// What a command is wrong about.
struct DriveFault: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

extension [PerformRequest.Gesture] {
    /// Focus, the text, and away again.
    static func typing(_ text: String, into element: String) -> Self {
        [
            .focus(with(FocusGesture()) { $0.elementId = element }),
            .enterText(
                with(EnterTextGesture()) {
                    $0.elementId = element
                    $0.text = text
                }), .blur(BlurGesture()),
        ]
    }

    /// Open, pick, close.
    static func picking(_ pick: PickGesture, in element: String) -> Self {
        [
            .openPicker(with(OpenPickerGesture()) { $0.elementId = element }), .pick(pick),
            .closePicker(ClosePickerGesture()),
        ]
    }
}

extension PerformRequest.Gesture {
    static func tap(_ element: String, option: String) -> Self {
        .tapOption(
            with(TapOptionGesture()) {
                $0.elementId = element
                $0.optionId = option
            })
    }

    /// The step of a scenario that makes this gesture alone.
    var step: [(String, JSONNode)] {
        switch self {
        case .focus(let gesture): [("focus", .string(gesture.elementId))]
        case .enterText(let gesture): [("type", .string(gesture.text))]
        case .clearText(let gesture): [("clear", .string(gesture.elementId))]
        case .blur: [("blur", .bool(true))]
        case .openPicker(let gesture): [("open", .string(gesture.elementId))]
        case .pick(let gesture): [("pick", .string(Moment.text(gesture)))]
        case .closePicker: [("close_picker", .bool(true))]
        case .tapOption(let gesture):
            [("tap", .string(gesture.elementId)), ("option", .string(gesture.optionId))]
        case .tapToggle(let gesture): [("toggle", .string(gesture.elementId))]
        case .tapButton(let gesture): [("tap", .string(gesture.elementId))]
        case .tapLink(let gesture):
            [("link", .string(gesture.elementId)), ("index", .int(gesture.linkIndex))]
        case .selectProduct(let gesture):
            [("select", .string(gesture.vendorProductId)), ("in", .string(gesture.elementId))]
        case .switchTab(let gesture):
            [("tab", .string(gesture.tabId)), ("in", .string(gesture.elementId))]
        case .goBack: [("go_back", .bool(true))]
        case .tapOutside: [("tap_outside", .bool(true))]
        case .dismissBySystem: [("swipe_down", .bool(true))]
        }
    }

    /// In words, for the pane of callbacks.
    var words: String {
        step.map { name, value in
            let text = value.text ?? (value.bool == true ? "" : value.compact)
            let word = name == "option" ? "" : name.map { $0 == "_" ? " " : String($0) }.joined()
            return [word, text].filter { !$0.isEmpty }.joined(separator: " ")
        }.joined(separator: " ")
    }
}

extension PickGesture {
    /// Out of the content that `Moment.pick` makes.
    init?(_ form: JSONNode) {
        self.init()
        func number(_ node: JSONNode, _ name: String) -> Int32 {
            node[name].flatMap { Int32($0.compact) } ?? 0
        }
        if let day = form["date"] {
            date = with(CivilDate()) {
                $0.year = number(day, "year")
                $0.month = number(day, "month")
                $0.day = number(day, "day")
            }
        }
        if let moment = form["time"] {
            time = with(CivilTime()) {
                $0.hour = number(moment, "hour")
                $0.minute = number(moment, "minute")
                $0.second = number(moment, "second")
            }
        }
    }
}
