import BridgeProtocol
import SDKCore

/// `get_flow` (PL).
enum GetFlowHandler {
    static func handle(_ request: GetFlowRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let fetch = FetchRequest(
            placementID: request.placementId, policy: request.fetchPolicy,
            maxAgeMs: request.maxAgeMs, loadTimeoutMs: request.loadTimeoutMs)
        return try context.start(.getFlow(fetch)) { answer in
            guard case .flow(let flow) = answer else { return .mismatch(answer) }
            return .getFlow(with(GetFlowReply()) { $0.flow = BridgeProtocol.Flow(flow) })
        }
    }
}

extension ServerFrame.Body {
    /// The device gave an answer of another call: a fault of the broker, told as one.
    static func mismatch(_ answer: SDKAnswer) -> ServerFrame.Body {
        .error(ErrorReply(BridgeError(.internal, "the answer does not fit the call")))
    }
}
