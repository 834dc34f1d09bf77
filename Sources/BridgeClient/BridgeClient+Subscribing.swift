import BridgeProtocol

extension BridgeClient {
    /// Begins to receive the events of a device.
    ///
    /// - Parameters:
    ///   - device: empty: the device of this connection.
    ///   - kinds: member names of `Event.kind` such as `flow_did_appear`; none: all.
    ///   - view: a view's id; empty: every view.
    ///   - fromSequence: replays the record from there and goes on live, with no gap and no
    ///     double; what the record no longer holds is told by a `lagged` event.
    /// - Throws: INVALID_ARGUMENT for an unknown kind, NOT_FOUND for an unknown device or view,
    ///   else as for `call`.
    public func subscribe(
        device: String = "", kinds: [String] = [], view: String = "",
        fromSequence: UInt64? = nil, deadline: Duration? = nil
    ) async throws(BridgeError) -> EventStream {
        let request = with(SubscribeRequest()) {
            $0.device = device
            $0.kinds = kinds
            $0.view = view
            $0.fromSequence = fromSequence
        }
        return try await subscribe(request, deadline: deadline)
    }

    /// Begins to receive the events of a device.
    public func subscribe(
        _ request: SubscribeRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> EventStream {
        let queue = EventQueue(
            eventsMax: options.bufferedEventsMax, bytesMax: options.bufferedEventBytesMax)
        switch try await exchange(.subscribe(request), deadline: deadline, queue: queue) {
        case .subscribe(let reply):
            let subscription = ClientSubscription(
                id: reply.subscriptionId, queue: queue, client: self)
            return EventStream(subscription, nextSequence: reply.nextSequence)
        case .error(let error):
            throw error.bridgeError
        default:
            throw BridgeError(
                .internal, "\(path) answered subscribe with the result of another method")
        }
    }

    /// Ends a subscription. Its stream hands out what had come, then ends.
    public func unsubscribe(
        _ stream: EventStream, deadline: Duration? = nil
    ) async throws(BridgeError) {
        let request = with(UnsubscribeRequest()) { $0.subscriptionId = stream.subscriptionId }
        _ = try await call(.unsubscribe(request), deadline: deadline)
        channel.endStream(stream.subscriptionId)
    }

    /// Gets a page of the record of a device: up to `pageSize` events from a sequence on, 0 for
    /// the oldest kept and for the broker's page size.
    public func getEvents(
        device: String = "", fromSequence: UInt64 = 0, pageSize: UInt32 = 0,
        deadline: Duration? = nil
    ) async throws(BridgeError) -> GetEventsReply {
        let request = with(GetEventsRequest()) {
            $0.device = device
            $0.fromSequence = fromSequence
            $0.pageSize = pageSize
        }
        return try await getEvents(request, deadline: deadline)
    }
}
