import FlowEngine

extension ElementReader {
    /// Reads a group of options (IN-17, IN-18).
    func choice(isMultiple: Bool, _ object: JSONObject) -> ChoiceDocument {
        let items = object.requiredItems("options", "an option with \"element_id\" and \"text\"")
        let choice = ChoiceDocument(
            isMultiple: isMultiple, options: items.compactMap(option),
            maxSelected: isMultiple
                ? object["max_selected"]?.integer(in: 1...Int64(Int32.max)).map(Int.init) : nil)
        let limit = isMultiple ? choice.maxSelected ?? .max : 1
        let defaults = choice.options.count(where: \.isDefault)
        if defaults > limit {
            object.cursor.fault(
                "\(defaults) options are set as default; at most \(limit) can be selected")
        }
        return choice
    }

    private func option(_ cursor: JSONCursor) -> OptionDocument? {
        guard let object = cursor.object("an option: an object with \"element_id\"") else {
            return nil
        }
        defer { object.close() }
        var option = OptionDocument(
            elementID: object.string("element_id"),
            elementTitle: object.string("element_title"),
            text: locales.text(object["text"]) ?? LocalizedText([]),
            isDefault: object.flag("set_as_default", default: false),
            isEnabled: object.flag("enabled", default: true),
            actions: actions.actions("actions", of: object))
        if scope.isOnboarding { option.value = object.string("value") }
        return option
    }
}
