/// What an element shows as its value.
public enum ElementValue: Sendable, Equatable {
    case text(String)
    /// Unix milliseconds.
    case instant(Int64)
    /// Onboardings: the parts that are there.
    case date(day: Int32?, month: Int32?, year: Int32?)
    case bool(Bool)
}

/// An option, product or tab as it is shown.
public struct OptionSnapshot: Sendable, Equatable {
    /// The name that gestures use.
    public var id: String
    /// The text shown, in the chosen locale.
    public var title: String
    /// Whether it is selected, or the tab shown.
    public var isSelected: Bool
    /// Whether a tap on it is possible.
    public var isEnabled: Bool

    /// Makes a snapshot.
    public init(id: String, title: String, isSelected: Bool, isEnabled: Bool) {
        self.id = id
        self.title = title
        self.isSelected = isSelected
        self.isEnabled = isEnabled
    }
}

/// An element as it is shown.
public struct ElementSnapshot: Sendable, Equatable {
    /// The name that gestures use.
    public var id: String
    /// `text_input` … `toggle` as in IN-9 to IN-19, and `password_input`, `button`, `text`,
    /// `product_list`, `tabs`, `unknown`.
    public var kind: String
    /// The text shown, in the chosen locale, with its tags.
    public var title: String = ""
    /// What an empty field shows; no value (IN-26).
    public var placeholder: String = ""
    /// Of fields, pickers and toggles that have one; of texts with a timer its end.
    public var value: ElementValue?
    /// Whether it is the field in focus.
    public var isFocused = false
    /// Whether it is the open picker.
    public var isOpen = false
    /// Whether it takes gestures.
    public var isEnabled = true
    /// Whether it is inside a Header, and so silent (IN-64).
    public var isInHeader = false
    /// Of choices, product lists and tabs.
    public var options: [OptionSnapshot] = []

    /// Makes a snapshot of an element that shows nothing but its name.
    public init(id: String, kind: String) {
        self.id = id
        self.kind = kind
    }
}

/// A live screen of a view.
public struct ScreenSnapshot: Sendable, Equatable {
    /// The navigator that shows it.
    public var navigatorID: String
    /// Id of the screen.
    public var screenID: String
    /// Place in the catalog, from 0 (NAV-4).
    public var order: Int
    /// Whether it is a last screen (NAV-5).
    public var isLast: Bool
    /// Elements of the screen, whatever part of them `elements` holds.
    public var elementsTotal: Int
    /// The elements asked for.
    public var elements: [ElementSnapshot]

    /// Makes a snapshot.
    public init(
        navigatorID: String, screenID: String, order: Int, isLast: Bool, elementsTotal: Int,
        elements: [ElementSnapshot]
    ) {
        self.navigatorID = navigatorID
        self.screenID = screenID
        self.order = order
        self.isLast = isLast
        self.elementsTotal = elementsTotal
        self.elements = elements
    }
}
