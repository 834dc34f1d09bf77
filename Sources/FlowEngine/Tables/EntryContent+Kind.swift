extension EntryContent {
    /// The `element_type` of its events; nil: no such element reports (IN-61 to IN-63).
    var reportedType: InputElementType? {
        switch self {
        case .field(let field): field.reportedType
        case .picker(let picker): picker.reportedType
        case .choice(let choice): choice.document.isMultiple ? .multiChoice : .singleChoice
        case .toggle: .toggle
        case .button, .text, .productList, .tabs, .unknown: nil
        }
    }

    /// The kind as snapshots and refusals tell it.
    var kindName: String {
        switch self {
        case .field(let field): field.reportedType?.rawValue ?? "password_input"
        case .picker(let picker): picker.reportedType.rawValue
        case .choice(let choice): choice.document.isMultiple ? "multi_choice" : "single_choice"
        case .toggle: "toggle"
        case .button: "button"
        case .text: "text"
        case .productList: "product_list"
        case .tabs: "tabs"
        case .unknown: "unknown"
        }
    }
}
