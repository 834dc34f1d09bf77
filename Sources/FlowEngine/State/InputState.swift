/// What holds the user's attention on the screen in control: never a field and a picker at once
/// (IN-21, IN-35).
enum ActiveInput: Sendable, Equatable {
    case none
    /// A field in focus, and whether it was edited since it got the focus (IN-28).
    case field(screen: Int, element: Int, isEdited: Bool)
    /// An open picker, and the word of its value when it was opened (IN-33).
    case picker(screen: Int, element: Int, before: UInt64)
}

/// The values of a session's inputs, and the field in focus or the picker that is open.
struct InputState: Sendable {
    /// The word of a picker without value.
    static let noValue = UInt64(bitPattern: .min)

    private var texts = SlotMap<String>()
    private var words = SlotMap<UInt64>()
    var active = ActiveInput.none

    /// Forgets every value: what the document sets holds again (VW-20).
    mutating func reset() {
        texts.removeAll()
        words.removeAll()
        active = .none
    }

    // Fields

    func text(of field: FieldEntry) -> String {
        texts[field.slot] ?? field.document.initialText
    }

    mutating func set(_ text: String, of field: FieldEntry) {
        texts.set(field.slot, to: text)
    }

    // Words: pickers, toggles, product lists, tabs

    func word(_ slot: Int32) -> UInt64? {
        words[slot]
    }

    mutating func setWord(_ slot: Int32, to word: UInt64) {
        words.set(slot, to: word)
    }

    func word(of picker: PickerEntry) -> UInt64 {
        words[picker.slot] ?? InputState.noValue
    }

    /// Unix milliseconds; nil: no value.
    func instant(of picker: PickerEntry) -> Int64? {
        let word = word(of: picker)
        return word == InputState.noValue ? nil : Int64(bitPattern: word)
    }

    func isOn(_ slot: Int32, byDefault isOn: Bool) -> Bool {
        words[slot].map { $0 != 0 } ?? isOn
    }

    // Choices

    func isSelected(_ option: Int, of choice: ChoiceEntry) -> Bool {
        bits(option / 64, of: choice) & mask(option) != 0
    }

    func selectedCount(of choice: ChoiceEntry) -> Int {
        choice.defaults.indices.reduce(0) { $0 + bits($1, of: choice).nonzeroBitCount }
    }

    /// Places of the selected options, in the order of the builder (IN-54).
    func selected(of choice: ChoiceEntry) -> [Int] {
        choice.names.names.indices.filter { isSelected($0, of: choice) }
    }

    /// What a choice reports as it stands (IN-51, IN-53 to IN-56).
    func reportedItems(of choice: ChoiceEntry) -> ReportedItems {
        let words = choice.defaults.count
        return ReportedItems(
            choice.reported, word: words > 0 ? bits(0, of: choice) : 0,
            furtherWords: words > 1 ? (1..<words).map { bits($0, of: choice) } : [])
    }

    /// Taps an option (IN-51 to IN-53); false: the limit of IN-60 stops it.
    mutating func tap(_ option: Int, of choice: ChoiceEntry) -> Bool {
        guard choice.document.isMultiple else {
            select(CollectionOfOne(option), of: choice)
            return true
        }
        let wasSelected = isSelected(option, of: choice)
        if !wasSelected, let max = choice.document.maxSelected,
            selectedCount(of: choice) >= max
        {
            return false
        }
        let word = option / 64
        setBits(word, of: choice, to: bits(word, of: choice) ^ mask(option))
        return true
    }

    /// Selects exactly these options.
    mutating func select(_ options: CollectionOfOne<Int>, of choice: ChoiceEntry) {
        for word in choice.defaults.indices {
            setBits(word, of: choice, to: options[0] / 64 == word ? mask(options[0]) : 0)
        }
    }

    /// Selects exactly these options.
    mutating func select(_ options: [Int], of choice: ChoiceEntry) {
        for word in choice.defaults.indices {
            let here = options.lazy.filter { $0 / 64 == word }
            setBits(word, of: choice, to: here.reduce(0) { $0 | mask($1) })
        }
    }

    private func bits(_ word: Int, of choice: ChoiceEntry) -> UInt64 {
        words[choice.firstSlot + Int32(word)] ?? choice.defaults[word]
    }

    private mutating func setBits(_ word: Int, of choice: ChoiceEntry, to bits: UInt64) {
        words.set(choice.firstSlot + Int32(word), to: bits)
    }

    private func mask(_ option: Int) -> UInt64 {
        1 << UInt64(option % 64)
    }
}
