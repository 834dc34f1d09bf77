@testable import FlowEngine

extension Reference {
    /// The engine, driven by the steps of the reference.
    struct Subject {
        private var session: FlowSession
        private let isClosedBySDK: Bool
        private let zone: TimeZoneRules
        private var now: Instant
        private var isShown = false
        private var isInBackground = false

        init(_ flow: Flow) {
            session = FlowSession(
                document: FlowDocument(FlowContent(flow)),
                options: FlowSessionOptions(locale: flow.locale))
            isClosedBySDK = flow.isClosedBySDK
            zone = Zones.shared[flow.zone]
            now = Instant(ms: flow.start)
            var none: [ViewEffect] = []
            try? handle(.productsLoaded(flow.products), &none)
        }

        mutating func apply(_ step: Step) -> Outcome {
            var effects: [ViewEffect] = []
            do throws(GestureRefusal) {
                try run(step, &effects)
            } catch {
                return effects.isEmpty
                    ? .refused([Fault(error.reason)]) : .lines(["refused with effects"])
            }
            if isClosedBySDK, effects.contains(.performed(.close)) {
                isShown = false
                var none: [ViewEffect] = []
                try? handle(.disappear, &none)
                if !none.isEmpty { return .lines(["callbacks after the close"]) }
            }
            return .lines(effects.map(\.line))
        }

        private mutating func run(_ step: Step, _ effects: inout [ViewEffect])
            throws(GestureRefusal)
        {
            switch step {
            case .present:
                if isShown || isInBackground { return }
                isShown = true
                try handle(.appear, &effects)
            case .dismiss:
                isShown = false
                try handle(.disappear, &effects)
            case .background:
                isInBackground = true
                try handle(.enterBackground, &effects)
            case .foreground:
                isInBackground = false
                try handle(.enterForeground, &effects)
            case .wait(let ms): try wait(ms, &effects)
            default: try handle(.gesture(Gesture(step)), &effects)
            }
        }

        private mutating func wait(_ ms: Int64, _ effects: inout [ViewEffect])
            throws(GestureRefusal)
        {
            let end = now.advanced(byMs: ms)
            while let due = session.nextDue, due <= end {
                now = max(now, due)
                try handle(.timeReached, &effects)
            }
            now = end
        }

        private mutating func handle(_ input: ViewInput, _ effects: inout [ViewEffect])
            throws(GestureRefusal)
        {
            try session.handle(
                input, in: ViewEnvironment(now: now, zone: zone), effects: &effects)
        }

        /// What the screen shows, as lines; empty off screen.
        var shown: [String] {
            guard let top = session.snapshot(elements: 0..<100).last else { return [] }
            return ["\(top.navigatorID) \(top.screenID)"]
                + top.elements.map { element in
                    var line = "\(element.id) \(element.value.map(Self.text) ?? "-")"
                    line += element.isFocused ? " focused" : ""
                    line += element.isOpen ? " open" : ""
                    let selected = element.options.filter(\.isSelected).map(\.id)
                    return selected.isEmpty ? line : line + " \(selected)"
                }
        }

        private static func text(_ value: ElementValue) -> String {
            switch value {
            case .text(let text): "\"\(text)\""
            case .instant(let ms): "\(ms)"
            case .bool(let isOn): "\(isOn)"
            case .date: "a date"
            }
        }
    }
}

extension Reference.Model {
    /// What the screen in control shows, as the engine's subject tells it.
    var shown: [String] {
        guard isShown else { return [] }
        let screen = topScreen
        let names = self.names[screen.id] ?? []
        return ["\(topNavigator) \(screen.id)"]
            + screen.elements.indices.map { place in
                let spot = Reference.Spot(screen: screen.id, place: place)
                var line = "\(names[place]) \(value(spot, screen.elements[place].kind) ?? "-")"
                line += focus?.spot == spot ? " focused" : ""
                line += open?.spot == spot ? " open" : ""
                let selected = selected(spot, screen.elements[place].kind)
                return selected.isEmpty ? line : line + " \(selected)"
            }
    }

    private func value(_ spot: Reference.Spot, _ kind: Reference.Kind) -> String? {
        switch kind {
        case .field: "\"\(texts[spot] ?? "")\""
        case .picker: instants[spot].map(\.description)
        case .toggle: "\(switches[spot] ?? false)"
        default: nil
        }
    }

    private func selected(_ spot: Reference.Spot, _ kind: Reference.Kind) -> [String] {
        switch kind {
        case .choice(let choice):
            let names = Self.names(choice.options.map(\.id))
            return (selections[spot] ?? []).sorted().map { names[$0] }
        case .products(let ids, _), .tabs(let ids): return chosen[spot].map { [ids[$0]] } ?? []
        default: return []
        }
    }
}

/// Rules of zones, loaded once.
private struct Zones {
    static let shared = Zones()

    private let rules: [String: TimeZoneRules]

    private init() {
        let names = [
            "UTC", "America/Sao_Paulo", "Africa/Cairo", "America/Havana", "Pacific/Apia",
            "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe", "Europe/Paris",
        ]
        rules = Dictionary(uniqueKeysWithValues: names.map { ($0, TimeZoneRules.named($0)) })
    }

    subscript(name: String) -> TimeZoneRules { rules[name] ?? .named(name) }
}
