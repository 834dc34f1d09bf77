import BridgeProtocol

/// `identify` (ID-11 to ID-21).
enum IdentifyHandler {
    static func handle(_ request: IdentifyRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        try context.start(
            .identify(
                customerUserID: request.customerUserId, appAccountToken: request.appAccountToken)
        ) { _ in .identify(IdentifyReply()) }
    }
}
