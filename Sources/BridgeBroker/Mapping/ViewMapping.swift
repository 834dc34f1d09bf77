import BridgeProtocol
import FlowEngine
import SDKCore

extension SDKCore.ActionHandling {
    /// - Throws: INVALID_ARGUMENT for a number that names no mode.
    init(_ mode: BridgeProtocol.ActionHandling.Mode) throws(BridgeError) {
        switch mode {
        case .automatic: self = .automatic
        case .sdk: self = .sdk
        case .app: self = .app
        default:
            throw BridgeError(
                .invalidArgument, "action_handling \(mode.rawValue): 0 to 2",
                field: "action_handling")
        }
    }
}

extension ViewInfo {
    init(_ view: ViewSummary) {
        self.init()
        viewId = view.id.description
        kind = view.kind == .flow ? .flow : .onboarding
        state = State(view.state)
        placementId = view.placementID
        variationId = view.variationID
        screenId = view.screenID
        locale = view.locale
    }
}

extension ViewInfo.State {
    init(_ state: ViewState) {
        switch state {
        case .created: self = .created
        case .onTop: self = .onTop
        case .covered: self = .covered
        case .dismissed: self = .dismissed
        }
    }
}

extension Screen {
    init(_ screen: ScreenSnapshot) {
        self.init()
        navigatorId = screen.navigatorID
        screenId = screen.screenID
        screenOrder = Int32(clamping: screen.order)
        isLastScreen = screen.isLast
        elements = screen.elements.map { ScreenElement($0) }
    }
}

extension ScreenElement {
    init(_ element: ElementSnapshot) {
        self.init()
        elementId = element.id
        kind = element.kind
        title = element.title
        placeholder = element.placeholder
        value = element.value.map { Value($0) }
        focused = element.isFocused
        open = element.isOpen
        enabled = element.isEnabled
        inHeader = element.isInHeader
        options = element.options.map { option in
            with(ScreenOption()) {
                $0.optionId = option.id
                $0.title = option.title
                $0.selected = option.isSelected
                $0.enabled = option.isEnabled
            }
        }
    }
}

extension Value {
    init(_ value: ElementValue) {
        self.init()
        switch value {
        case .text(let text): kind = .string(text)
        case .instant(let ms): kind = .int64(ms)
        case .bool(let flag): kind = .bool(flag)
        case .date(let day, let month, let year):
            kind = .string(Self.datePartsText(day: day, month: month, year: year))
        }
    }

    /// `YYYY-MM-DD`, with `-` for each digit of a part that was not given.
    private static func datePartsText(day: Int32?, month: Int32?, year: Int32?) -> String {
        func part(_ value: Int32?, _ width: Int) -> String {
            guard let value else { return String(repeating: "-", count: width) }
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(part(year, 4))-\(part(month, 2))-\(part(day, 2))"
    }
}
