/// Kinds of input fields.
public enum FieldKind: Sendable, Hashable {
    case text, email, number, phone, password
}

/// A field that the user types into (IN-9 to IN-12, IN-61).
public struct FieldDocument: Sendable, Equatable {
    /// What it takes; decides the `element_type` (IN-9 to IN-12).
    public var kind: FieldKind
    /// What it shows while it is empty; no value (IN-26).
    public var placeholder: LocalizedText?
    /// The text it is pre-filled with (IN-29).
    public var initialText: String
    /// Whether its text may have line ends (IN-32).
    public var isMultiline: Bool
    /// Characters (grapheme clusters) that typed text is cut after (IN-30).
    public var maxLength: Int?
    /// A pattern that the whole text has to match (IN-30).
    public var regex: String?

    /// Makes a field.
    public init(
        kind: FieldKind, placeholder: LocalizedText? = nil, initialText: String = "",
        isMultiline: Bool = false, maxLength: Int? = nil, regex: String? = nil
    ) {
        self.kind = kind
        self.placeholder = placeholder
        self.initialText = initialText
        self.isMultiline = isMultiline
        self.maxLength = maxLength
        self.regex = regex
    }
}

/// Kinds of pickers.
public enum PickerKind: Sendable, Hashable {
    case date, time, dateTime
}

/// A bound or a preset of a picker, in local terms (IN-93).
public struct PickerMoment: Sendable, Hashable {
    /// The day; nil: none is set.
    public var date: CivilDate?
    /// The time of day; nil: none is set.
    public var time: CivilTime?

    /// Makes a moment; a date picker uses the date, a time picker the time.
    public init(date: CivilDate? = nil, time: CivilTime? = nil) {
        self.date = date
        self.time = time
    }
}

/// A date, time, or date-and-time picker (IN-13 to IN-16).
public struct PickerDocument: Sendable, Equatable {
    /// Whether days, times, or both are picked.
    public var kind: PickerKind
    /// The value it has when the view appears; nil: none (IN-36).
    public var initial: PickerMoment?
    /// The earliest pick; nil: no bound (IN-39).
    public var minimum: PickerMoment?
    /// The latest pick; nil: no bound (IN-39).
    public var maximum: PickerMoment?

    /// Makes a picker.
    public init(
        kind: PickerKind, initial: PickerMoment? = nil, minimum: PickerMoment? = nil,
        maximum: PickerMoment? = nil
    ) {
        self.kind = kind
        self.initial = initial
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// An option of a choice.
public struct OptionDocument: Sendable, Equatable {
    /// Element ID; nil or blank: missing (IN-65, IN-66).
    public var elementID: String?
    /// Element Title (IN-57).
    public var elementTitle: String?
    /// The text shown.
    public var text: LocalizedText
    /// Set as default (IN-73).
    public var isDefault: Bool
    /// Whether it can be tapped (IN-60).
    public var isEnabled: Bool
    /// Onboardings: the `value` of a select (OB-23); the Element ID when nil.
    public var value: String?
    /// Onboardings: a select that leads away by itself.
    public var actions: [ActionDocument]

    /// Makes an option.
    public init(
        elementID: String?, elementTitle: String? = nil, text: LocalizedText,
        isDefault: Bool = false, isEnabled: Bool = true, value: String? = nil,
        actions: [ActionDocument] = []
    ) {
        self.elementID = elementID
        self.elementTitle = elementTitle
        self.text = text
        self.isDefault = isDefault
        self.isEnabled = isEnabled
        self.value = value
        self.actions = actions
    }
}

/// A group of selectable options (IN-17, IN-18).
public struct ChoiceDocument: Sendable, Equatable {
    /// Whether several may be selected (IN-18).
    public var isMultiple: Bool
    /// The options, in the order of the builder.
    public var options: [OptionDocument]
    /// Multi choice: how many may be selected (IN-60).
    public var maxSelected: Int?

    /// Makes a choice.
    public init(isMultiple: Bool, options: [OptionDocument], maxSelected: Int? = nil) {
        self.isMultiple = isMultiple
        self.options = options
        self.maxSelected = maxSelected
    }
}

/// A button.
public struct ButtonDocument: Sendable, Equatable {
    /// What a tap does, in order (ACT-7).
    public var actions: [ActionDocument]
    /// Onboardings: the Action ID given to the callbacks (OB-15 to OB-18, OB-59).
    public var actionID: String
    /// Onboardings: the `reply` of screenCompleted (OB-39).
    public var reply: String?

    /// Makes a button.
    public init(actions: [ActionDocument], actionID: String = "", reply: String? = nil) {
        self.actions = actions
        self.actionID = actionID
        self.reply = reply
    }
}

/// A text, with the tags and links in it.
public struct TextDocument: Sendable, Equatable {
    /// Tags that `{{name}}` in the text stands for, with their initial values (FC-10 to FC-13).
    public var tags: [String: String]
    /// URLs of its links, in order (ACT-5).
    public var links: [String]
    /// The timer whose remaining time it shows.
    public var timerID: String?

    /// Makes a text.
    public init(tags: [String: String] = [:], links: [String] = [], timerID: String? = nil) {
        self.tags = tags
        self.links = links
        self.timerID = timerID
    }
}

/// A list of products to select from (IN-62, ACT-20).
public struct ProductListDocument: Sendable, Equatable {
    /// The products offered, in the order of the catalog.
    public var vendorProductIDs: [String]
    /// The product preselected by the catalog.
    public var preselected: String?

    /// Makes a list of products.
    public init(vendorProductIDs: [String], preselected: String? = nil) {
        self.vendorProductIDs = vendorProductIDs
        self.preselected = preselected
    }
}

/// A tab of a tab bar within a screen (NAV-12).
public struct TabDocument: Sendable, Equatable {
    /// What gestures call it.
    public var id: String
    /// The text shown.
    public var text: LocalizedText

    /// Makes a tab.
    public init(id: String, text: LocalizedText) {
        self.id = id
        self.text = text
    }
}

/// What an element is.
public enum ElementContent: Sendable, Equatable {
    case field(FieldDocument)
    case picker(PickerDocument)
    case choice(ChoiceDocument)
    /// A toggle; true when it is on by default.
    case toggle(isOn: Bool)
    case button(ButtonDocument)
    case text(TextDocument)
    case productList(ProductListDocument)
    case tabs([TabDocument])
    /// A kind that this document version does not know (4103).
    case unknown(String)
}

/// One element of a screen.
public struct ElementDocument: Sendable, Equatable {
    /// Element ID of an input or button, Group ID of a choice or toggle; nil or blank: missing.
    public var id: String?
    /// The text shown beside or on it.
    public var text: LocalizedText?
    /// Whether it takes gestures (GEN-6).
    public var isEnabled: Bool
    /// Inside a Header element, which several screens share (IN-64).
    public var isInHeader: Bool
    /// What it is.
    public var content: ElementContent

    /// Makes an element.
    public init(
        id: String?, text: LocalizedText? = nil, isEnabled: Bool = true, isInHeader: Bool = false,
        content: ElementContent
    ) {
        self.id = id
        self.text = text
        self.isEnabled = isEnabled
        self.isInHeader = isInHeader
        self.content = content
    }
}
