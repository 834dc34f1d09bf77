extension Reference {
    /// Where an element stands: screen id and place on it.
    struct Spot: Hashable {
        var screen: String
        var place: Int
    }

    /// A flow as the rules tell it.
    struct Model {
        let flow: Flow
        let zone: Zone
        /// What gestures call the elements, by screen id.
        let names: [String: [String]]
        var now: Int64
        var isShown = false
        var isInBackground = false

        var texts: [Spot: String] = [:]
        /// Without an entry a picker has no value.
        var instants: [Spot: Int64] = [:]
        /// Places of options, in no order.
        var selections: [Spot: Set<Int>] = [:]
        var switches: [Spot: Bool] = [:]
        /// Selected products and shown tabs.
        var chosen: [Spot: Int] = [:]

        var focus: (spot: Spot, isEdited: Bool)?
        /// The open picker, and what it is compared with.
        var open: (spot: Spot, former: Int64?)?

        /// Live screens by navigator, the shown one last and those to go back to before it.
        var live: [String: [String]] = [:]
        var timerEnd: Int64?

        /// Callbacks of the present step.
        var lines: [String] = []
        var isClosed = false

        init(_ flow: Flow) {
            self.flow = flow
            zone = Zone(flow.zone)
            names = Dictionary(
                uniqueKeysWithValues: flow.screens.map {
                    ($0.id, Self.names($0.elements.map(\.id)))
                })
            now = flow.start
        }

        /// The navigator with the highest order is on top (NAV-17).
        var topNavigator: String {
            live.keys.max { order($0) < order($1) } ?? "main"
        }

        var topScreen: Screen {
            let id = live[topNavigator]?.last ?? ""
            return screen(id) ?? Screen(id: "", elements: [])
        }

        func screen(_ id: String) -> Screen? {
            flow.screens.first { $0.id == id }
        }

        func element(_ spot: Spot) -> Element? {
            screen(spot.screen)?.elements[spot.place]
        }

        func order(_ navigator: String) -> Int {
            flow.navigators[navigator] ?? 0
        }

        /// One step, and what comes of it.
        mutating func apply(_ step: Step) -> Outcome {
            lines = []
            isClosed = false
            switch step {
            case .present: present()
            case .dismiss: dismiss()
            case .background: background()
            case .foreground:
                isInBackground = false
                runTimer()
            case .wait(let ms):
                now += ms
                runTimer()
            default:
                let faults = gesture(step)
                if !faults.isEmpty { return .refused(faults) }
            }
            if isClosed, flow.isClosedBySDK { dismiss() }
            return .lines(lines)
        }

        /// The view starts anew (VW-20), and then its first screen opens (NAV-1, VW-25).
        private mutating func present() {
            guard !isShown, !isInBackground else { return }
            isShown = true
            texts = [:]
            instants = [:]
            selections = [:]
            switches = [:]
            chosen = [:]
            for screen in flow.screens {
                for place in screen.elements.indices {
                    fill(Spot(screen: screen.id, place: place), screen.elements[place].kind)
                }
            }
            timerEnd = flow.timer.map { now + ($0.ms + 999) / 1000 * 1000 }
            openScreen(flow.screens[0].id, in: "main")
            if !isClosed { preselect() }
            runTimer()
        }

        private mutating func fill(_ spot: Spot, _ kind: Kind) {
            switch kind {
            case .field(let field): texts[spot] = field.text
            case .picker(let picker): instants[spot] = initial(of: picker)
            case .choice(let choice):
                let defaults = choice.options.indices.filter { choice.options[$0].isDefault }
                selections[spot] = Set(choice.isMultiple ? defaults : Array(defaults.prefix(1)))
            case .toggle(let isOn): switches[spot] = isOn
            case .tabs: chosen[spot] = 0
            case .button, .products: break
            }
        }

        private func initial(of picker: Picker) -> Int64? {
            guard let initial = picker.initial else { return nil }
            let today = zone.local(now).0
            if picker.type == "date_picker" { return initial.day.flatMap(zone.firstInstant) }
            let time = initial.time ?? Time(hour: 0, minute: 0)
            let day = picker.type == "time_picker" ? today : initial.day ?? today
            return zone.instant(day, time).map(Reference.minute)
        }

        /// ACT-20: told once for each list, when the view is there.
        private mutating func preselect() {
            for screen in flow.screens {
                for place in screen.elements.indices {
                    let spot = Spot(screen: screen.id, place: place)
                    guard case .products(let ids, let wanted) = screen.elements[place].kind,
                        let wanted, let place = ids.firstIndex(of: wanted),
                        flow.products.contains(wanted), chosen[spot] == nil
                    else { continue }
                    chosen[spot] = place
                    lines.append("product \(wanted)")
                }
            }
        }

        /// Pending values are lost (IN-82).
        private mutating func dismiss() {
            isShown = false
            focus = nil
            open = nil
            live = [:]
            timerEnd = nil
        }

        /// IN-83: the field keeps its text, the picker falls back.
        private mutating func background() {
            isInBackground = true
            focus = nil
            if let open { instants[open.spot] = open.former }
            open = nil
        }

        /// FC-16, VW-28.
        private mutating func runTimer() {
            guard isShown, !isInBackground, !isClosed, let end = timerEnd, end <= now,
                let timer = flow.timer
            else { return }
            timerEnd = nil
            run(timer.actions, in: live["main"] == nil ? topNavigator : "main")
        }
    }
}
