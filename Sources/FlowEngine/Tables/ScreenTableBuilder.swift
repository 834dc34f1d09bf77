/// Makes the entries of all screens of one document and hands out the slots of its sessions.
struct ScreenTableBuilder {
    let defaultLocale: Int
    private var texts: Int32 = 0
    private var words: Int32 = 0
    private var productPlaces: [ExactText: Int32] = [:]
    /// Every product of the document's lists and purchases, once.
    private(set) var products: [String] = []

    init(defaultLocale: Int) {
        self.defaultLocale = defaultLocale
    }

    /// The entries of a screen, reporting under their IDs unless they have none.
    ///
    /// - Parameter silent: Places of groups that something else silences.
    mutating func entries(
        of screen: ScreenDocument, names: NameTable, silent: Set<Int> = []
    ) -> [ElementEntry] {
        screen.elements.enumerated().map { index, element in
            let content = content(of: element.content)
            return ElementEntry(
                name: names.names[index],
                input: silent.contains(index)
                    ? nil : identity(of: element, content, on: screen.id),
                isEnabled: element.isEnabled, content: content)
        }
    }

    /// Where a product stands in `products`; puts it there if need be.
    mutating func place(ofProduct id: String) -> Int32 {
        if let place = productPlaces[ExactText(id)] { return place }
        let place = Int32(products.count)
        products.append(id)
        productPlaces[ExactText(id)] = place
        return place
    }

    /// Where products stand, by their ids.
    var placesOfProducts: [ExactText: Int32] { productPlaces }

    private mutating func content(of content: ElementContent) -> EntryContent {
        switch content {
        case .field(let field): .field(FieldEntry(field, slot: nextText()))
        case .picker(let picker): .picker(PickerEntry(picker, slot: nextWords(1)))
        case .choice(let choice):
            .choice(
                ChoiceEntry(
                    choice,
                    firstSlot: nextWords(ChoiceEntry.slotCount(options: choice.options.count)),
                    defaultLocale: defaultLocale))
        case .toggle(let isOn): .toggle(slot: nextWords(1), isOn: isOn)
        case .button(let button): .button(button)
        case .text(let text): .text(text)
        case .productList(let list):
            .productList(
                ProductListEntry(
                    list, products: list.vendorProductIDs.map { place(ofProduct: $0) },
                    slot: nextWords(1)))
        case .tabs(let tabs): .tabs(TabsEntry(tabs, slot: nextWords(1)))
        case .unknown(let kind): .unknown(kind)
        }
    }

    /// IN-5, IN-61, IN-64 and IN-68; nil: it never reports.
    private func identity(
        of element: ElementDocument, _ content: EntryContent, on screen: String
    ) -> InputIdentity? {
        guard let id = element.id, !id.isBlank, !element.isInHeader,
            let type = content.reportedType
        else { return nil }
        return InputIdentity(instanceID: screen, elementID: id, type: type)
    }

    private mutating func nextText() -> Int32 {
        defer { texts += 1 }
        return texts
    }

    private mutating func nextWords(_ count: Int) -> Int32 {
        defer { words += Int32(count) }
        return words
    }
}
