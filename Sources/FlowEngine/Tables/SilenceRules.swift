/// Finds the choices and toggles that never report (IN-64 to IN-70).
struct SilenceRules {
    /// How many screens have a group or toggle of that Group ID.
    private var screens: [ExactText: Int] = [:]

    init(_ content: FlowContent) {
        for screen in content.screens {
            let groups = screen.elements.filter(\.isGroup).compactMap(\.id).map(ExactText.init)
            for group in Set(groups) { screens[group, default: 0] += 1 }
        }
    }

    /// The first rule that silences that element and its reason; nil: it reports, or is no group.
    func silence(of element: ElementDocument) -> (rule: String, reason: String)? {
        guard element.isGroup else { return nil }
        if element.isInHeader {
            return ("IN-64", "it is inside a Header element, which several screens share")
        }
        if case .choice(let choice) = element.content, let fault = fault(in: choice) {
            return fault
        }
        guard let id = element.id, !id.isBlank else { return ("IN-68", "it has no Group ID") }
        if screens[ExactText(id), default: 0] > 1 {
            return ("IN-67", "its Group ID \"\(id)\" is used on another screen too")
        }
        return nil
    }

    private func fault(in choice: ChoiceDocument) -> (rule: String, reason: String)? {
        var seen: Set<ExactText> = []
        var repeated: String?
        for (index, option) in choice.options.enumerated() {
            guard let id = option.elementID, !id.isBlank else {
                return ("IN-65", "its option \(index) has no Element ID")
            }
            if !seen.insert(ExactText(id)).inserted { repeated = repeated ?? id }
        }
        return repeated.map { ("IN-66", "two of its options have the Element ID \"\($0)\"") }
    }
}

extension ElementDocument {
    /// Whether it is a choice or a toggle: what has a Group ID.
    var isGroup: Bool {
        switch content {
        case .choice, .toggle: true
        default: false
        }
    }
}
