extension EntryContent {
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
