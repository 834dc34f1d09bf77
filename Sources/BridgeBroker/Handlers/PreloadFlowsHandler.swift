import BridgeProtocol
import SDKCore

/// `preload_flows` (PL-59).
enum PreloadFlowsHandler {
    static func handle(_ request: PreloadFlowsRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let call = SDKCall.preloadFlows(
            placementIDs: request.placementIds, loadTimeoutMs: request.loadTimeoutMs)
        return try context.start(call) { answer in
            guard case .done = answer else { return .mismatch(answer) }
            return .preloadFlows(PreloadFlowsReply())
        }
    }
}
