extension FlowSession {
    /// Set Variable: never reports (IN-74 to IN-77).
    mutating func set(
        _ target: VariableTarget, to value: VariableValue, _ environment: ViewEnvironment
    ) throws(ViewError) {
        switch target {
        case .variable(let name): variables[ExactText(name)] = value
        case .element(let screen, let name):
            let (screen, element) = try place(screen: screen, element: name)
            try set(screen, element, to: value, environment)
        }
    }

    /// Where an element that an action or condition names stands.
    func place(screen id: String, element name: String) throws(ViewError) -> (Int, Int) {
        guard let screen = document.screens.screen(id) else {
            throw .scriptFault("the flow has no screen \"\(id)\"")
        }
        guard let element = screen.names.place(of: name) else {
            throw .scriptFault("screen \"\(id)\" has no element \"\(name)\"")
        }
        return (screen.index, element)
    }

    private mutating func set(
        _ screen: Int, _ element: Int, to value: VariableValue, _ environment: ViewEnvironment
    ) throws(ViewError) {
        let entry = entry(screen, element)
        switch (entry.content, value) {
        case (.field(let field), .text(let text)): fill(field, screen, element, text)
        case (.field(let field), .number(let number)):
            fill(field, screen, element, number.plainText)
        case (.picker(let picker), .number(let number)):
            guard let ms = Int64(exactly: number.rounded(.towardZero)), ms != .min else {
                throw .cannotSet(entry)
            }
            move(picker, screen, element, to: picker.normalized(ms, in: environment.zone))
        case (.toggle(let slot, _), .flag(let isOn)): inputs.setWord(slot, to: isOn ? 1 : 0)
        case (.choice(let choice), .items(let ids)): try select(ids, of: choice, entry)
        case (.choice(let choice), .text(let id)): try select([id], of: choice, entry)
        default: throw .cannotSet(entry)
        }
    }

    /// IN-75; in the field in focus the edits made so far count no more (IN-76).
    private mutating func fill(_ field: FieldEntry, _ screen: Int, _ element: Int, _ text: String) {
        inputs.set(text, of: field)
        if case .field(screen, element, _) = inputs.active {
            inputs.active = .field(screen: screen, element: element, isEdited: false)
        }
    }

    /// An open picker is compared with the new value from now on (IN-77).
    private mutating func move(
        _ picker: PickerEntry, _ screen: Int, _ element: Int, to ms: Int64
    ) {
        let word = UInt64(bitPattern: ms)
        inputs.setWord(picker.slot, to: word)
        if case .picker(screen, element, _) = inputs.active {
            inputs.active = .picker(screen: screen, element: element, before: word)
        }
    }

    private mutating func select(
        _ ids: [String], of choice: ChoiceEntry, _ entry: ElementEntry
    ) throws(ViewError) {
        guard choice.document.isMultiple || ids.count <= 1 else { throw .cannotSet(entry) }
        var places: [Int] = []
        for id in ids {
            guard let place = choice.names.place(of: id) else { throw .cannotSet(entry) }
            places.append(place)
        }
        inputs.select(places, of: choice)
    }
}

extension ViewError {
    /// The value is of a type that the element does not take; never tells the value (GEN-7).
    fileprivate static func cannotSet(_ entry: ElementEntry) -> ViewError {
        .scriptFault(
            "Set Variable gives the \(entry.content.kindName) \"\(entry.name)\" "
                + "a value that it cannot hold")
    }
}

extension Double {
    /// As a user would type it: a whole number without a fraction.
    var plainText: String {
        Int64(exactly: self).map(\.description) ?? description
    }
}
