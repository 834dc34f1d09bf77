/// What an element is to its sessions.
enum EntryContent: Sendable {
    case field(FieldEntry)
    case picker(PickerEntry)
    case choice(ChoiceEntry)
    case toggle(slot: Int32, isOn: Bool)
    case button(ButtonDocument)
    case text(TextDocument)
    case productList(ProductListEntry)
    case tabs(TabsEntry)
    case unknown(String)
}

/// An element with what sessions look up about it.
final class ElementEntry: Sendable {
    /// What gestures call it.
    let name: String
    /// What its events have in common; nil: it never reports (IN-61 to IN-70).
    let input: InputIdentity?
    let isEnabled: Bool
    let content: EntryContent

    init(name: String, input: InputIdentity?, isEnabled: Bool, content: EntryContent) {
        self.name = name
        self.input = input
        self.isEnabled = isEnabled
        self.content = content
    }

    /// The `element_id` that it reports.
    var reportedID: String? { input?.elementID }
}

/// A screen with what sessions look up about it.
final class ScreenTable: Sendable {
    let index: Int
    let document: ScreenDocument
    let names: NameTable
    let entries: [ElementEntry]
    /// NAV-5, or the mark set by hand.
    let isLast: Bool
    /// Indexes of the timers that its texts show.
    let timers: [Int]
    /// Kinds that nobody knows (4103).
    let unknownKinds: [String]

    init(
        index: Int, document: ScreenDocument, names: NameTable, entries: [ElementEntry],
        isLast: Bool, timers: [Int] = []
    ) {
        self.index = index
        self.document = document
        self.names = names
        self.entries = entries
        self.isLast = isLast
        self.timers = timers
        self.unknownKinds = document.elements.compactMap {
            if case .unknown(let kind) = $0.content { kind } else { nil }
        }
    }

    var id: String { document.id }
}
