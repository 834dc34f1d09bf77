@testable import FlowEngine

// The same flow in the engine's own terms.

extension FlowContent {
    init(_ flow: Reference.Flow) {
        self.init(
            id: "f", locales: [LocaleDocument(id: "en"), LocaleDocument(id: "de")],
            screens: flow.screens.map { screen in
                ScreenDocument(
                    id: screen.id, elements: screen.elements.map(ElementDocument.init),
                    hooks: ScreenHooks(didAppear: screen.closesOnAppear ? [.close] : []))
            },
            navigators: ["main", "sheet", "under"].map {
                NavigatorDocument(id: $0, order: flow.navigators[$0] ?? 0)
            },
            timers: flow.timer.map {
                [
                    TimerDocument(
                        id: "t", mode: .restart, durationMs: $0.ms,
                        actions: $0.actions.map(ActionDocument.init))
                ]
            } ?? [], reportsAnalytics: flow.reportsAnalytics)
    }
}

extension ElementDocument {
    fileprivate init(_ element: Reference.Element) {
        self.init(
            id: element.id, isEnabled: element.isEnabled, isInHeader: element.isInHeader,
            content: ElementContent(element.kind))
    }
}

extension ElementContent {
    fileprivate init(_ kind: Reference.Kind) {
        self =
            switch kind {
            case .field(let field): .field(FieldDocument(field))
            case .picker(let picker): .picker(PickerDocument(picker))
            case .choice(let choice):
                .choice(
                    ChoiceDocument(
                        isMultiple: choice.isMultiple,
                        options: choice.options.map(OptionDocument.init),
                        maxSelected: choice.maxSelected))
            case .toggle(let isOn): .toggle(isOn: isOn)
            case .button(let actions):
                .button(ButtonDocument(actions: actions.map(ActionDocument.init)))
            case .products(let ids, let preselected):
                .productList(ProductListDocument(vendorProductIDs: ids, preselected: preselected))
            case .tabs(let ids): .tabs(ids.map { TabDocument(id: $0, text: .text($0)) })
            }
    }
}

extension FieldDocument {
    fileprivate init(_ field: Reference.Field) {
        let kind: FieldKind =
            switch field.type {
            case "text_input": .text
            case "email_input": .email
            case "number_input": .number
            case "phone_input": .phone
            default: .password
            }
        self.init(
            kind: kind, initialText: field.text, isMultiline: field.isMultiline,
            maxLength: field.maxLength, regex: field.pattern?.rawValue)
    }
}

extension PickerDocument {
    fileprivate init(_ picker: Reference.Picker) {
        let kind: PickerKind =
            switch picker.type {
            case "date_picker": .date
            case "time_picker": .time
            default: .dateTime
            }
        self.init(
            kind: kind, initial: picker.initial.map(PickerMoment.init),
            minimum: picker.minimum.map(PickerMoment.init),
            maximum: picker.maximum.map(PickerMoment.init))
    }
}

extension OptionDocument {
    fileprivate init(_ option: Reference.Option) {
        self.init(
            elementID: option.id, elementTitle: option.title, text: LocalizedText(option.texts),
            isDefault: option.isDefault, isEnabled: option.isEnabled)
    }
}

extension PickerMoment {
    fileprivate init(_ moment: Reference.Moment) {
        self.init(date: moment.day.map(CivilDate.init), time: moment.time.map(CivilTime.init))
    }
}

extension CivilDate {
    fileprivate init(_ day: Reference.Day) {
        self.init(year: Int32(day.year), month: Int32(day.month), day: Int32(day.day))
    }
}

extension CivilTime {
    fileprivate init(_ time: Reference.Time) {
        self.init(
            hour: Int32(time.hour), minute: Int32(time.minute), second: Int32(time.second),
            millisecond: Int32(time.millisecond))
    }
}

extension ActionDocument {
    fileprivate init(_ action: Reference.Action) {
        self =
            switch action {
            case .open(let screen, let navigator): .openScreen(screen, navigator: navigator)
            case .back: .back
            case .close: .close
            case .closeNavigator(let id): .closeNavigator(id)
            case .custom(let id): .custom(id)
            case .set(let screen, let element, let value):
                .setVariable(
                    .element(screen: screen, element: element), VariableValue(value))
            case .ask(let screen, let element, let question):
                .branch(
                    [
                        ConditionBranch(
                            condition: ConditionDocument(
                                question, .element(screen: screen, element: element)),
                            actions: [.custom("yes")])
                    ], otherwise: [.custom("no")])
            }
    }
}

extension ConditionDocument {
    fileprivate init(_ question: Reference.Question, _ subject: ConditionSubject) {
        self =
            switch question {
            case .equals(let text): .equals(subject, .text(text))
            case .has(let id): .contains(subject, id)
            case .isOn: .equals(subject, .flag(true))
            case .isSet: .isSet(subject)
            }
    }
}

extension VariableValue {
    fileprivate init(_ value: Reference.Value) {
        self =
            switch value {
            case .text(let text): .text(text)
            case .number(let number): .number(Double(number))
            case .flag(let isOn): .flag(isOn)
            case .items(let ids): .items(ids)
            }
    }
}

extension Gesture {
    /// A step that is a gesture.
    init(_ step: Reference.Step) {
        self =
            switch step {
            case .focus(let name): .focus(name)
            case .enter(let name, let text): .enterText(name, text: text)
            case .clear(let name): .clearText(name)
            case .blur: .blur
            case .openPicker(let name): .openPicker(name)
            case .pick(let day, let time): .pick(day.map(CivilDate.init), time.map(CivilTime.init))
            case .closePicker: .closePicker
            case .tapOption(let name, let option): .tapOption(name, option: option)
            case .tapToggle(let name): .tapToggle(name)
            case .tapButton(let name): .tapButton(name)
            case .selectProduct(let name, let id): .selectProduct(name, product: id)
            case .switchTab(let name, let tab): .switchTab(name, tab: tab)
            case .goBack: .goBack
            case .tapOutside: .tapOutside
            case .background, .foreground, .dismiss, .present, .wait:
                preconditionFailure("\(step) is no gesture")
            }
    }
}

extension Reference.Fault {
    init(_ reason: GestureRefusal.Reason) {
        self =
            switch reason {
            case .notFound: .notFound
            case .wrongState: .wrongState
            case .invalidArgument: .invalidArgument
            case .limitExceeded: .limitExceeded
            }
    }
}
