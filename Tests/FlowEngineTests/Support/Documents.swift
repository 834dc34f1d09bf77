@testable import FlowEngine

/// Short spellings for the documents of tests.
extension NavigatorDocument {
    static let main = NavigatorDocument(id: "main", order: 0)
}

extension ScreenDocument {
    static func screen(
        _ id: String, _ elements: ElementDocument..., hooks: ScreenHooks = ScreenHooks(),
        isLast: Bool? = nil
    ) -> ScreenDocument {
        ScreenDocument(id: id, elements: elements, hooks: hooks, isLastOverride: isLast)
    }
}

extension LocalizedText {
    static func text(_ text: String) -> LocalizedText { LocalizedText([text]) }
}

extension ElementDocument {
    static func field(
        _ id: String?, _ kind: FieldKind = .text, text: String = "", placeholder: String? = nil,
        multiline: Bool = false, max: Int? = nil, regex: String? = nil, header: Bool = false,
        enabled: Bool = true
    ) -> ElementDocument {
        ElementDocument(
            id: id, isEnabled: enabled, isInHeader: header,
            content: .field(
                FieldDocument(
                    kind: kind, placeholder: placeholder.map(LocalizedText.text),
                    initialText: text, isMultiline: multiline, maxLength: max, regex: regex)))
    }

    static func picker(
        _ id: String?, _ kind: PickerKind = .date, initial: PickerMoment? = nil,
        min: PickerMoment? = nil, max: PickerMoment? = nil, header: Bool = false
    ) -> ElementDocument {
        ElementDocument(
            id: id, isInHeader: header,
            content: .picker(
                PickerDocument(kind: kind, initial: initial, minimum: min, maximum: max)))
    }

    static func single(_ id: String?, _ options: OptionDocument..., header: Bool = false)
        -> ElementDocument
    {
        ElementDocument(
            id: id, isInHeader: header,
            content: .choice(ChoiceDocument(isMultiple: false, options: options)))
    }

    static func multi(
        _ id: String?, _ options: OptionDocument..., max: Int? = nil, header: Bool = false
    ) -> ElementDocument {
        ElementDocument(
            id: id, isInHeader: header,
            content: .choice(
                ChoiceDocument(isMultiple: true, options: options, maxSelected: max)))
    }

    static func toggle(_ id: String?, on: Bool = false, header: Bool = false) -> ElementDocument {
        ElementDocument(id: id, isInHeader: header, content: .toggle(isOn: on))
    }

    static func button(
        _ id: String?, _ actions: ActionDocument..., actionID: String = "", reply: String? = nil,
        enabled: Bool = true
    ) -> ElementDocument {
        ElementDocument(
            id: id, isEnabled: enabled,
            content: .button(ButtonDocument(actions: actions, actionID: actionID, reply: reply)))
    }

    static func label(
        _ id: String?, _ text: String, tags: [String: String] = [:], links: [String] = [],
        timer: String? = nil
    ) -> ElementDocument {
        ElementDocument(
            id: id, text: .text(text),
            content: .text(TextDocument(tags: tags, links: links, timerID: timer)))
    }

    static func products(_ id: String?, _ ids: String..., preselected: String? = nil)
        -> ElementDocument
    {
        ElementDocument(
            id: id,
            content: .productList(
                ProductListDocument(vendorProductIDs: ids, preselected: preselected)))
    }

    static func tabs(_ id: String?, _ tabs: String...) -> ElementDocument {
        ElementDocument(
            id: id, content: .tabs(tabs.map { TabDocument(id: $0, text: .text($0)) }))
    }
}

extension OptionDocument {
    static func option(
        _ id: String?, title: String? = nil, text: String = "", isDefault: Bool = false,
        enabled: Bool = true, value: String? = nil, actions: [ActionDocument] = []
    ) -> OptionDocument {
        OptionDocument(
            elementID: id, elementTitle: title, text: .text(text), isDefault: isDefault,
            isEnabled: enabled, value: value, actions: actions)
    }
}

extension Gesture {
    /// Types into the field in focus.
    static func type(_ text: String) -> Gesture { .enterText(nil, text: text) }

    static func pick(_ year: Int32, _ month: Int32, _ day: Int32) -> Gesture {
        .pick(CivilDate(year: year, month: month, day: day), nil)
    }

    static func pickTime(_ hour: Int32, _ minute: Int32, _ second: Int32 = 0) -> Gesture {
        .pick(nil, CivilTime(hour: hour, minute: minute, second: second))
    }
}
