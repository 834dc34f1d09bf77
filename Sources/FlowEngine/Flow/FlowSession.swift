/// One native flow on screen, or ready to be.
public struct FlowSession: ViewRuntime {
    let document: FlowDocument
    let options: FlowSessionOptions
    var isShown = false

    /// Makes a session that is not on screen yet.
    public init(document: FlowDocument, options: FlowSessionOptions) {
        self.document = document
        self.options = options
    }

    public mutating func handle(
        _ input: ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        switch input {
        case .appear:
            isShown = true
            guard let first = document.content.screens.first else { return }
            effects.append(.analytic(.screenShowed(instanceID: first.id, order: 0, isLast: false)))
        case .disappear: isShown = false
        default: break
        }
    }

    public var nextDue: Instant? { nil }

    public func snapshot(elements range: Range<Int>) -> [ScreenSnapshot] { [] }

    public var shownLocale: LocaleDocument { document.content.locales[options.locale] }
}
