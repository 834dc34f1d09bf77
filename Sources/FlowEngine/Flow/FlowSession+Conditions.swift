extension FlowSession {
    /// Whether a condition of a conditional action holds now.
    func holds(_ condition: ConditionDocument) throws(ViewError) -> Bool {
        switch condition {
        case .equals(let subject, let value):
            return try self.value(of: subject).map { $0.matches(value) } ?? false
        case .notEquals(let subject, let value):
            return try self.value(of: subject).map { !$0.matches(value) } ?? true
        case .contains(let subject, let part):
            return try value(of: subject)?.contains(part) ?? false
        case .isSet(let subject): return try value(of: subject)?.isSomething ?? false
        case .all(let conditions):
            for condition in conditions where try !holds(condition) { return false }
            return true
        case .any(let conditions):
            for condition in conditions where try holds(condition) { return true }
            return false
        case .not(let condition): return try !holds(condition)
        }
    }

    /// nil: a variable that nobody set, or an element without value.
    private func value(of subject: ConditionSubject) throws(ViewError) -> VariableValue? {
        switch subject {
        case .variable(let name):
            return variables[ExactText(name)] ?? document.variables[ExactText(name)]
        case .element(let screen, let name):
            let (screen, element) = try place(screen: screen, element: name)
            return value(of: entry(screen, element).content)
        }
    }

    private func value(of content: EntryContent) -> VariableValue? {
        switch content {
        case .field(let field): .text(inputs.text(of: field))
        case .picker(let picker): inputs.instant(of: picker).map { .number(Double($0)) }
        case .toggle(let slot, let isOn): .flag(inputs.isOn(slot, byDefault: isOn))
        case .choice(let choice):
            .items(inputs.selected(of: choice).map { choice.names.names[$0] })
        case .productList(let list):
            selection(of: list).map { .text(document.products[Int(list.products[$0])]) }
        case .tabs(let tabs):
            tabs.tabs.isEmpty ? nil : .text(tabs.names.names[Int(inputs.word(tabs.slot) ?? 0)])
        case .button, .text, .unknown: nil
        }
    }
}

extension VariableValue {
    /// Compares code point by code point. A text meets a number as that number's digits would
    /// be read, and a selection of one option as that option's ID.
    fileprivate func matches(_ other: VariableValue) -> Bool {
        switch (self, other) {
        case (.text(let a), .text(let b)): a.isExactly(b)
        case (.number(let a), .number(let b)): a == b
        case (.flag(let a), .flag(let b)): a == b
        case (.items(let a), .items(let b)):
            Set(a.map(ExactText.init)) == Set(b.map(ExactText.init))
        case (.text(let text), .number(let number)), (.number(let number), .text(let text)):
            NumberText.value(of: text) == number
        case (.items(let items), .text(let id)), (.text(let id), .items(let items)):
            items.count == 1 && items[0].isExactly(id)
        default: false
        }
    }

    /// Whether a selection has that option, or a text that part.
    fileprivate func contains(_ part: String) -> Bool {
        switch self {
        case .items(let items): items.contains { $0.isExactly(part) }
        case .text(let text): Array(text.utf8).hasPart(Array(part.utf8))
        case .number, .flag: false
        }
    }

    /// Whether it is more than an empty text or an empty selection.
    fileprivate var isSomething: Bool {
        switch self {
        case .text(let text): !text.isEmpty
        case .items(let items): !items.isEmpty
        case .number, .flag: true
        }
    }
}

extension [UInt8] {
    fileprivate func hasPart(_ part: [UInt8]) -> Bool {
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { self[$0...].starts(with: part) }
    }
}
