import BridgeProtocol
import BridgeStore
import SDKCore

/// `subscribe`: events of a device from now on, or from a sequence of its record.
enum SubscribeHandler {
    /// - Throws: NOT_FOUND for an unknown device or view, INVALID_ARGUMENT for an unknown kind,
    ///   LIMIT_EXCEEDED for one subscription too many.
    static func handle(_ request: SubscribeRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let broker = context.broker
        let session = context.session
        let device = try context.deviceOpenOrClosed(named: request.device)
        let view = try device.viewFilter(request.view, field: "subscribe.view")
        let filter = try EventFilter(
            kindNames: request.kinds, view: view, field: "subscribe.kinds")
        let content = try ContentFilter(request.matches, field: "subscribe.matches")
        guard session.subscriptions.count < Int(broker.limits.subscriptionsMax) else {
            throw BridgeError(
                .limitExceeded,
                "subscriptionsMax: \(broker.limits.subscriptionsMax) subscriptions of this connection; "
                    + "unsubscribe some")
        }
        let next = broker.events.lastSequence(of: device) + 1
        let subscription = Subscription(
            id: session.nextSubscriptionID, session: session, device: device, filter: filter,
            view: view, content: content, replayFrom: request.fromSequence.map { max($0, 1) })
        session.nextSubscriptionID += 1
        session.subscriptions.append(subscription)
        device.subscriptions.append(subscription)
        device.heard(by: subscription)
        if subscription.replayFrom != nil { broker.replaying.append(subscription) }
        return .now(
            .subscribe(
                with(SubscribeReply()) {
                    $0.subscriptionId = subscription.id
                    $0.nextSequence = next
                }))
    }
}

extension Device {
    /// The view of a filter; nil for an empty text.
    ///
    /// - Throws: NOT_FOUND for a view that this device does not have, naming those it has.
    func viewFilter(_ text: String, field: String) throws(BridgeError) -> ViewID? {
        if text.isEmpty { return nil }
        let views = core.views
        if let id = ViewID(text), views.contains(where: { $0.id == id }) { return id }
        let some = views.prefix(10).map { $0.id.description }.joined(separator: ", ")
        throw BridgeError(
            .notFound,
            "no view \"\(text)\" on device \(name)" + (some.isEmpty ? "" : "; there are \(some)")
                + "; to wait for one that does not exist yet, subscribe to the device",
            field: field)
    }
}
