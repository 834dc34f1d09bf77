/// The screens of one document, and where everything on them is. An object, as each gesture looks
/// it up.
final class ScreenSet: Sendable {
    let tables: [ScreenTable]
    private let places: [ExactText: Int]
    /// The first screen that has an element of that name.
    private let homes: [ExactText: Int32]

    init(_ tables: [ScreenTable]) {
        self.tables = tables
        places = ScreenSet.places(of: tables.map(\.id))
        homes = Dictionary(
            tables.flatMap { table in
                table.names.names.map { (ExactText($0), Int32(table.index)) }
            }, uniquingKeysWith: { a, _ in a })
    }

    /// Indexes by id; of two with one id the first.
    static func places(of ids: [String]) -> [ExactText: Int] {
        Dictionary(
            ids.enumerated().map { (ExactText($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(index: Int) -> ScreenTable { tables[index] }

    func screen(_ id: String) -> ScreenTable? {
        places[ExactText(id)].map { tables[$0] }
    }

    /// The first screen that has an element of that name.
    func home(ofElement name: String) -> ScreenTable? {
        homes[ExactText(name)].map { tables[Int($0)] }
    }

    /// The place of the enabled element that a gesture names; else says what there is, and
    /// whether one of that name is on another screen (GEN-6).
    func element(_ name: String, on screen: ScreenTable) throws(GestureRefusal) -> Int {
        guard let place = screen.names.place(of: name) else {
            throw .noElement(name, on: screen, elsewhere: home(ofElement: name))
        }
        guard screen.entries[place].isEnabled else { throw .disabled(name) }
        return place
    }

    func field(_ name: String, on screen: ScreenTable) throws(GestureRefusal) -> Int {
        let place = try element(name, on: screen)
        guard case .field = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "field")
        }
        return place
    }

    func picker(_ name: String, on screen: ScreenTable) throws(GestureRefusal)
        -> (place: Int, picker: PickerEntry)
    {
        let place = try element(name, on: screen)
        guard case .picker(let picker) = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "picker")
        }
        return (place, picker)
    }

    func choice(_ name: String, on screen: ScreenTable) throws(GestureRefusal)
        -> (place: Int, choice: ChoiceEntry)
    {
        let place = try element(name, on: screen)
        guard case .choice(let choice) = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "choice")
        }
        return (place, choice)
    }

    func toggle(_ name: String, on screen: ScreenTable) throws(GestureRefusal)
        -> (place: Int, slot: Int32, isOnByDefault: Bool)
    {
        let place = try element(name, on: screen)
        guard case .toggle(let slot, let isOn) = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "toggle")
        }
        return (place, slot, isOn)
    }

    func button(_ name: String, on screen: ScreenTable) throws(GestureRefusal) -> ButtonDocument {
        let place = try element(name, on: screen)
        guard case .button(let button) = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "button")
        }
        return button
    }

    /// The URL of the link that a gesture points at.
    func link(_ index: Int, of name: String, on screen: ScreenTable) throws(GestureRefusal)
        -> String
    {
        let place = try element(name, on: screen)
        guard case .text(let text) = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "text")
        }
        return try text.link(index, of: name)
    }

    func productList(_ name: String, on screen: ScreenTable) throws(GestureRefusal)
        -> ProductListEntry
    {
        let place = try element(name, on: screen)
        guard case .productList(let list) = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "product_list")
        }
        return list
    }

    /// A tab bar, and the place of the tab that a gesture names.
    func tab(_ tab: String, of name: String, on screen: ScreenTable) throws(GestureRefusal)
        -> (slot: Int32, place: Int)
    {
        let place = try element(name, on: screen)
        guard case .tabs(let tabs) = screen.entries[place].content else {
            throw refusal(name, screen.entries[place], wanted: "tab bar")
        }
        guard let found = tabs.names.place(of: tab) else {
            throw .noOption(tab, what: "tab", in: name, names: tabs.names, field: "tab_id")
        }
        return (tabs.slot, found)
    }

    private func refusal(_ name: String, _ entry: ElementEntry, wanted: String) -> GestureRefusal {
        .wrongKind(name, is: entry.content.kindName, wanted: wanted)
    }
}
