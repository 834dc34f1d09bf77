extension Event {
    /// What an event is about, by its own name: of an analytic event, of an action, of a product;
    /// empty: it has none.
    public var matchName: String {
        switch kind {
        case .didReceiveAnalyticEvent(let event): event.name
        case .onAnalyticsEvent(let event): event.name
        case .didPerformAction(let action):
            action.kind == .custom ? action.customId : action.kind == .close ? "close" : "open_url"
        case .onCustomAction(let action): action.actionId
        case .onCloseAction(let action): action.actionId
        case .onPaywallAction(let action): action.actionId
        case .didSelectProduct(let event): event.product?.vendorProductId ?? ""
        case .didStartPurchase(let event): event.product?.vendorProductId ?? ""
        case .didFinishPurchase(let event): event.product?.vendorProductId ?? ""
        case .didFailPurchase(let event): event.product?.vendorProductId ?? ""
        default: ""
        }
    }

    /// The element that an event is about; empty: none.
    public var matchElement: String {
        switch kind {
        case .didReceiveAnalyticEvent(let event):
            event.params.first { $0.key == "element_id" }.flatMap { param in
                if case .string(let text) = param.value.kind { text } else { nil }
            } ?? ""
        case .onStateUpdatedAction(let action): action.elementId
        case .onAnalyticsEvent(let event): event.elementId ?? ""
        default: ""
        }
    }
}

extension ClientFrame.Body {
    /// The element that a gesture is for; empty: none.
    public var matchElement: String {
        guard case .perform(let request) = self else { return "" }
        switch request.gesture {
        case .focus(let gesture): return gesture.elementId
        case .enterText(let gesture): return gesture.elementId
        case .clearText(let gesture): return gesture.elementId
        case .openPicker(let gesture): return gesture.elementId
        case .tapOption(let gesture): return gesture.elementId
        case .tapToggle(let gesture): return gesture.elementId
        case .tapButton(let gesture): return gesture.elementId
        case .tapLink(let gesture): return gesture.elementId
        case .selectProduct(let gesture): return gesture.elementId
        case .switchTab(let gesture): return gesture.elementId
        default: return ""
        }
    }
}
