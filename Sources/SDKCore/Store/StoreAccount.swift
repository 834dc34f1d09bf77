import FlowEngine

/// What the user of a device owns in the store, whatever the SDK's profile.
public struct StoreAccount: Sendable, Equatable, Codable {
    /// The latest transaction of each product, in the order of their first purchase; consumables
    /// are not kept, as they cannot be restored.
    public private(set) var owned: [StoreTransaction] = []
    /// In the order of the purchases.
    public private(set) var pending: [PendingPurchase] = []

    /// Makes an account, of the parts of another one that was kept; what is over the limits goes.
    public init(owned: [StoreTransaction] = [], pending: [PendingPurchase] = []) {
        self.owned = owned.suffix(SDKLimits.ownedProductsMax)
        self.pending = pending.suffix(SDKLimits.pendingPurchasesMax)
    }

    /// The transaction of a product that is owned.
    func transaction(of product: String) -> StoreTransaction? {
        owned.first { $0.vendorProductID.isExactly(product) }
    }

    /// Keeps a transaction in place of the former one of its product; the oldest goes.
    mutating func keep(_ transaction: StoreTransaction) {
        if transaction.isConsumable { return }
        let place = owned.firstIndex {
            $0.vendorProductID.isExactly(transaction.vendorProductID)
        }
        if let place {
            owned[place] = transaction
        } else {
            if owned.count == SDKLimits.ownedProductsMax { owned.removeFirst() }
            owned.append(transaction)
        }
    }

    /// Keeps a purchase until it is approved; the oldest goes.
    mutating func keep(_ purchase: PendingPurchase) {
        if pending.count == SDKLimits.pendingPurchasesMax { pending.removeFirst() }
        pending.append(purchase)
    }

    /// Takes the pending purchases of a product; of every one when the id is empty.
    mutating func takePending(of product: String) -> [PendingPurchase] {
        let isMeant = { (purchase: PendingPurchase) in
            product.isEmpty || purchase.product.vendorProductID.isExactly(product)
        }
        defer { pending.removeAll(where: isMeant) }
        return pending.filter(isMeant)
    }
}
