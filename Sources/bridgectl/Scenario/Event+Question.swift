import BridgeProtocol

extension Event {
    /// What it asks; nil: nothing.
    var question: Question? {
        switch kind {
        case .didFailLoadingProducts(let event): event.question
        case .permissionRequested(let event): event.question
        case .alertShown(let event): event.question
        case .observerPurchaseRequested(let event): event.question
        case .observerRestoreRequested(let event): event.question
        default: nil
        }
    }
}
