import BridgeProtocol
import SDKCore

/// `get_flow_for_default_audience` (PL-57, PL-58).
enum GetFlowForDefaultAudienceHandler {
    static func handle(_ request: GetFlowForDefaultAudienceRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let fetch = FetchRequest(
            placementID: request.placementId, policy: request.fetchPolicy,
            maxAgeMs: request.maxAgeMs)
        return try context.start(.getFlowForDefaultAudience(fetch)) { answer in
            guard case .flow(let flow) = answer else { return .mismatch(answer) }
            return .getFlowForDefaultAudience(
                with(GetFlowForDefaultAudienceReply()) { $0.flow = BridgeProtocol.Flow(flow) })
        }
    }
}
