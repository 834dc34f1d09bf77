import FlowEngine

extension ActionReader {
    /// Reads an alert: a title, a message and at least one action for the finger (ACT-46).
    func alert(_ object: JSONObject) -> ActionDocument {
        let title = object.requiredString("title", "the alert's title")
        let message = object.string("message") ?? ""
        var ids = Set<String>()
        let actions = object.requiredItems("actions", "an action of the alert").compactMap { item in
            alertAction(item, &ids)
        }
        return .showAlert(title: title, message: message, actions: actions)
    }

    private func alertAction(_ cursor: JSONCursor, _ ids: inout Set<String>) -> AlertActionDocument?
    {
        guard let object = cursor.object("an action of an alert: an object with \"title\"") else {
            return nil
        }
        defer { object.close() }
        let title = object.requiredName("title", "what the action's button says")
        let id = object.name("id") ?? title
        if !id.isEmpty, !ids.insert(id).inserted {
            cursor.fault("the alert has two actions with the ID \(id.shown); set another \"id\"")
        }
        return AlertActionDocument(
            id: id, title: title, style: style(object["style"]),
            actions: actions("actions", of: object))
    }

    private func style(_ cursor: JSONCursor?) -> AlertActionDocument.Style {
        guard let cursor, let name = cursor.string() else { return .default }
        switch name {
        case "default": return .default
        case "cancel": return .cancel
        case "destructive": return .destructive
        default: return cursor.mismatch("\"default\", \"cancel\" or \"destructive\"") ?? .default
        }
    }
}
