import BridgeProtocol

/// `log_show_flow` (VW-27).
enum LogShowFlowHandler {
    static func handle(_ request: LogShowFlowRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        try context.start(.logShowFlow(variationID: request.variationId)) { _ in
            .logShowFlow(LogShowFlowReply())
        }
    }
}
