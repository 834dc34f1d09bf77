/// A product that the simulated store sells (FC-26).
public struct ProductDocument: Sendable, Equatable, Codable {
    /// Names it in the store and in paywalls.
    public var vendorProductID: String
    /// As the store shows it.
    public var title: String
    /// A sentence of description, or empty.
    public var summary: String
    /// Decimal text, never a float.
    public var price: String
    /// ISO 4217, such as `USD`.
    public var currencyCode: String
    /// The price as the store shows it.
    public var localizedPrice: String
    /// ISO 8601 duration such as `P1M`; empty when it is no subscription.
    public var subscriptionPeriod: String
    /// Access level that a purchase gives; empty: none.
    public var accessLevelID: String
    /// Whether it can be bought again and again.
    public var isConsumable: Bool
    /// False: the store does not know it (FC-20, FC-24).
    public var isInStore: Bool

    /// Makes a product.
    public init(
        vendorProductID: String, title: String, summary: String = "", price: String,
        currencyCode: String, localizedPrice: String, subscriptionPeriod: String = "",
        accessLevelID: String = "premium", isConsumable: Bool = false, isInStore: Bool = true
    ) {
        self.vendorProductID = vendorProductID
        self.title = title
        self.summary = summary
        self.price = price
        self.currencyCode = currencyCode
        self.localizedPrice = localizedPrice
        self.subscriptionPeriod = subscriptionPeriod
        self.accessLevelID = accessLevelID
        self.isConsumable = isConsumable
        self.isInStore = isInStore
    }
}
