/// A subscription of a profile.
public struct Subscription: Sendable, Equatable, Codable {
    /// The product; a profile has one subscription a product.
    public var vendorProductID: String
    /// The latest transaction.
    public var vendorTransactionID: String
    /// The store it was bought in.
    public var store: String
    /// Whether the user has it now.
    public var isActive: Bool
    /// Whether the store will renew it.
    public var willRenew: Bool
    /// Unix milliseconds of the first purchase.
    public var activatedAtMs: Int64
    /// Unix milliseconds; nil: never.
    public var expiresAtMs: Int64?

    /// Makes a subscription.
    public init(
        vendorProductID: String, vendorTransactionID: String, store: String, isActive: Bool,
        willRenew: Bool, activatedAtMs: Int64, expiresAtMs: Int64?
    ) {
        self.vendorProductID = vendorProductID
        self.vendorTransactionID = vendorTransactionID
        self.store = store
        self.isActive = isActive
        self.willRenew = willRenew
        self.activatedAtMs = activatedAtMs
        self.expiresAtMs = expiresAtMs
    }
}

/// A purchase of a profile that is no subscription: a consumable, or for ever.
public struct NonSubscription: Sendable, Equatable, Codable {
    /// Names the purchase at the backend: an upper-case UUID.
    public var purchaseID: String
    /// The product.
    public var vendorProductID: String
    /// The transaction of the store.
    public var vendorTransactionID: String
    /// The store it was bought in.
    public var store: String
    /// Unix milliseconds.
    public var purchasedAtMs: Int64
    /// Whether it can be bought again and again.
    public var isConsumable: Bool

    /// Makes a purchase.
    public init(
        purchaseID: String, vendorProductID: String, vendorTransactionID: String, store: String,
        purchasedAtMs: Int64, isConsumable: Bool
    ) {
        self.purchaseID = purchaseID
        self.vendorProductID = vendorProductID
        self.vendorTransactionID = vendorTransactionID
        self.store = store
        self.purchasedAtMs = purchasedAtMs
        self.isConsumable = isConsumable
    }
}
