import FlowEngine

/// Reads the screens of a flow or an onboarding.
struct ScreenReader {
    let scope: DocumentScope

    /// Reads `screens`, of which there has to be at least one.
    func screens(of object: JSONObject) -> [ScreenDocument] {
        object.requiredItems("screens", "a screen with \"id\" and \"elements\"").compactMap(screen)
    }

    private func screen(_ cursor: JSONCursor) -> ScreenDocument? {
        guard let object = cursor.object("a screen: an object with \"id\"") else { return nil }
        defer { object.close() }
        let id = object.requiredName("id", "the screen's id, such as \"scr_registration\"")
        if scope.screens[id] != nil, !id.isEmpty {
            object["id"]?.fault("the screen \(id.shown) is there twice")
        } else {
            scope.screens[id] = [:]
        }
        scope.screen = id
        defer { scope.screen = nil }
        scope.screenCursors.append((id, object["id"] ?? cursor))
        scope.elementCursors.append([])
        let elements = object.items("elements").compactMap(element)
        var screen = ScreenDocument(id: id, elements: elements)
        if scope.isOnboarding {
            screen.isRegistration = object.flag("is_registration_screen", default: false)
            screen.isProducts = object.flag("is_products_screen", default: false)
        } else {
            screen.hooks = hooks(object["hooks"])
            screen.isLastOverride = object["is_last_screen"]?.bool()
        }
        return screen
    }

    private func element(_ cursor: JSONCursor) -> ElementDocument? {
        guard let element = ElementReader(scope: scope).element(cursor) else { return nil }
        scope.elementCursors[scope.elementCursors.count - 1].append(cursor)
        return element
    }

    private func hooks(_ cursor: JSONCursor?) -> ScreenHooks {
        guard let object = cursor?.object() else { return ScreenHooks() }
        defer { object.close() }
        let actions = ActionReader(scope: scope)
        return ScreenHooks(
            willAppear: actions.actions("will_appear", of: object),
            didAppear: actions.actions("did_appear", of: object),
            willDisappear: actions.actions("will_disappear", of: object),
            didDisappear: actions.actions("did_disappear", of: object))
    }
}
