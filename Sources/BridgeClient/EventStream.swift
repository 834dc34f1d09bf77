import BridgeProtocol

/// The events of one subscription, in the order of the broker's record.
///
/// ```swift
/// for try await event in try await client.subscribe() { … }
/// ```
///
/// Bounds: `ClientOptions.bufferedEventsMax` events and `bufferedEventBytesMax` bytes wait for a
/// slow consumer; what comes beyond is left out and one `lagged` event with the missing sequences
/// stands in its place. Get them with `getEvents`, or subscribe again from there.
/// Ends: after `unsubscribe` or `close()` with nil, after a lost connection with UNAVAILABLE, in
/// both cases once the events that had come were handed out. A cancelled task gets nil; the
/// stream itself goes on.
/// Isolation: any task. Several iterators share one buffer: each event goes to one of them.
///
/// Letting go of the last copy of a stream unsubscribes; a stream keeps its connection open.
public struct EventStream: AsyncSequence, Sendable {
    /// What it hands out.
    public typealias Element = Event
    /// What it throws.
    public typealias Failure = BridgeError

    /// The broker's number of it on this connection.
    public var subscriptionId: UInt32 { subscription.id }
    /// The next sequence of the device when the subscription began.
    public let nextSequence: UInt64

    private let subscription: ClientSubscription

    init(_ subscription: ClientSubscription, nextSequence: UInt64) {
        self.subscription = subscription
        self.nextSequence = nextSequence
    }

    /// Begins to hand out, from what is buffered on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription)
    }

    /// Takes the events that are there, without waiting for more.
    ///
    /// After a call has returned these include every event that the call caused.
    public func buffered() -> [Event] {
        var events: [Event] = []
        while case .event(let event) = subscription.queue.poll() { events.append(event) }
        return events
    }

    /// Hands out events one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: ClientSubscription

        /// The next event; nil when there will be none or the task is cancelled.
        ///
        /// - Throws: UNAVAILABLE when the connection is lost.
        public func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BridgeError) -> Event? {
            try await subscription.next(isolation: actor)
        }

        /// The next event, on any executor.
        public func next() async throws(BridgeError) -> Event? {
            try await subscription.next(isolation: nil)
        }
    }
}

/// What the copies of a stream share. Its end unsubscribes.
final class ClientSubscription: Sendable {
    let id: UInt32
    let queue: EventQueue
    private let client: BridgeClient

    init(id: UInt32, queue: EventQueue, client: BridgeClient) {
        self.id = id
        self.queue = queue
        self.client = client
    }

    deinit {
        client.channel.abandon(id)
    }

    func next(isolation actor: isolated (any Actor)?) async throws(BridgeError) -> Event? {
        let turn: EventQueue.Turn
        if let ready = queue.poll() {
            turn = ready
        } else {
            turn = await wait(isolation: actor)
        }
        switch turn {
        case .event(let event): return event
        case .end, .cancelled: return nil
        case .lost(let error): throw error
        }
    }

    private func wait(isolation actor: isolated (any Actor)?) async -> EventQueue.Turn {
        let ticket = queue.makeTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                queue.wait(ticket, continuation)
                if Task.isCancelled { queue.cancel(ticket) }
            }
        } onCancel: {
            queue.cancel(ticket)
        }
    }
}
