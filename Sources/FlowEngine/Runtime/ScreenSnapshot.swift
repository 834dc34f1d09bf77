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
    public var title: String
    public var isSelected: Bool
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
    public var title: String = ""
    public var placeholder: String = ""
    public var value: ElementValue?
    public var isFocused = false
    public var isOpen = false
    public var isEnabled = true
    public var isInHeader = false
    public var options: [OptionSnapshot] = []

    /// Makes a snapshot of an element that shows nothing but its name.
    public init(id: String, kind: String) {
        self.id = id
        self.kind = kind
    }
}

/// A live screen of a view.
public struct ScreenSnapshot: Sendable, Equatable {
    public var navigatorID: String
    public var screenID: String
    public var order: Int
    public var isLast: Bool
    /// Elements of the screen, whatever part of them `elements` holds.
    public var elementsTotal: Int
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
