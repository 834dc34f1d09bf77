import FlowEngine

/// Reads the elements of a screen.
struct ElementReader {
    /// What `type` may say in flows.
    static let flowTypes = [
        "text_input", "email_input", "number_input", "phone_input", "password_input",
        "date_picker", "time_picker", "date_time_picker", "single_choice", "multi_choice",
        "toggle", "button", "text", "product_list", "tabs", "unsupported",
    ]
    /// What `type` may say in onboardings.
    static let onboardingTypes = [
        "text_input", "email_input", "number_input", "date_picker", "single_choice",
        "multi_choice", "button", "text", "unsupported",
    ]

    let scope: DocumentScope
    var locales: LocaleReader { LocaleReader(scope: scope) }
    var actions: ActionReader { ActionReader(scope: scope) }

    /// Reads one element; nil, and a fault, when its kind is not known.
    func element(_ cursor: JSONCursor) -> ElementDocument? {
        guard let object = cursor.object("an element: an object with \"type\""),
            let typeCursor = object.required("type", "the kind of element"),
            let type = typeCursor.string()
        else { return nil }
        let types = scope.isOnboarding ? Self.onboardingTypes : Self.flowTypes
        guard types.contains(type) else {
            let place = scope.isOnboarding ? "an onboarding" : "a flow"
            typeCursor.fault(
                "unknown element \(type.shown) in \(place); expected one of "
                    + types.map(\.shown).joined(separator: ", "))
            return nil
        }
        defer { object.close() }
        let (content, kind) = content(type, object)
        return ElementDocument(
            id: id(of: content, kind, object), text: locales.text(object["text"]),
            isEnabled: object.flag("enabled", default: true),
            isInHeader: object.flag("in_header", default: false), content: content)
    }

    private func content(_ type: String, _ object: JSONObject) -> (ElementContent, ElementKind) {
        switch type {
        case "text_input": (.field(field(.text, object)), .field)
        case "email_input": (.field(field(.email, object)), .field)
        case "number_input": (.field(field(.number, object)), .field)
        case "phone_input": (.field(field(.phone, object)), .field)
        case "password_input": (.field(field(.password, object)), .field)
        case "date_picker": (.picker(picker(.date, object)), .picker)
        case "time_picker": (.picker(picker(.time, object)), .picker)
        case "date_time_picker": (.picker(picker(.dateTime, object)), .picker)
        case "single_choice": (.choice(choice(isMultiple: false, object)), .singleChoice)
        case "multi_choice": (.choice(choice(isMultiple: true, object)), .multiChoice)
        case "toggle": (.toggle(isOn: object.flag("is_on", default: false)), .toggle)
        case "button": (.button(button(object)), .button)
        case "text": (.text(textContent(object)), .text)
        case "product_list": (.productList(productList(object)), .productList)
        case "tabs": (.tabs(tabs(object)), .tabs)
        default: (.unknown(object.requiredName("kind", "the kind to report")), .unsupported)
        }
    }

    /// Reads the Element ID or Group ID, and sees that it is there and once on its screen (IN-72).
    private func id(
        of content: ElementContent, _ kind: ElementKind, _ object: JSONObject
    ) -> String? {
        let cursor = object[kind.isGroup ? "group_id" : "element_id"]
        let id = cursor?.string()
        guard let cursor, let id, !id.isBlank else {
            let isInput = kind == .field || kind == .picker
            if isInput, cursor == nil || id != nil {
                (cursor ?? object.cursor).fault(
                    "an input needs an Element ID: give \"element_id\" (IN-72)")
            }
            return id
        }
        guard let screen = scope.screen else { return id }
        let named = NamedElement(kind: kind, optionIDs: content.optionIDs)
        if scope.screens[screen, default: [:]].updateValue(named, forKey: id) != nil {
            cursor.fault(
                "the ID \(id.shown) is there twice on the screen \(screen.shown); Element IDs and "
                    + "Group IDs of one screen have to differ (IN-72)")
        }
        return id
    }

    private func button(_ object: JSONObject) -> ButtonDocument {
        guard scope.isOnboarding else {
            return ButtonDocument(actions: actions.actions("actions", of: object))
        }
        let actionID = object.string("action_id") ?? ""
        (scope.actionID, scope.actionIDCursor) = (actionID, object["action_id"])
        defer { (scope.actionID, scope.actionIDCursor) = (nil, nil) }
        let actions = actions.actions("actions", of: object)
        if actionID.isBlank, actions.contains(where: \.callsBackWithoutID) {
            object.cursor.warn(
                "a button without Action ID calls the app with an empty text: give "
                    + "\"action_id\" (OB-59)")
        }
        return ButtonDocument(
            actions: actions, actionID: actionID, reply: object.string("reply"))
    }

    private func productList(_ object: JSONObject) -> ProductListDocument {
        var ids: [String] = []
        var seen = Set<String>()
        for item in object.requiredItems("products", "a vendor product id") {
            guard let id = item.name("a vendor product id") else { continue }
            if !seen.insert(id).inserted {
                item.fault("the product \(id.shown) is there twice in the list")
            }
            ids.append(id)
            scope.mention(.product(id), at: item)
        }
        let preselected = object.name("preselected")
        if let preselected, !seen.contains(preselected) {
            object["preselected"]?.fault(
                "the preselected product \(preselected.shown) is not among \"products\"")
        }
        return ProductListDocument(vendorProductIDs: ids, preselected: preselected)
    }

    private func tabs(_ object: JSONObject) -> [TabDocument] {
        var ids = Set<String>()
        return object.requiredItems("tabs", "a tab with \"id\" and \"text\"").compactMap { item in
            guard let tab = item.object("a tab with \"id\" and \"text\"") else { return nil }
            defer { tab.close() }
            let id = tab.requiredName("id", "the tab's ID")
            if !id.isEmpty, !ids.insert(id).inserted {
                item.fault("the tab \(id.shown) is there twice")
            }
            return TabDocument(id: id, text: locales.text(tab["text"]) ?? LocalizedText([]))
        }
    }
}

extension ElementContent {
    fileprivate var optionIDs: [String] {
        guard case .choice(let choice) = self else { return [] }
        return choice.options.compactMap(\.elementID)
    }
}

extension ActionDocument {
    /// Whether the app hears of it, in an onboarding, with no Action ID but the button's.
    fileprivate var callsBackWithoutID: Bool {
        switch self {
        case .close: true
        case .custom(let id), .openPaywall(let id): id.isBlank
        default: false
        }
    }
}
