extension OnboardingSession {
    /// The screen that is open, with the elements in `range`; empty when the onboarding is not on
    /// screen or has not loaded.
    public func snapshot(elements range: Range<Int>) -> [ScreenSnapshot] {
        guard isShown, loading == .done else { return [] }
        let table = self.table
        return [
            ScreenSnapshot(
                navigatorID: "main", screenID: table.id, order: table.index, isLast: table.isLast,
                elementsTotal: table.entries.count,
                elements: range.clamped(to: table.entries.indices).map(element))
        ]
    }

    func localized(_ text: LocalizedText) -> String {
        text.resolved(locale: localeIndex, default: document.content.defaultLocale)
    }

    private func element(_ place: Int) -> ElementSnapshot {
        let entry = table.entries[place]
        let element = table.document.elements[place]
        var shown = ElementSnapshot(id: entry.name, kind: entry.content.kindName)
        shown.title = element.text.map(localized) ?? ""
        shown.isEnabled = entry.isEnabled
        shown.isInHeader = element.isInHeader
        switch inputs.active {
        case .field(screen, place, _): shown.isFocused = true
        case .picker(screen, place, _): shown.isOpen = true
        default: break
        }
        fill(&shown, entry.content)
        return shown
    }

    private func fill(_ shown: inout ElementSnapshot, _ content: EntryContent) {
        switch content {
        case .field(let field):
            shown.placeholder = field.document.placeholder.map(localized) ?? ""
            shown.value = .text(inputs.text(of: field))
        case .picker(let picker):
            shown.value = OnboardingDate(word: inputs.word(of: picker)).map {
                .date(day: $0.day, month: $0.month, year: $0.year)
            }
        case .choice(let choice): shown.options = options(of: choice)
        case .toggle(let slot, let isOn):
            shown.value = .bool(inputs.isOn(slot, byDefault: isOn))
        case .tabs(let tabs): shown.options = options(of: tabs)
        case .button, .text, .productList, .unknown: break
        }
    }

    private func options(of choice: ChoiceEntry) -> [OptionSnapshot] {
        choice.names.names.indices.map { place in
            let option = choice.document.options[place]
            return OptionSnapshot(
                id: choice.names.names[place], title: localized(option.text),
                isSelected: inputs.isSelected(place, of: choice), isEnabled: option.isEnabled)
        }
    }

    private func options(of tabs: TabsEntry) -> [OptionSnapshot] {
        let shown = Int(inputs.word(tabs.slot) ?? 0)
        return tabs.tabs.indices.map { place in
            OptionSnapshot(
                id: tabs.names.names[place], title: localized(tabs.tabs[place].text),
                isSelected: place == shown, isEnabled: true)
        }
    }
}
