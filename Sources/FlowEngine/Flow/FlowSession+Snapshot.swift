extension FlowSession {
    /// The live screens from the bottom to the one in control, with the elements in `range` of
    /// the top screen; empty when the view is not on screen.
    public func snapshot(elements range: Range<Int>) -> [ScreenSnapshot] {
        navigators.indices.map { place in
            let live = navigators[place]
            let table = document.screens[live.screen]
            let isTop = place == navigators.count - 1
            let shown = isTop ? range.clamped(to: table.entries.indices) : 0..<0
            return ScreenSnapshot(
                navigatorID: document.content.navigators[live.navigator].id, screenID: table.id,
                order: table.index, isLast: table.isLast, elementsTotal: table.entries.count,
                elements: shown.map { element(table, $0) })
        }
    }

    private func element(_ table: ScreenTable, _ place: Int) -> ElementSnapshot {
        let entry = table.entries[place]
        let element = table.document.elements[place]
        var shown = ElementSnapshot(id: entry.name, kind: entry.content.kindName)
        shown.title = element.text.map(localized) ?? ""
        shown.isEnabled = entry.isEnabled
        shown.isInHeader = element.isInHeader
        switch inputs.active {
        case .field(table.index, place, _): shown.isFocused = true
        case .picker(table.index, place, _): shown.isOpen = true
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
            shown.value = inputs.instant(of: picker).map(ElementValue.instant)
        case .choice(let choice): shown.options = options(of: choice)
        case .toggle(let slot, let isOn):
            shown.value = .bool(inputs.isOn(slot, byDefault: isOn))
        case .text(let text):
            shown.title = TagText.shown(shown.title, initial: text.tags, given: options.tags)
            shown.value = text.timerID.flatMap(end(ofTimer:)).map { .instant($0.ms) }
        case .productList(let list): shown.options = options(of: list)
        case .tabs(let tabs): shown.options = options(of: tabs)
        case .button, .unknown: break
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

    /// A product that is not loaded cannot be selected: it shows as disabled (ACT-21).
    private func options(of list: ProductListEntry) -> [OptionSnapshot] {
        list.names.names.indices.map { place in
            OptionSnapshot(
                id: list.names.names[place],
                title: document.products[Int(list.products[place])],
                isSelected: selection(of: list) == place,
                isEnabled: isLoaded(list.products[place]))
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

    private func localized(_ text: LocalizedText) -> String {
        text.resolved(locale: localeIndex, default: document.content.defaultLocale)
    }

    private func end(ofTimer id: String) -> Instant? {
        document.timer(id).flatMap { schedule.end(ofTimer: $0) }
    }
}
