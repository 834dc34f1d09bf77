import FlowEngine

/// Reads actions: objects with a `type`.
struct ActionReader {
    /// What `type` may say in flows.
    static let flowTypes = [
        "close", "open_url", "custom", "open_screen", "back", "close_navigator", "set_variable",
        "purchase", "web_purchase", "restore", "request_permission", "request_review",
        "show_alert", "send_event", "conditional",
    ]
    /// What `type` may say in onboardings.
    static let onboardingTypes = [
        "close", "open_url", "custom", "open_screen", "back", "open_paywall",
    ]

    let scope: DocumentScope

    /// Reads a list of actions that may be left out.
    func actions(_ key: String, of object: JSONObject) -> [ActionDocument] {
        object.items(key).compactMap(action)
    }

    /// Reads one action; nil, and a fault, when it is none.
    func action(_ cursor: JSONCursor) -> ActionDocument? {
        guard let object = cursor.object("an action: an object with \"type\""),
            let typeCursor = object.required("type", "the kind of action"),
            let type = typeCursor.string()
        else { return nil }
        let types = scope.isOnboarding ? Self.onboardingTypes : Self.flowTypes
        guard types.contains(type) else {
            let place = scope.isOnboarding ? "an onboarding" : "a flow"
            typeCursor.fault(
                "unknown action \(type.shown) in \(place); expected one of "
                    + types.map(\.shown).joined(separator: ", "))
            return nil
        }
        defer { object.close() }
        return read(type, object)
    }

    private func read(_ type: String, _ object: JSONObject) -> ActionDocument? {
        switch type {
        case "close": .close
        case "back": .back
        case "restore": restore(object)
        case "request_review": .requestReview
        case "open_url": openURL(object)
        case "custom": .custom(actionID(object))
        case "open_paywall": openPaywall(object)
        case "open_screen": openScreen(object)
        case "close_navigator": .closeNavigator(navigator(object, isRequired: true) ?? "")
        case "set_variable": setVariable(object)
        case "purchase": purchase(object)
        case "web_purchase": webPurchase(object)
        case "request_permission": permission(object)
        case "show_alert": alert(object)
        case "send_event": event(object)
        default: conditional(object)
        }
    }

    private func openURL(_ object: JSONObject) -> ActionDocument? {
        let url = object.required("url", "the address to open").flatMap(address) ?? ""
        // Where an onboarding's links open is up to the app's configuration (OB-57).
        guard !scope.isOnboarding, let cursor = object["target"] else {
            return .openURL(url, .browserOutApp)
        }
        switch cursor.string() {
        case nil: return nil
        case "browser_out_app": return .openURL(url, .browserOutApp)
        case "browser_in_app": return .openURL(url, .browserInApp)
        case _?: return cursor.mismatch("\"browser_out_app\" or \"browser_in_app\"")
        }
    }

    /// Reads an address; one that cannot be resolved is met at run time, so it is a warning.
    func address(_ cursor: JSONCursor) -> String? {
        guard let url = cursor.string("an address, such as \"https://example.com\"") else {
            return nil
        }
        if !LinkAddress.isResolvable(url) {
            cursor.warn("\(url.shown) cannot be resolved: opening it fails with 4107 (ACT-5)")
        }
        return url
    }

    /// The Action ID: in flows the action's own, in onboardings the button's unless it has one.
    private func actionID(_ object: JSONObject) -> String {
        guard scope.isOnboarding else {
            return object.requiredName("action_id", "the Action ID that the app gets")
        }
        let id = object.string("action_id") ?? scope.actionID ?? ""
        if id.isBlank, scope.actionID == nil {
            object.cursor.warn(
                "without Action ID the app is called with an empty text: give \"action_id\" (OB-59)"
            )
        }
        return id
    }

    /// The Action ID is meant to be that of a placement (OB-18).
    private func openPaywall(_ object: JSONObject) -> ActionDocument {
        let id = actionID(object)
        if let place = object["action_id"] ?? scope.actionIDCursor {
            scope.mention(.placement(id), at: place)
        }
        return .openPaywall(id)
    }

    private func openScreen(_ object: JSONObject) -> ActionDocument? {
        guard let cursor = object.required("screen_id", "the screen to open"),
            let id = cursor.name()
        else { return nil }
        scope.mention(.screen(id), at: cursor)
        let navigator = scope.isOnboarding ? nil : navigator(object, isRequired: false)
        return .openScreen(id, navigator: navigator)
    }

    private func navigator(_ object: JSONObject, isRequired: Bool) -> String? {
        let key = "navigator_id"
        let cursor = isRequired ? object.required(key, "the navigator to close") : object[key]
        guard let cursor, let id = cursor.name() else { return nil }
        scope.mention(.navigator(id), at: cursor)
        return id
    }

    private func setVariable(_ object: JSONObject) -> ActionDocument? {
        let conditions = ConditionReader(scope: scope)
        let subject = conditions.subject(of: object)
        let cursor = object.required("value", "what is written: text, number, true, false, texts")
        guard let (subject, place) = subject, let cursor, let value = conditions.value(cursor)
        else { return nil }
        switch subject {
        case .variable(let name):
            scope.mention(.variable(name), at: place)
            return .setVariable(.variable(name), value)
        case .element(let screen, let element):
            scope.mention(.target(screen: screen, element: element, value: value), at: place)
            return .setVariable(.element(screen: screen, element: element), value)
        }
    }

    private func event(_ object: JSONObject) -> ActionDocument {
        let name = object.requiredName("name", "the name of the analytic event")
        var params: [String: ParamValue] = [:]
        for (key, value) in object.map("params") { params[key] = param(value) }
        return .sendEvent(name: name, params: params)
    }

    private func param(_ cursor: JSONCursor) -> ParamValue? {
        if cursor.isString { return .string(cursor.rawString) }
        if cursor.isInteger { return cursor.integer(in: .min ... .max).map(ParamValue.integer) }
        if cursor.isNumber { return cursor.number().map(ParamValue.double) }
        if cursor.isBool { return cursor.bool().map(ParamValue.bool) }
        if cursor.isArray { return .strings(cursor.items.compactMap { $0.string() }) }
        return cursor.mismatch("a text, a number, true, false or an array of texts")
    }

    private func conditional(_ object: JSONObject) -> ActionDocument {
        let items = object.requiredItems("branches", "an object with \"when\" and \"actions\"")
        let branches = items.compactMap { item -> ConditionBranch? in
            guard let branch = item.object("an object with \"when\" and \"actions\"") else {
                return nil
            }
            defer { branch.close() }
            let condition = branch.required("when", "the condition of this branch")
                .map(ConditionReader(scope: scope).condition)
            let actions = actions("actions", of: branch)
            return condition.map { ConditionBranch(condition: $0, actions: actions) }
        }
        return .branch(branches, otherwise: actions("otherwise", of: object))
    }
}
