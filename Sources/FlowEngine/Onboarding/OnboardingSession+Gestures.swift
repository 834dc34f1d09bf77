extension OnboardingSession {
    /// Performs a gesture on the screen that is open. Every check comes before the first change.
    mutating func perform(
        _ gesture: Gesture, _ environment: ViewEnvironment, _ effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        try checkControl()
        switch gesture {
        case .focus(let name): try focus(name, &effects)
        case .enterText(let name, let text):
            try inputs.enter(text, in: name, on: table, of: screens)
        case .clearText(let name): try inputs.enter("", in: name, on: table, of: screens)
        case .blur:
            guard case .field = inputs.active else { throw .noFocus }
            settle(&effects)
        case .openPicker(let name): try openPicker(name, &effects)
        case .pick(let date, let time): try pick(date, time, environment.zone)
        case .closePicker:
            guard case .picker = inputs.active else { throw .noOpenPicker }
            settle(&effects)
        case .tapOption(let name, let option): try tapOption(name, option, &effects)
        case .tapToggle(let name):
            // Onboardings have no event for toggles (OB-22).
            let toggle = try screens.toggle(name, on: table)
            let isOn = inputs.isOn(toggle.slot, byDefault: toggle.isOnByDefault)
            inputs.setWord(toggle.slot, to: isOn ? 0 : 1)
        case .tapButton(let name): try tapButton(name, &effects)
        case .tapLink(let name, let index):
            openURL(try screens.link(index, of: name, on: table), &effects)
        case .selectProduct(let name, let product):
            _ = try screens.productList(name, on: table)
            throw GestureRefusal(
                .wrongState,
                "onboardings load no products, so \(GestureRefusal.quoted(product)) "
                    + "cannot be selected", field: "vendor_product_id")
        case .switchTab(let name, let tab):
            let tab = try screens.tab(tab, of: name, on: table)
            inputs.setWord(tab.slot, to: UInt64(tab.place))
        case .goBack:
            guard !history.isEmpty else { throw .nothingToGoBackTo(table) }
            goBack(by: Leaver(), &effects)
        case .tapOutside: settle(&effects)
        }
    }

    private var screens: ScreenSet { document.screens }

    /// GEN-6: on screen, in the foreground, and loaded.
    func checkControl() throws(GestureRefusal) {
        if !isShown { throw .notOnScreen }
        if isInBackground { throw .inBackground }
        guard loading == .done else {
            throw GestureRefusal(
                .wrongState, "the onboarding could not be loaded; dismiss it", field: "view_id")
        }
    }

    private mutating func focus(_ name: String, _ effects: inout [ViewEffect])
        throws(GestureRefusal)
    {
        let element = try screens.field(name, on: table)
        if case .field(screen, element, _) = inputs.active { return }
        settle(&effects)
        inputs.active = .field(screen: screen, element: element, isEdited: false)
    }

    private mutating func openPicker(_ name: String, _ effects: inout [ViewEffect])
        throws(GestureRefusal)
    {
        let (element, picker) = try screens.picker(name, on: table)
        if case .picker(screen, element, _) = inputs.active { return }
        settle(&effects)
        inputs.active = .picker(
            screen: screen, element: element, before: inputs.word(of: picker))
    }

    private mutating func pick(_ date: CivilDate?, _ time: CivilTime?, _ zone: TimeZoneRules)
        throws(GestureRefusal)
    {
        guard case .picker(screen, let element, _) = inputs.active,
            case .picker(let picker) = table.entries[element].content
        else { throw .noOpenPicker }
        let name = table.entries[element].name
        guard let date, time == nil else {
            throw GestureRefusal(
                .invalidArgument, "\"\(name)\" is a date picker: give a date, and no time",
                field: time == nil ? "date" : "time")
        }
        let picked = OnboardingDate(date)
        try picked.check(in: zone)
        try picked.check(against: picker.document, named: name)
        inputs.setWord(picker.slot, to: picked.word)
    }

    private mutating func tapOption(
        _ name: String, _ optionName: String, _ effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        let (element, choice) = try screens.choice(name, on: table)
        let option = try choice.enabledOption(optionName, of: name)
        guard inputs.tap(option, of: choice) else { return }
        let id = table.entries[element].reportedID
        if let id {
            let state: OnboardingState =
                choice.document.isMultiple
                ? .multiSelect(inputs.selected(of: choice).map { self.option($0, of: choice) })
                : .select(self.option(option, of: choice))
            tell(.stateUpdated(elementID: id, state), &effects)
        }
        let tapped = choice.document.options[option]
        let leaver = Leaver(elementID: id, reply: tapped.value ?? tapped.elementID)
        run(tapped.actions, actionID: "", by: leaver, &effects)
    }

    /// OB-23.
    private func option(_ place: Int, of choice: ChoiceEntry) -> OnboardingOption {
        let option = choice.document.options[place]
        let id = option.elementID ?? ""
        return OnboardingOption(
            id: id, value: option.value ?? id, label: localized(option.text))
    }

    private mutating func tapButton(_ name: String, _ effects: inout [ViewEffect])
        throws(GestureRefusal)
    {
        let button = try screens.button(name, on: table)
        if button.onlyGoesBack, history.isEmpty { throw .nothingToGoBackTo(table) }
        let id = table.names.place(of: name).flatMap { table.document.elements[$0].id }
        let leaver = Leaver(
            elementID: id.flatMap { $0.isBlank ? nil : $0 }, reply: button.reply)
        run(button.actions, actionID: button.actionID, by: leaver, &effects)
    }

    /// Runs actions until a close (ACT-7). An action that only flows have does nothing.
    private mutating func run(
        _ actions: [ActionDocument], actionID: String, by leaver: Leaver,
        _ effects: inout [ViewEffect]
    ) {
        for action in actions {
            switch action {
            case .close:
                // No pending field is reported (OB-49).
                complete(by: leaver, &effects)
                return tell(.close(actionID: actionID), &effects)
            case .custom(let id):
                tell(.custom(actionID: id.isEmpty ? actionID : id), &effects)
            case .openPaywall(let id):
                tell(.paywall(actionID: id.isEmpty ? actionID : id), &effects)
            case .openScreen(let id, _):
                guard let screen = screens.screen(id) else { continue }
                open(screen.index, by: leaver, &effects)
            case .back: goBack(by: leaver, &effects)
            case .openURL(let url, _): openURL(url, &effects)
            default: continue
            }
        }
    }

    /// OB-57: opened by the SDK, without a callback; a URL that cannot be resolved opens nothing.
    private func openURL(_ url: String, _ effects: inout [ViewEffect]) {
        guard LinkAddress.isResolvable(url) else { return }
        let target: URLTarget = opensExternalBrowser ? .browserOutApp : .browserInApp
        effects.append(.openedURL(url, target))
    }
}
