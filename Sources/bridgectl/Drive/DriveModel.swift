import BridgeProtocol

/// All that the view of a live flow shows. A value: keys change it, drawing reads it.
struct DriveModel: Sendable {
    /// Something that Enter acts on.
    enum Target: Equatable, Sendable {
        /// Of the start page.
        case placement(Int)
        case element(Int)
        case option(element: Int, option: Int)
    }

    /// A line of the pane beside the screen.
    struct LogLine: Equatable, Sendable {
        enum Kind: Sendable { case done, came, told, failed }
        let kind: Kind
        /// On the device's clock; empty: not known.
        let time: String
        let text: String
    }

    /// What stands in front of the screen and takes the keys.
    enum Dialog: Equatable, Sendable {
        case picker(PickerDialog)
        /// An open question, with the place of the answer that is marked.
        case question(chosen: Int)
        case help
    }

    /// A question that waits.
    struct OpenQuestion: Equatable, Sendable {
        let id: String
        let title: String
        let standard: String
        let answers: [(title: String, answer: AnswerRequest.Answer)]

        static func == (a: Self, b: Self) -> Bool { a.id == b.id }
    }

    /// More lines than anybody scrolls back.
    static let logMax = 2_000

    var device = "default"
    /// As `12:00:03` in the zone of the device.
    var time = ""
    /// What is above the screens: placements to choose from.
    var placements: [PlacementInfo] = []
    var view: ViewInfo?
    var viewCount = 0
    var screens: [Screen] = []
    var locale = ""
    /// Values of pickers as the person reads them, by the place of the element.
    var instants: [Int: String] = [:]
    var cursor = 0
    /// The text of the field at the cursor while it is typed into.
    var editing: String?
    var dialog: Dialog?
    var questions: [OpenQuestion] = []
    /// Behind the colon; nil: none is typed.
    var command: String?
    private(set) var log: [LogLine] = []
    /// Lines that the pane is scrolled back.
    var scrolledBack = 0
    /// The last fault, until the next key.
    var fault = ""

    var screen: Screen? { screens.last }
    var elements: [ScreenElement] { screen?.elements ?? [] }

    /// What the cursor can be at, from top to bottom.
    var targets: [Target] {
        guard screen != nil else { return placements.indices.map { .placement($0) } }
        return elements.enumerated().flatMap { place, element -> [Target] in
            switch element.kind {
            case "single_choice", "multi_choice", "product_list", "tabs":
                element.options.indices.map { .option(element: place, option: $0) }
            case "unknown": []
            case "text": element.elementId.hasPrefix("#") ? [] : [.element(place)]
            default: [.element(place)]
            }
        }
    }

    var target: Target? {
        let targets = targets
        return targets.indices.contains(cursor) ? targets[cursor] : nil
    }

    /// The element at the cursor.
    var element: ScreenElement? {
        switch target {
        case .element(let place), .option(let place, _): elements[place]
        default: nil
        }
    }

    mutating func note(_ line: LogLine) {
        log.append(line)
        if scrolledBack > 0 { scrolledBack += 1 }
        if log.count > Self.logMax { log.removeFirst(log.count - Self.logMax) }
    }

    /// Takes what the broker shows now. The cursor stays at its element as long as that is there.
    mutating func show(_ screens: [Screen], of view: ViewInfo?) {
        let (former, place) = (self.screen?.screenId, name(of: target))
        let isSame = view?.viewId == self.view?.viewId && former == screens.last?.screenId
        self.view = view
        self.screens = screens
        if isSame {
            cursor = targets.firstIndex { name(of: $0) == place } ?? min(cursor, targets.count - 1)
        } else {
            cursor = targets.firstIndex { isFirst($0) } ?? 0
            editing = nil
            if case .picker? = dialog { dialog = nil }
        }
        cursor = max(0, cursor)
    }

    /// Texts with links come last.
    private func isFirst(_ target: Target) -> Bool {
        guard case .element(let place) = target else { return true }
        return elements[place].kind != "text"
    }

    private func name(of target: Target?) -> String {
        switch target {
        case .placement(let place): "placement \(place)"
        case .element(let place): elements[place].elementId
        case .option(let place, let option):
            "\(elements[place].elementId)\u{0}\(elements[place].options[option].optionId)"
        case nil: ""
        }
    }
}

/// A day or time that is being picked: parts that arrows and digits change.
struct PickerDialog: Equatable, Sendable {
    /// A number between two bounds.
    struct Part: Equatable, Sendable {
        let name: String
        let width: Int
        let bounds: ClosedRange<Int>
        var value: Int
    }

    let element: String
    let title: String
    var parts: [Part]
    var chosen = 0
    /// Digits typed into the chosen part, and their number.
    private var typed = 0
    private var typedValue = 0

    /// - Parameter kind: of the element: `date_picker`, `time_picker`, `date_time_picker`.
    init(element: String, title: String, kind: String, from text: String) {
        self.element = element
        self.title = title
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        let isDay = kind != "time_picker"
        var values = numbers[...]
        parts = []
        if isDay {
            let day = values.count >= 3 ? Array(values.prefix(3)) : [2000, 1, 1]
            values = values.dropFirst(3)
            parts += [
                Part(name: "year", width: 4, bounds: 1...9_999, value: day[0]),
                Part(name: "month", width: 2, bounds: 1...12, value: day[1]),
                Part(name: "day", width: 2, bounds: 1...31, value: day[2]),
            ]
        }
        if kind != "date_picker" {
            let time = values.count >= 2 ? Array(values.prefix(2)) : [12, 0]
            parts += [
                Part(name: "hour", width: 2, bounds: 0...23, value: time[0]),
                Part(name: "minute", width: 2, bounds: 0...59, value: time[1]),
            ]
        }
    }

    mutating func move(_ step: Int) {
        chosen = (chosen + step + parts.count) % parts.count
        typed = 0
    }

    mutating func change(_ step: Int) {
        let part = parts[chosen]
        let span = part.bounds.count
        let moved = part.value - part.bounds.lowerBound + step
        parts[chosen].value = part.bounds.lowerBound + ((moved % span) + span) % span
        typed = 0
    }

    mutating func type(_ digit: Int) {
        let part = parts[chosen]
        typedValue = typed == 0 ? digit : typedValue * 10 + digit
        parts[chosen].value = min(max(typedValue, part.bounds.lowerBound), part.bounds.upperBound)
        typed += 1
        guard typed == part.width else { return }
        typed = 0
        if chosen + 1 < parts.count { move(1) }
    }

    /// As `1990-06-15 08:30`.
    var text: String {
        let shown = parts.map { Moment.padded($0.value, $0.width) }
        let day = parts[0].name == "year" ? shown.prefix(3).joined(separator: "-") : ""
        let time = shown.dropFirst(day.isEmpty ? 0 : 3).joined(separator: ":")
        return [day, time].filter { !$0.isEmpty }.joined(separator: " ")
    }

    var pick: PickGesture {
        func value(_ name: String) -> Int32 {
            Int32(parts.first { $0.name == name }?.value ?? 0)
        }
        return with(PickGesture()) {
            if parts[0].name == "year" {
                $0.date = with(CivilDate()) {
                    $0.year = value("year")
                    $0.month = value("month")
                    $0.day = value("day")
                }
            }
            if parts.contains(where: { $0.name == "hour" }) {
                $0.time = with(CivilTime()) {
                    $0.hour = value("hour")
                    $0.minute = value("minute")
                }
            }
        }
    }
}
