/// What an element can be referred to as.
enum ElementKind {
    case field, picker, singleChoice, multiChoice, toggle, button, text, productList, tabs
    case unsupported

    /// Whether conditions can look at a value of it.
    var hasValue: Bool {
        switch self {
        case .field, .picker, .singleChoice, .multiChoice, .toggle, .productList, .tabs: true
        case .button, .text, .unsupported: false
        }
    }

    /// Whether it has a Group ID instead of an Element ID (IN-5).
    var isGroup: Bool {
        switch self {
        case .singleChoice, .multiChoice, .toggle: true
        default: false
        }
    }
}

/// An element as conditions and actions see it.
struct NamedElement {
    let kind: ElementKind
    /// Element IDs of its options, when it is a choice.
    let optionIDs: [String]
}
