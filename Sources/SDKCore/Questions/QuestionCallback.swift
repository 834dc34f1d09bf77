import FlowEngine

/// A question to the app or the finger, and its end.
public enum QuestionCallback: Sendable, Equatable {
    /// `didFailLoadingProductsWith` (ACT-40).
    case didFailLoadingProducts(AdaptyError, Question)
    case permission(String, arguments: [String: String], Question)
    case alert(ShownAlert, Question)
    case observerPurchase(PaywallProduct, Question)
    case observerRestore(Question)
    /// A bridge event: the question has its answer, given or by default.
    case settled(ViewID, answer: String, isDefault: Bool)
}
