extension OnboardingSession {
    /// The events of a screen that is shown, in the order of OB-47 and OB-48.
    mutating func announce(_ effects: inout [ViewEffect]) {
        let table = self.table
        tell(.screenPresented, &effects)
        effects.append(.backend(.screenShowed(meta)))
        if screen == 1, !sawSecondScreen {
            sawSecondScreen = true
            tell(.secondScreenPresented, &effects)
        }
        if table.document.isRegistration { tell(.registrationScreenPresented, &effects) }
        if table.document.isProducts { tell(.productsScreenPresented, &effects) }
        if !sawFinalScreen, table.id.isExactly("final") {
            sawFinalScreen = true
            tell(.onboardingCompleted, &effects)
        }
    }

    /// Leaves the screen for another (OB-48); nothing if that is the one shown (NAV-7).
    mutating func open(
        _ index: Int, remembersFormer: Bool = true, by leaver: Leaver,
        _ effects: inout [ViewEffect]
    ) {
        guard index != screen else { return }
        settle(&effects)
        complete(by: leaver, &effects)
        if remembersFormer {
            if history.count == OnboardingSession.historyMax { history.removeFirst() }
            history.append(Int32(screen))
        }
        screen = index
        announce(&effects)
    }

    /// Goes back; nothing on the first screen (NAV-10).
    mutating func goBack(by leaver: Leaver, _ effects: inout [ViewEffect]) {
        guard let former = history.popLast() else { return }
        open(Int(former), remembersFormer: false, by: leaver, &effects)
    }

    /// OB-38, OB-39.
    func complete(by leaver: Leaver, _ effects: inout [ViewEffect]) {
        tell(.screenCompleted(elementID: leaver.elementID, reply: leaver.reply), &effects)
    }

    /// Takes the focus from a field and closes a picker, reporting them (OB-29).
    mutating func settle(_ effects: inout [ViewEffect]) {
        let active = inputs.active
        inputs.active = .none
        switch active {
        case .none: return
        case .field(let screen, let element, let isEdited):
            let entry = document.screens[screen].entries[element]
            guard isEdited, case .field(let field) = entry.content, let id = entry.reportedID
            else { return }
            report(field, id, &effects)
        case .picker(let screen, let element, let before):
            let entry = document.screens[screen].entries[element]
            guard case .picker(let picker) = entry.content, let id = entry.reportedID,
                inputs.word(of: picker) != before,
                let date = OnboardingDate(word: inputs.word(of: picker))
            else { return }
            let state = OnboardingState.datePicker(
                day: date.day, month: date.month, year: date.year)
            tell(.stateUpdated(elementID: id, state), &effects)
        }
    }

    /// OB-25 to OB-27, OB-31, OB-41.
    private mutating func report(_ field: FieldEntry, _ id: String, _ effects: inout [ViewEffect]) {
        let text = inputs.text(of: field)
        switch field.kind {
        case .password: return
        case .text, .phone: tell(.stateUpdated(elementID: id, .text(text)), &effects)
        case .number:
            guard let number = NumberText.value(of: text) else { return }
            tell(.stateUpdated(elementID: id, .number(number)), &effects)
        case .email:
            tell(.stateUpdated(elementID: id, .email(text)), &effects)
            guard EmailForm.matches(text), !collectedEmails.contains(field.slot) else { return }
            collectedEmails.append(field.slot)
            tell(.userEmailCollected, &effects)
        }
    }

    /// What led away from a screen: its Element ID and its reply, each of which may be missing.
    struct Leaver {
        var elementID: String?
        var reply: String?
    }
}
