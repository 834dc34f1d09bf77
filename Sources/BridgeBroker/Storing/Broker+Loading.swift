import BridgeProtocol
import BridgeStore

/// Events that are not in memory any more.
extension Broker {
    /// Has events fetched and answers the request with what `reply` makes of them.
    ///
    /// - Throws: LIMIT_EXCEEDED when too many requests of the connection wait.
    func load(
        _ request: EventPageRequest, in context: RequestContext,
        reply: @escaping (EventPage) throws(BridgeError) -> ServerFrame.Body
    ) throws(BridgeError) -> Reply {
        try requireRoom(in: context.session)
        let pending = PendingWork(context)
        context.session.wait(for: pending)
        store.events.load(request) { [unowned self] result in
            guard isWaiting(pending) else { return }
            finish(pending) { () throws(BridgeError) in
                switch result {
                case .success(let page): return try reply(page)
                case .failure(let fault): throw BridgeError(.unavailable, fault.message)
                }
            }
        }
        if context.deadlineMs != 0, isWaiting(pending) { arm(pending, context.deadlineMs) }
        return .later
    }

    /// One page of a replay, in events.
    private static let replayEventsMax = 1_000

    /// Has the next page of a replay fetched, and goes on with it when it comes.
    func load(_ subscription: Subscription, from sequence: UInt64) {
        subscription.isLoading = true
        let request = EventPageRequest(
            log: subscription.device.log, sequence: sequence, filter: subscription.filter,
            eventsMax: Self.replayEventsMax, bytesMax: Self.replayRoomBytes)
        store.events.load(request) { [unowned self] result in
            subscription.isLoading = false
            guard !subscription.isDropped else { return }
            switch result {
            case .success(let page): send(page, to: subscription)
            case .failure(let fault): skip(to: subscription, from: sequence, fault)
            }
        }
    }

    private func send(_ page: EventPage, to subscription: Subscription) {
        subscription.replayFrom = page.read { stored in
            sendKept(events.lend(stored), to: subscription)
            return .more
        }
    }

    /// What cannot be read is said, and the replay goes on behind it.
    private func skip(
        to subscription: Subscription, from sequence: UInt64, _ fault: StoreFault
    ) {
        let next = store.events.residentSequence(of: subscription.device.log)
        tellLagged(subscription, sequence...(max(next, sequence + 1) - 1), reason: fault.message)
        subscription.replayFrom = max(next, sequence + 1)
    }
}
