extension FlowSession {
    /// Performs a gesture on the screen in control. Every check comes before the first change.
    mutating func perform(_ gesture: Gesture, _ turn: inout FlowTurn) throws(GestureRefusal) {
        try checkControl()
        switch gesture {
        case .tapOption(let name, let option): try tapOption(name, option, &turn)
        case .tapToggle(let name): try tapToggle(name, &turn)
        case .tapButton(let name): try tapButton(name, &turn)
        case .focus(let name): try focus(name, &turn)
        case .enterText(let name, let text):
            try inputs.enter(text, in: name, on: topScreen, of: screens)
        case .clearText(let name): try inputs.enter("", in: name, on: topScreen, of: screens)
        case .blur:
            guard case .field = inputs.active else { throw .noFocus }
            settle(&turn)
        case .openPicker(let name): try openPicker(name, &turn)
        case .pick(let date, let time): try pick(date, time, turn.environment)
        case .closePicker:
            guard case .picker = inputs.active else { throw .noOpenPicker }
            settle(&turn)
        case .tapLink(let name, let index):
            openURL(try screens.link(index, of: name, on: topScreen), .browserOutApp, &turn)
        case .selectProduct(let name, let product): try selectProduct(name, product, &turn)
        case .switchTab(let name, let tab):
            // No opening of a screen (NAV-12), and no event (IN-63).
            let tab = try screens.tab(tab, of: name, on: topScreen)
            inputs.setWord(tab.slot, to: UInt64(tab.place))
        case .goBack:
            guard canGoBack else { throw .nothingToGoBackTo(topScreen) }
            goBack(in: topNavigator, &turn)
        case .tapOutside: settle(&turn)
        }
    }

    private var screens: ScreenSet { document.screens }

    private var canGoBack: Bool { navigators[navigators.count - 1].canGoBack }

    /// GEN-6, ACT-46: on screen, in the foreground, and no alert in front.
    private func checkControl() throws(GestureRefusal) {
        if !isShown { throw .notOnScreen }
        if isInBackground { throw .inBackground }
        guard let alert else { return }
        throw GestureRefusal(
            .wrongState,
            "an alert is open; answer it with one of "
                + GestureRefusal.list(alert.actions.map(\.id)),
            field: "view_id")
    }

    private mutating func focus(_ name: String, _ turn: inout FlowTurn) throws(GestureRefusal) {
        let screen = topScreen
        let element = try screens.field(name, on: screen)
        if case .field(screen.index, element, _) = inputs.active { return }
        settle(&turn)
        inputs.active = .field(screen: screen.index, element: element, isEdited: false)
    }

    private mutating func openPicker(_ name: String, _ turn: inout FlowTurn)
        throws(GestureRefusal)
    {
        let screen = topScreen
        let (element, picker) = try screens.picker(name, on: screen)
        if case .picker(screen.index, element, _) = inputs.active { return }
        settle(&turn)
        inputs.active = .picker(
            screen: screen.index, element: element, before: inputs.word(of: picker))
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

    private mutating func tapOption(
        _ name: String, _ optionName: String, _ turn: inout FlowTurn
    ) throws(GestureRefusal) {
        let screen = topScreen
        let (element, choice) = try screens.choice(name, on: screen)
        let option = try choice.enabledOption(optionName, of: name)
        guard inputs.tap(option, of: choice) else { return }
        report(.items(inputs.reportedItems(of: choice)), screen.entries[element], &turn)
        run(choice.document.options[option].actions, navigator: topNavigator, &turn)
    }

    private mutating func tapToggle(_ name: String, _ turn: inout FlowTurn)
        throws(GestureRefusal)
    {
        let screen = topScreen
        let toggle = try screens.toggle(name, on: screen)
        let isOn = !inputs.isOn(toggle.slot, byDefault: toggle.isOnByDefault)
        inputs.setWord(toggle.slot, to: isOn ? 1 : 0)
        report(.bool(isOn), screen.entries[toggle.place], &turn)
    }

    private mutating func tapButton(_ name: String, _ turn: inout FlowTurn)
        throws(GestureRefusal)
    {
        let button = try screens.button(name, on: topScreen)
        if button.onlyGoesBack, !canGoBack { throw .nothingToGoBackTo(topScreen) }
        run(button.actions, navigator: topNavigator, &turn)
    }

    private mutating func selectProduct(
        _ name: String, _ product: String, _ turn: inout FlowTurn
    ) throws(GestureRefusal) {
        let list = try screens.productList(name, on: topScreen)
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
}
