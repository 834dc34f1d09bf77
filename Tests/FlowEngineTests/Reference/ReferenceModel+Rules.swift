extension Reference.Model {
    /// A field that loses its focus, or a picker that closes (IN-20, IN-21, IN-33, IN-35).
    mutating func leave() {
        let (focus, open) = (self.focus, self.open)
        self.focus = nil
        self.open = nil
        if let focus, focus.isEdited, case .field(let field)? = element(focus.spot)?.kind {
            report(focus.spot, field.type, "\"\(texts[focus.spot] ?? "")\"")
        }
        if let open, instants[open.spot] != open.former, let value = instants[open.spot],
            case .picker(let picker)? = element(open.spot)?.kind
        {
            report(open.spot, picker.type, "\(value)")
        }
    }

    /// `flow_user_input`, unless something silences it (IN-61 to IN-70, NAV-13).
    mutating func report(_ spot: Reference.Spot, _ type: String, _ value: String) {
        guard flow.reportsAnalytics, type != "password_input", let element = element(spot),
            !element.isInHeader, let id = element.id, !Self.isBlank(id)
        else { return }
        if isGroup(element.kind), isSilentGroup(id, element, on: spot.screen) { return }
        lines.append("input \(spot.screen)/\(id) \(type) \(value)")
    }

    private func isGroup(_ kind: Reference.Kind) -> Bool {
        switch kind {
        case .choice, .toggle: true
        default: false
        }
    }

    /// IN-65, IN-66, IN-67.
    private func isSilentGroup(
        _ id: String, _ element: Reference.Element, on screen: String
    ) -> Bool {
        for other in flow.screens where other.id != screen {
            if other.elements.contains(where: { isGroup($0.kind) && Self.isSame($0.id, id) }) {
                return true
            }
        }
        guard case .choice(let choice) = element.kind else { return false }
        for option in choice.options {
            guard let id = option.id, !Self.isBlank(id) else { return true }
            if choice.options.filter({ Self.isSame($0.id, id) }).count > 1 { return true }
        }
        return false
    }

    // Actions

    /// In order, until a close (ACT-7); a fault is told, and the next one runs (ACT-9).
    mutating func run(_ actions: [Reference.Action], in navigator: String) {
        for action in actions where !isClosed {
            switch action {
            case .open(let screen, let other):
                if self.screen(screen) == nil {
                    lines.append("failed 4105 jsException")
                } else if let other, flow.navigators[other] == nil {
                    lines.append("failed 4106 navigatorNotFound")
                } else {
                    openScreen(screen, in: other ?? navigator)
                }
            case .back: goBack(in: navigator)
            case .close:
                lines.append("close")
                isClosed = true
            case .closeNavigator(let name): closeNavigator(name)
            case .custom(let id): lines.append("custom \(id)")
            case .set(let screen, let name, let value): set(name, on: screen, to: value)
            case .ask(let screen, let name, let question): ask(question, of: name, on: screen)
            }
        }
    }

    /// NAV-2, NAV-7, NAV-8, NAV-17.
    mutating func openScreen(_ id: String, in navigator: String) {
        let history = live[navigator] ?? []
        if history.last == id { return }
        move(to: history + [id], in: navigator)
    }

    func canGoBack(in navigator: String) -> Bool {
        (live[navigator] ?? []).count > 1
    }

    mutating func goBack(in navigator: String) {
        guard canGoBack(in: navigator), let history = live[navigator] else { return }
        move(to: Array(history.dropLast()), in: navigator)
    }

    private mutating func move(to history: [String], in navigator: String) {
        let comesOnTop = live.isEmpty || order(navigator) >= order(topNavigator)
        if comesOnTop { leave() }
        live[navigator] = history
        guard let place = flow.screens.firstIndex(where: { $0.id == history.last }) else { return }
        let screen = flow.screens[place]
        if flow.reportsAnalytics {
            lines.append("showed \(screen.id) \(place) \(isLast(screen))")
        }
        if screen.closesOnAppear { run([.close], in: navigator) }
    }

    /// NAV-5.
    private func isLast(_ screen: Reference.Screen) -> Bool {
        !screen.elements.contains { element in
            guard case .button(let actions) = element.kind else { return false }
            return actions.contains {
                guard case .open(let id, _) = $0 else { return false }
                return id != screen.id && self.screen(id) != nil
            }
        }
    }

    /// NAV-18; a view keeps its last navigator.
    private mutating func closeNavigator(_ navigator: String) {
        guard live[navigator] != nil, live.count > 1 else { return }
        if topNavigator == navigator { leave() }
        live[navigator] = nil
    }

    // Set Variable

    /// IN-74 to IN-77, ACT-9.
    private mutating func set(
        _ name: String, on screen: String, to value: Reference.Value
    ) {
        guard let spot = spot(name, on: screen), let kind = element(spot)?.kind,
            set(spot, kind, to: value)
        else { return lines.append("failed 4105 jsException") }
    }

    private mutating func set(
        _ spot: Reference.Spot, _ kind: Reference.Kind, to value: Reference.Value
    ) -> Bool {
        switch (kind, value) {
        case (.field, .text(let text)): fill(spot, with: text)
        case (.field, .number(let number)): fill(spot, with: "\(number)")
        case (.picker(let picker), .number(let ms)):
            let isDate = picker.type == "date_picker"
            instants[spot] =
                isDate ? zone.firstInstant(of: zone.local(ms).0) : Reference.minute(ms)
            if open?.spot == spot { open = (spot, instants[spot]) }
        case (.toggle, .flag(let isOn)): switches[spot] = isOn
        case (.choice(let choice), .items(let ids)):
            let places = ids.compactMap { Self.place(of: $0, in: choice.options.map(\.id)) }
            guard places.count == ids.count, choice.isMultiple || ids.count < 2 else {
                return false
            }
            selections[spot] = Set(places)
        default: return false
        }
        return true
    }

    private mutating func fill(_ spot: Reference.Spot, with text: String) {
        texts[spot] = text
        if focus?.spot == spot { focus = (spot, false) }
    }

    private func spot(_ name: String, on screen: String) -> Reference.Spot? {
        guard let found = self.screen(screen) else { return nil }
        return place(of: name, on: found).map { Reference.Spot(screen: screen, place: $0) }
    }

    /// IN-69: what is silent holds its value all the same.
    private mutating func ask(
        _ question: Reference.Question, of name: String, on screen: String
    ) {
        guard let spot = spot(name, on: screen), let kind = element(spot)?.kind else {
            return lines.append("failed 4105 jsException")
        }
        lines.append("custom \(holds(question, spot, kind) ? "yes" : "no")")
    }

    private func holds(
        _ question: Reference.Question, _ spot: Reference.Spot, _ kind: Reference.Kind
    ) -> Bool {
        switch (question, kind) {
        case (.equals(let text), .field): Self.isSame(texts[spot], text)
        case (.has(let id), .choice(let choice)):
            (selections[spot] ?? []).contains {
                Self.isSame(Self.names(choice.options.map(\.id))[$0], id)
            }
        case (.isOn, .toggle): switches[spot] == true
        case (.isSet, .picker): instants[spot] != nil
        case (.isSet, .field): texts[spot] != ""
        case (.isSet, .choice): selections[spot] != []
        default: false
        }
    }
}
