/// A purchase as the store keeps it (ACT-22).
public struct StoreTransaction: Sendable, Equatable, Codable {
    /// What was bought.
    public var vendorProductID: String
    /// Decimal text, drawn from the device's seed (GEN-3).
    public var id: String
    /// That of the first purchase of a subscription; else the same as `id`.
    public var originalID: String
    /// Unix milliseconds.
    public var purchasedAtMs: Int64
    /// The id of the purchase at the backend: an upper-case UUID.
    public var purchaseID: String
    /// The access level that it gives; empty: none.
    public var accessLevelID: String
    /// Whether it can be bought again and again.
    public var isConsumable: Bool
    /// Unix milliseconds; nil: no subscription.
    public var expiresAtMs: Int64?

    /// Makes a transaction.
    public init(
        vendorProductID: String, id: String, originalID: String, purchasedAtMs: Int64,
        purchaseID: String, accessLevelID: String, isConsumable: Bool, expiresAtMs: Int64?
    ) {
        self.vendorProductID = vendorProductID
        self.id = id
        self.originalID = originalID
        self.purchasedAtMs = purchasedAtMs
        self.purchaseID = purchaseID
        self.accessLevelID = accessLevelID
        self.isConsumable = isConsumable
        self.expiresAtMs = expiresAtMs
    }

    var isSubscription: Bool { expiresAtMs != nil }
}

/// A purchase that the store has not approved yet (ACT-24).
public struct PendingPurchase: Sendable, Equatable, Codable {
    /// What is bought.
    public var product: ProductDocument
    /// The profile that was active when it began (ACT-34).
    public var profileID: String

    /// Makes a pending purchase.
    public init(product: ProductDocument, profileID: String) {
        self.product = product
        self.profileID = profileID
    }
}
