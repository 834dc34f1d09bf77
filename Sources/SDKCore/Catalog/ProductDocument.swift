/// A product that the simulated store sells (FC-26).
public struct ProductDocument: Sendable, Equatable {
    public var vendorProductID: String
    public var title: String
    public var summary: String
    /// Decimal text, never a float.
    public var price: String
    public var currencyCode: String
    public var localizedPrice: String
    /// ISO 8601 duration such as `P1M`; empty when it is no subscription.
    public var subscriptionPeriod: String
    /// Access level that a purchase gives; empty: none.
    public var accessLevelID: String
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
