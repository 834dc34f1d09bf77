import FlowEngine

/// A product as the SDK gives it: what the store says, and where the flow offers it (FC-26).
public struct PaywallProduct: Sendable, Equatable {
    /// What the store says.
    public var product: ProductDocument
    /// Empty: no offer.
    public var offerID: String
    /// The paywall that offers it.
    public var paywallName: String
    /// The variation id of that paywall.
    public var paywallVariationID: String
    /// Its place in that paywall, from 0.
    public var index: Int

    /// Makes a product.
    public init(
        product: ProductDocument, offerID: String = "", paywallName: String = "",
        paywallVariationID: String = "", index: Int = 0
    ) {
        self.product = product
        self.offerID = offerID
        self.paywallName = paywallName
        self.paywallVariationID = paywallVariationID
        self.index = index
    }

    /// Names it in the store.
    public var vendorProductID: String { product.vendorProductID }
}

extension [PaywallProduct] {
    /// The first one with that vendor product id.
    func first(_ vendorProductID: String) -> PaywallProduct? {
        first { $0.vendorProductID.isExactly(vendorProductID) }
    }
}

extension ProductDocument {
    /// A product of which nothing is known but its id.
    static func unknown(_ vendorProductID: String) -> ProductDocument {
        ProductDocument(
            vendorProductID: vendorProductID, title: "", price: "", currencyCode: "",
            localizedPrice: "", accessLevelID: "", isInStore: false)
    }
}
