import BridgeProtocol

/// `cancel`: ends a waiting request of this connection at once.
enum CancelHandler {
    /// The cancelled request gets its own answer first: the SDK's 9000 for a call of the SDK
    /// (GEN-10). False when nothing with that id waits any more.
    static func handle(_ request: CancelRequest, _ context: RequestContext) -> Reply {
        let pending = context.session.pending.first { $0.requestID == request.id }
        var reply = CancelReply()
        if let pending { reply.cancelled = context.broker.cancel(pending) }
        return .now(.cancel(reply))
    }
}
