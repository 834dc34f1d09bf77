/// How a purchase ended, unless it failed (ACT-22 to ACT-24).
public enum PurchaseResult: Sendable, Equatable {
    case success(Profile, StoreTransaction)
    case userCancelled
    case pending
}

/// A callback of the flow delegate about products, purchases and restores (GEN-12).
public enum StoreCallback: Sendable, Equatable {
    case didSelectProduct(PaywallProduct)
    case didStartPurchase(PaywallProduct)
    case didFinishPurchase(PaywallProduct, PurchaseResult)
    case didFailPurchase(PaywallProduct, AdaptyError)
    case didStartRestore
    case didFinishRestore(Profile)
    case didFailRestore(AdaptyError)
    /// `didFinishWebPaymentNavigation`; no error: the page was opened (ACT-33).
    case didFinishWebPayment(PaywallProduct, AdaptyError?)
    /// Vendor product ids (FC-24).
    case didPartiallyLoadProducts(missing: [String])
}
