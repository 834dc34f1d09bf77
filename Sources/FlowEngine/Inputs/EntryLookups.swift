extension ChoiceEntry {
    /// The option that a gesture names, enabled.
    func enabledOption(_ name: String, of group: String) throws(GestureRefusal) -> Int {
        guard let option = names.place(of: name) else {
            throw .noOption(name, what: "option", in: group, names: names, field: "option_id")
        }
        guard document.options[option].isEnabled else {
            throw GestureRefusal(
                .wrongState, "option \"\(name)\" of \"\(group)\" is disabled", field: "option_id")
        }
        return option
    }
}

extension ButtonDocument {
    /// Whether going back is all that it does: on a first screen a tap on it is impossible.
    var onlyGoesBack: Bool {
        if actions.count == 1, case .back = actions[0] { true } else { false }
    }
}

extension TextDocument {
    /// The link that a gesture points at.
    func link(_ index: Int, of name: String) throws(GestureRefusal) -> String {
        guard links.indices.contains(index) else {
            throw GestureRefusal(
                .notFound, "no link \(index) in \"\(name)\"; it has \(links.count)",
                field: "link_index")
        }
        return links[index]
    }
}

extension GestureRefusal {
    /// GEN-6.
    static let notOnScreen = GestureRefusal(
        .wrongState, "the view is not on screen", field: "view_id")
    /// GEN-6.
    static let inBackground = GestureRefusal(
        .wrongState, "the app is in the background", field: "view_id")
    /// IN-92.
    static let noFocus = GestureRefusal(
        .wrongState, "no field is in focus; focus one first", field: "element_id")
    /// IN-92.
    static let noOpenPicker = GestureRefusal(
        .wrongState, "no picker is open; open one first", field: "element_id")

    /// IN-92.
    static func notInFocus(_ name: String) -> GestureRefusal {
        GestureRefusal(.wrongState, "\"\(name)\" is not in focus; focus it first")
    }

    /// NAV-10.
    static func nothingToGoBackTo(_ screen: ScreenTable) -> GestureRefusal {
        GestureRefusal(
            .wrongState, "screen \"\(screen.id)\" has no screen before it to go back to",
            field: "view_id")
    }
}
