import BridgeProtocol

/// `unsubscribe`: ends one subscription of this connection and leaves the others alone.
enum UnsubscribeHandler {
    /// - Throws: NOT_FOUND for an id that this connection does not have, naming those it has.
    static func handle(_ request: UnsubscribeRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let session = context.session
        guard
            let index = session.subscriptions.firstIndex(where: {
                $0.id == request.subscriptionId
            })
        else {
            let ids = session.subscriptions.map { String($0.id) }.joined(separator: ", ")
            throw BridgeError(
                .notFound,
                "no subscription \(request.subscriptionId) on this connection"
                    + (ids.isEmpty ? "" : "; there are \(ids)"),
                field: "unsubscribe.subscription_id")
        }
        context.broker.drop(session.subscriptions.remove(at: index))
        return .now(.unsubscribe(UnsubscribeReply()))
    }
}
