/// A field as its sessions need it.
final class FieldEntry: Sendable {
    let kind: FieldKind
    let document: FieldDocument
    /// Where a session keeps its text.
    let slot: Int32
    /// Compiled from `FieldDocument.regex`; nil: none, or one that does not compile (IN-30).
    let pattern: TextPattern?

    init(_ document: FieldDocument, slot: Int32) {
        self.kind = document.kind
        self.document = document
        self.slot = slot
        self.pattern = document.regex.flatMap { try? TextPattern($0) }
    }

    /// nil for passwords, which never report (IN-61).
    var reportedType: InputElementType? {
        switch kind {
        case .text: .textInput
        case .email: .emailInput
        case .number: .numberInput
        case .phone: .phoneInput
        case .password: nil
        }
    }
}

/// A picker as its sessions need it.
final class PickerEntry: Sendable {
    let document: PickerDocument
    let slot: Int32

    init(_ document: PickerDocument, slot: Int32) {
        self.document = document
        self.slot = slot
    }

    var reportedType: InputElementType {
        switch document.kind {
        case .date: .datePicker
        case .time: .timePicker
        case .dateTime: .dateTimePicker
        }
    }
}

/// A choice as its sessions need it: names, bits and what it reports.
final class ChoiceEntry: Sendable {
    let document: ChoiceDocument
    /// The first of the slots that hold its selection, 64 options in each.
    let firstSlot: Int32
    /// Set as default, as bits (IN-73); a single choice keeps the first one.
    let defaults: [UInt64]
    /// What gestures call the options.
    let names: NameTable
    /// Element IDs as reported, the name for gestures where there is none; and titles (IN-57,
    /// IN-58).
    let reported: OptionTexts

    init(_ document: ChoiceDocument, firstSlot: Int32, defaultLocale: Int) {
        self.document = document
        self.firstSlot = firstSlot
        self.defaults = ChoiceEntry.defaultBits(document)
        let names = NameTable(document.options.map(\.elementID))
        self.names = names
        self.reported = OptionTexts(
            ids: document.options.indices.map { index in
                ChoiceEntry.usable(document.options[index].elementID) ?? names.names[index]
            },
            titles: document.options.indices.map { index in
                ChoiceEntry.title(
                    document.options[index], named: names.names[index],
                    defaultLocale: defaultLocale)
            })
    }

    /// How many slots a choice of that many options needs.
    static func slotCount(options: Int) -> Int { (options + 63) / 64 }

    private static func defaultBits(_ document: ChoiceDocument) -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: slotCount(options: document.options.count))
        for index in document.options.indices where document.options[index].isDefault {
            bits[index / 64] |= 1 << UInt64(index % 64)
            if !document.isMultiple { break }
        }
        return bits
    }

    private static func usable(_ id: String?) -> String? {
        guard let id, !id.isBlank else { return nil }
        return id
    }

    private static func title(_ option: OptionDocument, named name: String, defaultLocale: Int)
        -> String
    {
        if let title = option.elementTitle, !title.isBlank { return title }
        let text = option.text.resolved(locale: defaultLocale, default: defaultLocale)
        return text.isBlank ? usable(option.elementID) ?? name : text
    }
}

/// A product list as its sessions need it. Its slot holds the selection.
final class ProductListEntry: Sendable {
    let names: NameTable
    /// Indexes in the document's table of products.
    let products: [Int32]
    /// Index in `products` of the one preselected by the catalog.
    let preselected: Int?
    let slot: Int32

    init(_ document: ProductListDocument, products: [Int32], slot: Int32) {
        self.names = NameTable(document.vendorProductIDs)
        self.products = products
        self.preselected = document.preselected.flatMap { wanted in
            document.vendorProductIDs.firstIndex { $0.isExactly(wanted) }
        }
        self.slot = slot
    }
}

/// A tab bar as its sessions need it. Its slot holds the index of the tab shown.
final class TabsEntry: Sendable {
    let tabs: [TabDocument]
    let names: NameTable
    let slot: Int32

    init(_ tabs: [TabDocument], slot: Int32) {
        self.tabs = tabs
        self.names = NameTable(tabs.map(\.id))
        self.slot = slot
    }
}
