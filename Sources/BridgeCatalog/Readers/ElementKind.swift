/// What an element can be referred to as.
enum ElementKind {
    case field, picker, singleChoice, multiChoice, toggle, button, text, productList, tabs
    case unsupported

    /// Whether the user enters something there that conditions and variables can look at.
    var hasValue: Bool {
        switch self {
        case .field, .picker, .singleChoice, .multiChoice, .toggle: true
        default: false
        }
    }
}
