import BridgeProtocol
import FlowEngine

extension Gesture {
    /// The gesture of a request; nil for the one that is not the engine's: `dismiss_by_system`.
    init?(_ gesture: consuming PerformRequest.Gesture) {
        switch consume gesture {
        case .focus(let it): self = .focus(it.elementId)
        case .enterText(let it): self = .enterText(Self.named(it.elementId), text: it.text)
        case .clearText(let it): self = .clearText(Self.named(it.elementId))
        case .blur: self = .blur
        case .openPicker(let it): self = .openPicker(it.elementId)
        case .pick(let it): self = .pick(it.date.map { .init($0) }, it.time.map { .init($0) })
        case .closePicker: self = .closePicker
        case .tapOption(let it): self = .tapOption(it.elementId, option: it.optionId)
        case .tapToggle(let it): self = .tapToggle(it.elementId)
        case .tapButton(let it): self = .tapButton(it.elementId)
        case .tapLink(let it): self = .tapLink(it.elementId, index: Int(it.linkIndex))
        case .selectProduct(let it):
            self = .selectProduct(it.elementId, product: it.vendorProductId)
        case .switchTab(let it): self = .switchTab(it.elementId, tab: it.tabId)
        case .goBack: self = .goBack
        case .tapOutside: self = .tapOutside
        case .dismissBySystem: return nil
        }
    }

    private static func named(_ elementID: String) -> String? {
        elementID.isEmpty ? nil : elementID
    }
}

extension FlowEngine.CivilDate {
    init(_ date: BridgeProtocol.CivilDate) {
        self.init(year: date.year, month: date.month, day: date.day)
    }
}

extension FlowEngine.CivilTime {
    init(_ time: BridgeProtocol.CivilTime) {
        self.init(
            hour: time.hour, minute: time.minute, second: time.second,
            millisecond: time.millisecond)
    }
}
