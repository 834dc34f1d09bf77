import BridgeProtocol

/// A connection to a broker.
///
/// ```swift
/// let client = try await BridgeClient.connect(clientName: "my app")
/// let events = try await client.subscribe()
/// let flow = try await client.getFlow(placementId: "onboarding")
/// ```
///
/// Any number of calls may wait at a time; answers are matched by id and may come in another
/// order. Events that a call causes are in the streams of `subscribe` before the call returns.
///
/// Isolation: any task or thread. Nothing here blocks one.
/// Cancellation: a cancelled task's call tells the broker to stop and ends with CANCELLED, or with
/// the broker's own answer if that comes within 100 ms (an SDK call ends with `sdk` code 9000).
/// Source: protocol.md sections 1 to 5.
public final class BridgeClient: Sendable {
    /// What the broker said at the start: versions, features, limits.
    public let welcome: WelcomeReply
    /// The socket that it is connected to.
    public var path: String { channel.path }

    let channel: Channel
    let options: ClientOptions

    init(channel: Channel, welcome: WelcomeReply, options: ClientOptions) {
        self.channel = channel
        self.welcome = welcome
        self.options = options
    }

    deinit {
        channel.close()
    }

    /// Ends the connection: waiting calls fail with UNAVAILABLE, streams end. Idempotent.
    public func close() {
        channel.close()
    }

    /// Connects anew to the same socket with the same options.
    ///
    /// Devices live in the broker and are attached to with `openDevice`; subscribe with
    /// `fromSequence` one past the last event that was handled, and none is missed or doubled.
    ///
    /// - Throws: As for `connect`.
    public func reconnected() async throws(BridgeError) -> BridgeClient {
        try await BridgeClient.connect(path: path, options: options)
    }

    /// Sends a request and waits for its result.
    ///
    /// - Parameter deadline: for write, work and answer together; nil: `ClientOptions.deadline`.
    ///   The call returns at the latest 100 ms after it.
    /// - Throws: what the broker answered, DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE when the
    ///   connection is lost, LIMIT_EXCEEDED when the request is too large or the broker does not
    ///   read.
    public func call(
        _ body: ClientFrame.Body, deadline: Duration? = nil
    ) async throws(BridgeError) -> ServerFrame.Body {
        let answer = try await exchange(body, deadline: deadline)
        if case .error(let error) = answer { throw error.bridgeError }
        return answer
    }

    /// Sends a request and returns whatever the broker answered, errors as messages too.
    ///
    /// - Throws: when there is no answer, as for `call`.
    public func exchange(
        _ body: ClientFrame.Body, deadline: Duration? = nil
    ) async throws(BridgeError) -> ServerFrame.Body {
        try await exchange(body, deadline: deadline, queue: nil)
    }

    func exchange(
        _ body: ClientFrame.Body, deadline: Duration?, queue: EventQueue?
    ) async throws(BridgeError) -> ServerFrame.Body {
        let end = try Deadline(deadline ?? options.deadline)
        return try await channel.exchange(body, deadline: end, queue: queue)
    }

    /// Calls and picks the result of the method.
    func reply<Value>(
        _ body: ClientFrame.Body, _ deadline: Duration?, _ pick: (ServerFrame.Body) -> Value?
    ) async throws(BridgeError) -> Value {
        guard let value = pick(try await call(body, deadline: deadline)) else {
            throw BridgeError(
                .internal, "\(path) answered \(body.method.name) with the result of another method")
        }
        return value
    }
}

extension Channel {
    func exchange(
        _ body: ClientFrame.Body, deadline: Deadline, queue: EventQueue?
    ) async throws(BridgeError) -> ServerFrame.Body {
        let id = makeID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(body, id: id, deadline: deadline, queue: queue, continuation)
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try outcome.get()
    }
}
