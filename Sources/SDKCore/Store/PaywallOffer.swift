import FlowEngine

/// What the paywalls of a variation offer, made ready once for all who load it.
final class PaywallOffer: Sendable {
    /// That of a variation without paywalls.
    static let nothing = PaywallOffer([]) { _ in nil }

    let paywalls: [PaywallDocument]
    /// Every product that the paywalls name, in the order of the catalog, whether the store knows
    /// it or not (FC-20).
    let products: [PaywallProduct]
    /// The vendor product ids of these, each once.
    let ids: [String]
    /// What the store gives, unless conditions say otherwise.
    let loaded: LoadedProducts

    init(_ paywalls: [PaywallDocument], products known: (String) -> ProductDocument?) {
        self.paywalls = paywalls
        products = paywalls.flatMap { paywall in
            paywall.products.enumerated().map { index, reference in
                PaywallProduct(
                    product: known(reference.vendorProductID)
                        ?? .unknown(reference.vendorProductID),
                    offerID: reference.offerID, paywallName: paywall.name,
                    paywallVariationID: paywall.variationID, index: index)
            }
        }
        var seen: Set<ExactText> = []
        ids = products.map(\.vendorProductID).filter { seen.insert(ExactText($0)).inserted }
        loaded = Self.loaded(products, ids, without: [])
    }

    /// What the store gives when it does not know these products as well.
    func loaded(without unknown: [String]) -> LoadedProducts {
        unknown.isEmpty ? loaded : Self.loaded(products, ids, without: unknown)
    }

    private static func loaded(
        _ products: [PaywallProduct], _ ids: [String], without unknown: [String]
    ) -> LoadedProducts {
        let given = products.filter { product in
            product.product.isInStore && !unknown.contains(where: product.vendorProductID.isExactly)
        }
        return LoadedProducts(
            products: given, missing: ids.filter { given.first($0) == nil })
    }
}
