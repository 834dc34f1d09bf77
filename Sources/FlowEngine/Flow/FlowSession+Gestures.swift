extension FlowSession {
    /// Performs a gesture on the screen in control. Every check comes before the first change.
    mutating func perform(_ gesture: Gesture, _ turn: inout FlowTurn) throws(GestureRefusal) {
        try checkControl()
        switch gesture {
        case .tapOption(let name, let option): try tapOption(name, option, &turn)
        case .tapToggle(let name): try tapToggle(name, &turn)
        case .tapButton(let name): try tapButton(name, &turn)
        case .focus(let name): try focus(name, &turn)
        case .enterText(let name, let text): try enter(text, in: name)
        case .clearText(let name): try enter("", in: name)
        case .blur:
            guard case .field = inputs.active else { throw .noFocus }
            settle(&turn)
        case .openPicker(let name): try openPicker(name, &turn)
        case .pick(let date, let time): try pick(date, time, turn.environment)
        case .closePicker:
            guard case .picker = inputs.active else { throw .noOpenPicker }
            settle(&turn)
        case .tapLink(let name, let index): try tapLink(name, index, &turn)
        case .selectProduct(let name, let product): try selectProduct(name, product, &turn)
        case .switchTab(let name, let tab): try switchTab(name, tab)
        case .goBack: try goBack(&turn)
        case .tapOutside: settle(&turn)
        }
    }

    /// GEN-6, ACT-46: on screen, in the foreground, and no alert in front.
    private func checkControl() throws(GestureRefusal) {
        if !isShown {
            throw GestureRefusal(.wrongState, "the view is not on screen", field: "view_id")
        }
        if isInBackground {
            throw GestureRefusal(.wrongState, "the app is in the background", field: "view_id")
        }
        if let alert {
            throw GestureRefusal(
                .wrongState,
                "an alert is open; answer it with one of "
                    + GestureRefusal.list(alert.actions.map(\.id)),
                field: "view_id")
        }
    }

    /// The element that a gesture names, enabled; tells where else one of that name is.
    private func enabledElement(_ name: String) throws(GestureRefusal) -> Int {
        let screen = topScreen
        guard let element = screen.names.place(of: name) else {
            throw .noElement(name, on: screen, elsewhere: document.home(ofElement: name))
        }
        guard screen.entries[element].isEnabled else { throw .disabled(name) }
        return element
    }

    private func refuseKind(_ name: String, _ element: Int, wanted: String) -> GestureRefusal {
        .wrongKind(name, is: topScreen.entries[element].content.kindName, wanted: wanted)
    }

    // Fields

    private mutating func focus(_ name: String, _ turn: inout FlowTurn) throws(GestureRefusal) {
        let element = try enabledElement(name)
        let screen = topScreen.index
        guard case .field = entry(screen, element).content else {
            throw refuseKind(name, element, wanted: "field")
        }
        if case .field(screen, element, _) = inputs.active { return }
        settle(&turn)
        inputs.active = .field(screen: screen, element: element, isEdited: false)
    }

    /// Sets the whole text of the field in focus (IN-92); nil: whichever that is.
    private mutating func enter(_ text: String, in name: String?) throws(GestureRefusal) {
        let named: Int? = if let name { try enabledElement(name) } else { nil }
        if let name, let named {
            guard case .field = topScreen.entries[named].content else {
                throw refuseKind(name, named, wanted: "field")
            }
        }
        guard case .field(let screen, let element, _) = inputs.active,
            named == nil || named == element,
            case .field(let field) = entry(screen, element).content
        else { throw name.map(GestureRefusal.notInFocus) ?? .noFocus }
        try TextEntry.check(text, for: field, named: entry(screen, element).name)
        let former = inputs.text(of: field)
        let accepted = TextEntry.accepted(text, over: former, in: field)
        if accepted.hasSameBytes(as: former) { return }
        inputs.set(accepted, of: field)
        inputs.active = .field(screen: screen, element: element, isEdited: true)
    }

    // Pickers

    private mutating func openPicker(_ name: String, _ turn: inout FlowTurn)
        throws(GestureRefusal)
    {
        let element = try enabledElement(name)
        let screen = topScreen.index
        guard case .picker(let picker) = entry(screen, element).content else {
            throw refuseKind(name, element, wanted: "picker")
        }
        if case .picker(screen, element, _) = inputs.active { return }
        settle(&turn)
        inputs.active = .picker(
            screen: screen, element: element, before: inputs.word(of: picker))
    }

    private mutating func pick(
        _ date: CivilDate?, _ time: CivilTime?, _ environment: ViewEnvironment
    ) throws(GestureRefusal) {
        guard case .picker(let screen, let element, _) = inputs.active,
            case .picker(let picker) = entry(screen, element).content
        else { throw .noOpenPicker }
        let ms = try picker.value(
            picking: date, time, over: inputs.instant(of: picker),
            named: entry(screen, element).name, in: environment)
        inputs.setWord(picker.slot, to: UInt64(bitPattern: ms))
    }

    // Choices and toggles

    private mutating func tapOption(
        _ name: String, _ optionName: String, _ turn: inout FlowTurn
    ) throws(GestureRefusal) {
        let element = try enabledElement(name)
        let screen = topScreen
        guard case .choice(let choice) = screen.entries[element].content else {
            throw refuseKind(name, element, wanted: "choice")
        }
        let option = try choice.enabledOption(optionName, of: name)
        guard inputs.tap(option, of: choice) else { return }
        if screen.entries[element].reportedID != nil {
            let type: InputElementType =
                choice.document.isMultiple ? .multiChoice : .singleChoice
            report(value(of: choice, tapped: option), type, screen.index, element, &turn)
        }
        run(choice.document.options[option].actions, navigator: topNavigator, &turn)
    }

    /// IN-51 to IN-55.
    private func value(of choice: ChoiceEntry, tapped option: Int) -> ReportedValue {
        guard choice.document.isMultiple else { return choice.singleReports[option] }
        let selected = inputs.selected(of: choice)
        return .items(
            ids: selected.map { choice.ids[$0] }, titles: selected.map { choice.titles[$0] })
    }

    private mutating func tapToggle(_ name: String, _ turn: inout FlowTurn)
        throws(GestureRefusal)
    {
        let element = try enabledElement(name)
        let screen = topScreen.index
        guard case .toggle(let slot, let isOn) = entry(screen, element).content else {
            throw refuseKind(name, element, wanted: "toggle")
        }
        let isOnNow = !inputs.isOn(slot, byDefault: isOn)
        inputs.setWord(slot, to: isOnNow ? 1 : 0)
        report(.bool(isOnNow), .toggle, screen, element, &turn)
    }

    // Buttons, links, products, tabs, back

    private mutating func tapButton(_ name: String, _ turn: inout FlowTurn)
        throws(GestureRefusal)
    {
        let element = try enabledElement(name)
        guard case .button(let button) = topScreen.entries[element].content else {
            throw refuseKind(name, element, wanted: "button")
        }
        if button.onlyGoesBack, !navigators[navigators.count - 1].canGoBack {
            throw .nothingToGoBackTo(topScreen)
        }
        run(button.actions, navigator: topNavigator, &turn)
    }

    private func tapLink(_ name: String, _ index: Int, _ turn: inout FlowTurn)
        throws(GestureRefusal)
    {
        let element = try enabledElement(name)
        guard case .text(let text) = topScreen.entries[element].content else {
            throw refuseKind(name, element, wanted: "text")
        }
        openURL(try text.link(index, of: name), .browserOutApp, &turn)
    }

    private mutating func selectProduct(
        _ name: String, _ product: String, _ turn: inout FlowTurn
    ) throws(GestureRefusal) {
        let element = try enabledElement(name)
        guard case .productList(let list) = topScreen.entries[element].content else {
            throw refuseKind(name, element, wanted: "product_list")
        }
        guard let place = list.names.place(of: product) else {
            throw .noOption(
                product, what: "product", in: name, names: list.names, field: "vendor_product_id")
        }
        guard isLoaded(list.products[place]) else {
            throw GestureRefusal(
                .wrongState, "the product \"\(product)\" is not loaded",
                field: "vendor_product_id")
        }
        select(place, in: list, &turn)
    }

    /// NAV-12: no opening of a screen, and no event (IN-63).
    private mutating func switchTab(_ name: String, _ tab: String) throws(GestureRefusal) {
        let element = try enabledElement(name)
        guard case .tabs(let tabs) = topScreen.entries[element].content else {
            throw refuseKind(name, element, wanted: "tab bar")
        }
        guard let place = tabs.names.place(of: tab) else {
            throw .noOption(tab, what: "tab", in: name, names: tabs.names, field: "tab_id")
        }
        inputs.setWord(tabs.slot, to: UInt64(place))
    }

    private mutating func goBack(_ turn: inout FlowTurn) throws(GestureRefusal) {
        guard navigators[navigators.count - 1].canGoBack else {
            throw .nothingToGoBackTo(topScreen)
        }
        goBack(in: topNavigator, &turn)
    }
}
