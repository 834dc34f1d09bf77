extension Reference {
    /// Random flows. Small ones, so that gestures meet each other often.
    struct Generator {
        var random: SplitMix
        private var zone = "UTC"
        private var day = Day(year: 2024, month: 2, day: 29)
        /// Noon of that day, or of the day after a day that is not there.
        private var noon: Int64 = 0

        init(seed: UInt64) {
            random = SplitMix(seed: seed)
        }

        /// Zones, each with a day on which its clocks do something.
        private static let zones: [(String, Day)] = [
            ("UTC", Day(year: 1970, month: 1, day: 1)),
            ("America/Sao_Paulo", Day(year: 2018, month: 11, day: 4)),
            ("Africa/Cairo", Day(year: 2023, month: 4, day: 28)),
            ("America/Havana", Day(year: 2023, month: 11, day: 5)),
            ("Pacific/Apia", Day(year: 2011, month: 12, day: 30)),
            ("Asia/Kathmandu", Day(year: 1986, month: 1, day: 1)),
            ("America/New_York", Day(year: 2024, month: 3, day: 10)),
            ("America/New_York", Day(year: 2024, month: 11, day: 3)),
            ("Australia/Lord_Howe", Day(year: 2023, month: 10, day: 1)),
            ("Europe/Paris", Day(year: 1900, month: 1, day: 1)),
        ]

        mutating func flow() -> Flow {
            (zone, day) = random.one(of: Self.zones)
            let noons = Zone(zone)
            let tomorrow = Day(year: day.year, month: day.month, day: day.day + 1)
            noon =
                noons.instant(day, Time(hour: 12, minute: 0))
                ?? noons.instant(tomorrow, Time(hour: 12, minute: 0)) ?? 0
            var flow = Flow(screens: (0..<random.number(1...3)).map { screen("s\($0)") })
            flow.zone = zone
            flow.start = noon + Int64(random.number(-40...40)) * 1_234_567
            flow.reportsAnalytics = !random.chance(4)
            flow.locale = random.number(0...1)
            flow.isClosedBySDK = !random.chance(20)
            if random.chance(20) {
                flow.timer = Timer(
                    ms: Int64(random.number(1...9_000)),
                    actions: actions(1...2, on: flow.screens[0], of: flow))
            }
            for screen in flow.screens.indices {
                for place in flow.screens[screen].elements.indices {
                    guard case .button = flow.screens[screen].elements[place].kind else { continue }
                    flow.screens[screen].elements[place].kind = .button(
                        actions(1...3, on: flow.screens[screen], of: flow))
                }
            }
            return flow
        }

        /// IDs are few, so that they come twice where that is allowed: on two screens.
        private mutating func screen(_ id: String) -> Screen {
            var screen = Screen(id: id, elements: [])
            screen.closesOnAppear = id != "s0" && random.chance(8)
            for place in 0..<random.number(2...7) {
                var element = Element(id: "e\(place)", kind: kind())
                if isGroup(element.kind) {
                    element.id = random.one(of: ["g0", "g1", "g\(id)\(place)", "ü", "u\u{308}"])
                    if random.chance(8) { element.id = random.one(of: [nil, " "]) }
                }
                if screen.elements.contains(where: { Model.isSame($0.id, element.id) }) {
                    element.id = "x\(place)"
                }
                element.isInHeader = random.chance(8)
                element.isEnabled = !random.chance(6)
                screen.elements.append(element)
            }
            return screen
        }

        private func isGroup(_ kind: Kind) -> Bool {
            switch kind {
            case .choice, .toggle: true
            default: false
            }
        }

        private mutating func kind() -> Kind {
            switch random.number(0...15) {
            case 0...4: .field(field())
            case 5, 6: .picker(picker())
            case 7...9: .choice(choice())
            case 10: .toggle(random.chance(50))
            case 11: .products(["p", "q"], preselected: random.one(of: [nil, "p", "q"]))
            case 12: .tabs(["t0", "t1"])
            default: .button([])
            }
        }

        private mutating func field() -> Field {
            var field = Field(
                type: random.one(of: [
                    "text_input", "email_input", "number_input", "phone_input", "password_input",
                ]))
            if random.chance(30) { field.text = random.one(of: ["7", "abc", "ü"]) }
            field.isMultiline = random.chance(20)
            if random.chance(35) { field.maxLength = random.number(1...3) }
            if random.chance(35) { field.pattern = random.one(of: Pattern.allCases) }
            return field
        }

        private mutating func picker() -> Picker {
            var picker = Picker(
                type: random.one(of: ["date_picker", "time_picker", "date_time_picker"]))
            if random.chance(30) { picker.initial = moment(for: picker.type) }
            if random.chance(25) { picker.minimum = moment(for: picker.type) }
            if random.chance(25) { picker.maximum = moment(for: picker.type) }
            return picker
        }

        private mutating func moment(for type: String) -> Moment {
            switch type {
            case "date_picker": Moment(day: someDay())
            case "time_picker": Moment(time: someTime())
            default: Moment(day: someDay(), time: random.chance(80) ? someTime() : nil)
            }
        }

        private mutating func choice() -> Choice {
            var choice = Choice(isMultiple: random.chance(60), options: [])
            for place in 0..<random.number(1...4) {
                var option = Option(id: "o\(place)", texts: ["T\(place)", "L\(place)"])
                if random.chance(4) { option.id = random.one(of: [nil, "\n", "o0", "O0"]) }
                if random.chance(30) { option.title = random.one(of: ["Title", "", " "]) }
                if random.chance(20) { option.texts[0] = random.one(of: [nil, " "]) }
                option.isDefault = random.chance(20)
                option.isEnabled = !random.chance(8)
                choice.options.append(option)
            }
            if random.chance(30) { choice.maxSelected = random.number(1...2) }
            return choice
        }

        private mutating func actions(
            _ count: ClosedRange<Int>, on home: Screen, of flow: Flow
        ) -> [Action] {
            (0..<random.number(count)).map { _ in action(on: home, of: flow) }
        }

        private mutating func action(on home: Screen, of flow: Flow) -> Action {
            let screen = random.one(of: flow.screens)
            switch random.number(0...19) {
            case 0...2: return .open(screen.id, navigator: nil)
            case 3...5:
                return .open(screen.id, navigator: random.one(of: ["sheet", "sheet", "under"]))
            case 6, 7: return .back
            case 8: return .close
            case 9, 10:
                return .closeNavigator(random.one(of: ["sheet", "sheet", "main", "gone"]))
            case 11: return .custom("c")
            case 12: return .open("gone", navigator: random.one(of: [nil, "gone"]))
            case 13: return .open(screen.id, navigator: "gone")
            default: return action(on: random.chance(70) ? home : screen)
            }
        }

        /// Set Variable or a condition, mostly with a value that the element can hold.
        private mutating func action(on screen: Screen) -> Action {
            let place = random.number(0...screen.elements.count - 1)
            let element = screen.elements[place]
            let names = Model.names(screen.elements.map(\.id))
            let name = random.chance(95) ? names[place] : "nothing"
            return random.chance(75)
                ? .set(screen: screen.id, element: name, value(for: element))
                : .ask(screen: screen.id, element: name, question(for: element))
        }

        private mutating func value(for element: Element) -> Value {
            if random.chance(5) { return .flag(true) }
            switch element.kind {
            case .picker: return .number(instant())
            case .choice(let choice):
                let names = Model.names(choice.options.map(\.id))
                return .items(random.chance(80) ? [random.one(of: names)] : names)
            case .toggle: return .flag(random.chance(50))
            default: return random.chance(80) ? .text(random.one(of: Self.texts)) : .number(42)
            }
        }

        private mutating func question(for element: Element) -> Question {
            switch element.kind {
            case .choice(let choice):
                let names = Model.names(choice.options.map(\.id))
                return random.chance(70) ? .has(random.one(of: names)) : .isSet
            case .picker: return .isSet
            case .toggle, .products, .tabs: return .isOn
            default: return random.chance(50) ? .equals(random.one(of: Self.texts)) : .isSet
            }
        }

        static let texts = ["", "7", "12", "abc", "a", "ab", "ü", "u\u{308}", " x ", "👩‍👩‍👦‍👦👍🏽e\u{301}z"]

        private mutating func instant() -> Int64 {
            noon + Int64(random.number(-60...60)) * 1_000_001
        }

        mutating func someDay() -> Day {
            if random.chance(4) { return Day(year: 2023, month: 2, day: 29) }
            if random.chance(70) { return day }
            let next = Day(year: day.year, month: day.month, day: day.day + 1)
            return next.exists ? next : Day(year: 1990, month: 6, day: 15)
        }

        mutating func someTime() -> Time {
            if random.chance(3) { return Time(hour: 24, minute: 0) }
            return Time(
                hour: random.number(0...3) * random.number(1...7), minute: random.one(of: [0, 30]),
                second: random.one(of: [0, 45]), millisecond: random.one(of: [0, 999]))
        }
    }
}
