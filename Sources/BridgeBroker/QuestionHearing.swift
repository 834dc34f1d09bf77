import BridgeProtocol
import BridgeStore
import SDKCore

/// Who hears questions: `SDKCore` decides by it whether one waits for an answer (ACT-51).
extension Device {
    /// Tells the device of a new subscription.
    func heard(by subscription: Subscription) {
        guard let listener = QuestionListener(subscription) else { return }
        core.questionListeners.insert(listener)
    }

    /// Tells the device that a subscription has ended.
    func subscriptionEnded() {
        core.questionListeners = Set(subscriptions.compactMap { QuestionListener($0) })
    }
}

extension QuestionListener {
    /// The events of the questions that wait only if somebody hears them.
    private static let kinds: [(name: String, kind: QuestionKinds)] = [
        ("did_fail_loading_products", .retry), ("permission_requested", .permission),
        ("observer_purchase_requested", .observerPurchase),
        ("observer_restore_requested", .observerRestore),
    ]

    /// What a subscription hears; nil: no question.
    fileprivate init?(_ subscription: Subscription) {
        let view = subscription.view
        let tag = view.map { EventTag.tag(of: $0) } ?? 0
        var heard: QuestionKinds = []
        for (name, kind) in Self.kinds {
            guard let index = EventKindTable.index(of: name),
                subscription.filter.passes(EventTag(kind: UInt8(index), view: tag))
            else { continue }
            heard.insert(kind)
        }
        if heard.isEmpty { return nil }
        self.init(kinds: heard, view: view)
    }
}
