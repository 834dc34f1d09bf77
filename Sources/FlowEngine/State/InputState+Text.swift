extension InputState {
    /// Sets the whole text of the field in focus (IN-92); nil: whichever that is.
    mutating func enter(
        _ text: String, in name: String?, on screen: ScreenTable, of screens: ScreenSet
    ) throws(GestureRefusal) {
        let named: Int? = if let name { try screens.field(name, on: screen) } else { nil }
        guard case .field(screen.index, let element, _) = active,
            named == nil || named == element,
            case .field(let field) = screen.entries[element].content
        else { throw name.map(GestureRefusal.notInFocus) ?? .noFocus }
        try TextEntry.check(text, for: field, named: screen.entries[element].name)
        let former = self.text(of: field)
        let accepted = TextEntry.accepted(text, over: former, in: field)
        if accepted.isExactly(former) { return }
        set(accepted, of: field)
        active = .field(screen: screen.index, element: element, isEdited: true)
    }

    /// Loses what is pending without an event: the field keeps its text, the picker falls back to
    /// the value it had when it was opened (IN-83).
    mutating func dropPending(_ screens: ScreenSet) {
        if case .picker(let screen, let element, let before) = active,
            case .picker(let picker) = screens[screen].entries[element].content
        {
            setWord(picker.slot, to: before)
        }
        active = .none
    }
}
