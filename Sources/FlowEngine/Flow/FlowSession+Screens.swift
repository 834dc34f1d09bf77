extension FlowSession {
    /// The screen in control: that of the navigator on top. Only for views on screen.
    var topScreen: ScreenTable {
        document.screens[navigators[navigators.count - 1].screen]
    }

    /// The navigator on top, as an index of the document.
    var topNavigator: Int { navigators[navigators.count - 1].navigator }

    /// Takes the focus from a field and closes a picker, reporting them (NAV-8, IN-20, IN-33).
    mutating func settle(_ turn: inout FlowTurn) {
        let active = inputs.active
        inputs.active = .none
        switch active {
        case .none: return
        case .field(let screen, let element, let isEdited):
            let entry = entry(screen, element)
            guard isEdited, case .field(let field) = entry.content else { return }
            report(.text(inputs.text(of: field)), entry, &turn)
        case .picker(let screen, let element, let before):
            let entry = entry(screen, element)
            guard case .picker(let picker) = entry.content, inputs.word(of: picker) != before,
                let ms = inputs.instant(of: picker)
            else { return }
            report(.integer(ms), entry, &turn)
        }
    }

    /// `flow_user_input`, unless the element or the whole flow is silent (IN-61 to IN-70, NAV-13).
    func report(
        _ value: @autoclosure () -> ReportedValue, _ entry: ElementEntry, _ turn: inout FlowTurn
    ) {
        guard let input = entry.input, document.content.reportsAnalytics else { return }
        turn.effects.append(.analytic(.userInput(input, value())))
    }

    func entry(_ screen: Int, _ element: Int) -> ElementEntry {
        document.screens[screen].entries[element]
    }

    /// Opens a screen in a navigator (NAV-2, NAV-7, NAV-8, NAV-17, NAV-19).
    mutating func open(
        _ screen: Int, in navigator: Int, remembersFormer: Bool = true, _ turn: inout FlowTurn
    ) {
        let place = livePlace(of: navigator)
        let former = place.map { navigators[$0].screen }
        if former == screen { return }
        if comesOnTop(navigator) { settle(&turn) }
        if let place {
            if remembersFormer { navigators[place].remember(navigators[place].screen) }
            navigators[place].screen = screen
        } else {
            insert(LiveNavigator(navigator: navigator, screen: screen))
        }
        announce(screen, navigator, &turn)
        runHooks(from: former, to: screen, in: navigator, &turn)
    }

    /// Goes back in a navigator; nothing on its first screen (NAV-10).
    mutating func goBack(in navigator: Int, _ turn: inout FlowTurn) {
        guard let place = livePlace(of: navigator), navigators[place].canGoBack else { return }
        if place == navigators.count - 1 { settle(&turn) }
        guard let screen = navigators[place].takeBack() else { return }
        open(screen, in: navigator, remembersFormer: false, &turn)
    }

    /// Closes a navigator (NAV-18); nothing if it is not live or the only one.
    mutating func closeNavigator(_ navigator: Int, _ turn: inout FlowTurn) {
        guard navigators.count > 1, let place = livePlace(of: navigator) else { return }
        if place == navigators.count - 1 { settle(&turn) }
        let closed = navigators.remove(at: place)
        let hooks = document.screens[closed.screen].document.hooks
        run(hooks.willDisappear, navigator: navigator, &turn)
        run(hooks.didDisappear, navigator: navigator, &turn)
    }

    func livePlace(of navigator: Int) -> Int? {
        navigators.firstIndex { $0.navigator == navigator }
    }

    /// Whether a screen opened in that navigator takes the control, or has it already.
    private func comesOnTop(_ navigator: Int) -> Bool {
        guard let top = navigators.last else { return true }
        return top.navigator == navigator || isBelow(top.navigator, navigator)
    }

    private func isBelow(_ a: Int, _ b: Int) -> Bool {
        let order = document.content.navigators
        return (order[a].order, a) < (order[b].order, b)
    }

    private mutating func insert(_ live: LiveNavigator) {
        let place =
            navigators.firstIndex { isBelow(live.navigator, $0.navigator) } ?? navigators.count
        navigators.insert(live, at: place)
    }

    /// `flow_screen_showed`, what is wrong with the screen, and its timers.
    private mutating func announce(_ screen: Int, _ navigator: Int, _ turn: inout FlowTurn) {
        let table = document.screens[screen]
        if document.content.reportsAnalytics {
            turn.effects.append(
                .analytic(
                    .screenShowed(
                        instanceID: table.id, order: table.index, isLast: table.isLast)))
        }
        for kind in table.unknownKinds { turn.fail(.unknownKind(kind, on: table.id)) }
        for timer in table.timers { start(timer, navigator: navigator, turn.now, &turn.effects) }
    }

    private mutating func runHooks(
        from former: Int?, to screen: Int, in navigator: Int, _ turn: inout FlowTurn
    ) {
        let hooks = document.screens[screen].document.hooks
        let formerHooks = former.map { document.screens[$0].document.hooks }
        if let formerHooks { run(formerHooks.willDisappear, navigator: navigator, &turn) }
        run(hooks.willAppear, navigator: navigator, &turn)
        if let formerHooks { run(formerHooks.didDisappear, navigator: navigator, &turn) }
        // A hook may have moved on: then the screen has disappeared before it was there.
        guard let place = livePlace(of: navigator), navigators[place].screen == screen else {
            return
        }
        run(hooks.didAppear, navigator: navigator, &turn)
    }
}
