import BridgeProtocol
import SDKCore

/// `get_paywall_products` (FC-20, FC-21).
enum GetPaywallProductsHandler {
    static func handle(_ request: GetPaywallProductsRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        try context.start(.getPaywallProducts(variationID: request.variationId)) { answer in
            guard case .paywallProducts(let products) = answer else { return .mismatch(answer) }
            return .getPaywallProducts(
                with(GetPaywallProductsReply()) {
                    $0.products = products.map { BridgeProtocol.PaywallProduct($0) }
                })
        }
    }
}
