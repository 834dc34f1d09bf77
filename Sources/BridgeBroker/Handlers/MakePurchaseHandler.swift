import BridgeProtocol
import SDKCore

/// `make_purchase` (ACT-32, ACT-49).
enum MakePurchaseHandler {
    static func handle(_ request: MakePurchaseRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let call = SDKCall.makePurchase(
            variationID: request.variationId, vendorProductID: request.vendorProductId)
        return try context.start(call) { answer in
            guard case .purchase(let result) = answer else { return .mismatch(answer) }
            return .makePurchase(
                with(MakePurchaseReply()) { $0.result = BridgeProtocol.PurchaseResult(result) })
        }
    }
}
