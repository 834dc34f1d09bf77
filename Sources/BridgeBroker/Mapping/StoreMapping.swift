import BridgeProtocol
import SDKCore

extension BridgeProtocol.PaywallProduct {
    /// FC-26.
    init(_ product: SDKCore.PaywallProduct) {
        self.init()
        vendorProductId = product.vendorProductID
        localizedTitle = product.product.title
        localizedDescription = product.product.summary
        price = product.product.price
        currencyCode = product.product.currencyCode
        localizedPrice = product.product.localizedPrice
        subscriptionPeriod = product.product.subscriptionPeriod
        offerId = product.offerID
        paywallName = product.paywallName
        paywallVariationId = product.paywallVariationID
        paywallProductIndex = UInt32(clamping: product.index)
    }
}

extension BridgeProtocol.PurchaseResult {
    /// ACT-22 to ACT-24.
    init(_ result: SDKCore.PurchaseResult) {
        self.init()
        switch result {
        case .success(let bought, let sold):
            outcome = .success
            profile = BridgeProtocol.Profile(bought)
            transaction = Transaction(sold)
        case .userCancelled: outcome = .userCancelled
        case .pending: outcome = .pending
        }
    }
}

extension Transaction {
    fileprivate init(_ transaction: StoreTransaction) {
        self.init()
        vendorProductId = transaction.vendorProductID
        transactionId = transaction.id
        originalTransactionId = transaction.originalID
        purchasedAtMs = transaction.purchasedAtMs
    }
}

extension BridgeProtocol.Subscription {
    init(_ subscription: SDKCore.Subscription) {
        self.init()
        vendorProductId = subscription.vendorProductID
        vendorTransactionId = subscription.vendorTransactionID
        store = subscription.store
        isActive = subscription.isActive
        willRenew = subscription.willRenew
        activatedAtMs = subscription.activatedAtMs
        expiresAtMs = subscription.expiresAtMs
    }
}

extension BridgeProtocol.NonSubscription {
    init(_ purchase: SDKCore.NonSubscription) {
        self.init()
        purchaseId = purchase.purchaseID
        vendorProductId = purchase.vendorProductID
        vendorTransactionId = purchase.vendorTransactionID
        store = purchase.store
        purchasedAtMs = purchase.purchasedAtMs
        isConsumable = purchase.isConsumable
    }
}

extension SDKCore.StoreCondition {
    /// - Throws: INVALID_ARGUMENT for a number that names no operation or outcome.
    init(_ condition: BridgeProtocol.StoreCondition, _ index: Int) throws(BridgeError) {
        let field = "set_conditions.store[\(index)]"
        self.init(
            operation: try Operation(condition.operation, field),
            productID: condition.productId, outcome: try Outcome(condition.outcome, field),
            errorCode: condition.errorCode, delayMs: condition.delayMs, calls: condition.calls)
    }
}

extension SDKCore.StoreCondition.Operation {
    fileprivate init(
        _ operation: BridgeProtocol.StoreCondition.Operation, _ field: String
    ) throws(BridgeError) {
        switch operation {
        case .purchase: self = .purchase
        case .restore: self = .restore
        case .products: self = .products
        default:
            throw BridgeError(
                .invalidArgument, "operation \(operation.rawValue): 0 to 2",
                field: "\(field).operation")
        }
    }
}

extension SDKCore.StoreCondition.Outcome {
    fileprivate init(
        _ outcome: BridgeProtocol.StoreCondition.Outcome, _ field: String
    ) throws(BridgeError) {
        switch outcome {
        case .success: self = .success
        case .cancelled: self = .cancelled
        case .pending: self = .pending
        case .failure: self = .failure
        default:
            throw BridgeError(
                .invalidArgument, "outcome \(outcome.rawValue): 0 to 3",
                field: "\(field).outcome")
        }
    }
}
