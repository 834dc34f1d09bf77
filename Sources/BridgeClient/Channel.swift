import BridgeProtocol
import BridgeTransport
import CLinux
import Glibc
import Synchronization

/// One connection: its descriptor, its thread, its waiting calls and its subscriptions.
///
/// One thread waits for the socket, reads, and gives every answer and event to who waits for it.
/// Requests are written by their callers (`RequestQueue`); the thread writes only what the socket
/// did not take. It waits in one `epoll_wait` whose time-out is the nearest deadline.
final class Channel: Sendable {
    private struct State {
        var calls = CallTable()
        var queues: [UInt32: EventQueue] = [:]
        /// Set once, when the connection is over.
        var end: BridgeError?
        /// What the broker said outside of any answer, before it closed.
        var lastWords: BridgeError?
    }

    let path: String
    let requests: RequestQueue
    private let state = Mutex(State())
    private let nextID = Atomic<UInt64>(1)
    private let isClosing = Atomic<Bool>(false)
    /// Wakes the thread. Closed, like the socket, by the thread at its end.
    private let wakeFd: Int32
    private let clock: @Sendable () -> UInt64

    /// Takes over a connected, non-blocking descriptor and starts the thread.
    ///
    /// - Parameter clock: nanoseconds of the host's monotonic clock.
    /// - Throws: UNAVAILABLE when the kernel gives no descriptor or no thread.
    init(
        fd: Int32, path: String, options: ClientOptions,
        clock: @escaping @Sendable () -> UInt64 = { fb_monotonic_ns() }
    ) throws(BridgeError) {
        self.path = path
        self.clock = clock
        requests = RequestQueue(fd: fd, bytesMax: options.queuedRequestBytesMax)
        wakeFd = fb_event_create()
        guard wakeFd >= 0 else {
            fb_close(fd)
            throw Self.refusal(path, "eventfd", wakeFd)
        }
        let result = ChannelThread.start(channel: self, fd: fd, wakeFd: wakeFd)
        guard result == 0 else {
            fb_close(fd)
            fb_close(wakeFd)
            throw Self.refusal(path, "pthread_create", result)
        }
    }

    private static func refusal(_ path: String, _ call: String, _ result: Int32) -> BridgeError {
        let advice = shortageAdvice(result).map { "; " + $0 } ?? ""
        return BridgeError(
            .unavailable, "cannot connect to \(path): \(call): \(errorText(result))\(advice)",
            isRetryable: true)
    }

    // MARK: Calls, from any thread

    /// A new id for a request.
    func makeID() -> UInt64 {
        nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Sends a request; the continuation gets what it comes to, exactly once.
    func start(
        _ body: ClientFrame.Body, id: UInt64, deadline: Deadline, queue: EventQueue?,
        _ continuation: CheckedContinuation<CallOutcome, Never>
    ) {
        let call = PendingCall(
            method: body.method, continuation: continuation, queue: queue,
            dueNs: deadline.dueNs?.addingClamped(ClientOptions.deadlineGraceNs))
        let admission = state.withLock { state -> (end: BridgeError?, isNearest: Bool) in
            if let end = state.end { return (end, false) }
            let nearest = state.calls.nearestDueNs
            state.calls.insert(call, id: id)
            return (nil, state.calls.nearestDueNs < nearest)
        }
        if let end = admission.end {
            continuation.resume(returning: .failure(end))
            return
        }
        var frame = ClientFrame()
        frame.id = id
        frame.deadlineMs = deadline.ms
        frame.body = body
        send(frame, mustWake: admission.isNearest)
    }

    /// Tells the broker to stop a request and gives it a moment to answer for it.
    func cancel(_ id: UInt64) {
        let due = nowNs.addingClamped(ClientOptions.cancelGraceNs)
        guard state.withLock({ $0.calls.cancel(id, dueNs: due) }) else { return }
        sendCancel(id)
        wake()
    }

    /// Unsubscribes without waiting for the answer: nobody reads the events any more.
    func abandon(_ subscription: UInt32) {
        guard let queue = state.withLock({ $0.queues.removeValue(forKey: subscription) }) else {
            return
        }
        queue.finish(.end)
        sendUnsubscribe(subscription)
    }

    /// Ends the stream of a subscription that the broker has ended.
    func endStream(_ subscription: UInt32) {
        state.withLock { $0.queues.removeValue(forKey: subscription) }?.finish(.end)
    }

    /// Ends the connection. Idempotent.
    func close() {
        finish(
            BridgeError(.unavailable, "the connection to \(path) was closed by this client"), .end)
        isClosing.store(true, ordering: .releasing)
        wake()
    }

    /// What the broker said outside of any answer, such as why it lets nobody in.
    var lastWords: BridgeError? { state.withLock { $0.lastWords } }

    private func send(_ frame: ClientFrame, mustWake: Bool) {
        ClientDebug.sent(frame)
        do {
            if try requests.send(frame) || mustWake { wake() }
        } catch {
            let call = state.withLock { $0.calls.take(frame.id) }
            call?.continuation.resume(returning: .failure(error))
        }
    }

    private func sendCancel(_ id: UInt64) {
        var frame = ClientFrame()
        frame.body = .cancel(with(CancelRequest()) { $0.id = id })
        send(frame, mustWake: false)
    }

    private func sendUnsubscribe(_ subscription: UInt32) {
        var frame = ClientFrame()
        frame.body = .unsubscribe(with(UnsubscribeRequest()) { $0.subscriptionId = subscription })
        send(frame, mustWake: false)
    }

    private func wake() {
        requests.whileOpen { _ = fb_event_signal(wakeFd) }
    }

    // MARK: The thread's side

    /// Whether `close` was called.
    var mustStop: Bool { isClosing.load(ordering: .acquiring) }

    /// The host's monotonic clock.
    var nowNs: UInt64 { clock() }

    /// When the thread has to look at the calls again; `UInt64.max`: never.
    var nearestDueNs: UInt64 { state.withLock { $0.calls.nearestDueNs } }

    /// Gives up on the calls that are due and tells the broker so.
    func expireCalls(nowNs: UInt64) {
        for (id, call) in state.withLock({ $0.calls.takeDue(nowNs: nowNs) }) {
            if call.expiry == .deadline { sendCancel(id) }
            call.continuation.resume(returning: .failure(call.expired(path)))
        }
    }

    /// Gives a frame to who waits for it.
    func deliver(_ frame: ServerFrame, bytes: Int) {
        ClientDebug.received(frame)
        switch frame.body {
        case .event(let event):
            state.withLock { $0.queues[event.subscriptionId] }?.push(event, bytes: bytes)
        case .error(let error) where frame.id == 0:
            state.withLock { $0.lastWords = error.bridgeError }
        case let body?:
            answer(frame.id, body)
        case nil:
            fail(frame.id, BridgeError(.internal, "\(path) sent an answer without a result"))
        }
    }

    /// Ends one call with an error of this side.
    func fail(_ id: UInt64, _ error: BridgeError) {
        let call = state.withLock { $0.calls.take(id) }
        call?.continuation.resume(returning: .failure(error))
    }

    private func answer(_ id: UInt64, _ body: ServerFrame.Body) {
        let call = state.withLock { state -> PendingCall? in
            let call = state.calls.take(id)
            if let queue = call?.queue, case .subscribe(let reply) = body {
                state.queues[reply.subscriptionId] = queue
            }
            return call
        }
        if let call {
            call.continuation.resume(returning: .success(body))
        } else if case .subscribe(let reply) = body {
            sendUnsubscribe(reply.subscriptionId)
        }
    }

    /// Ends the connection because it was lost: every waiting call fails with UNAVAILABLE.
    func lose(_ reason: String) {
        let words = lastWords.map { "; the broker said \($0.code.name): \($0.message)" } ?? ""
        let error = BridgeError(
            .unavailable, "the connection to \(path) is lost: \(reason)\(words)", isRetryable: true)
        finish(error, .lost(error))
    }

    private func finish(_ error: BridgeError, _ turn: EventQueue.Turn) {
        let (calls, queues) = state.withLock { state in
            guard state.end == nil else { return ([PendingCall](), [EventQueue]()) }
            state.end = error
            defer { state.queues = [:] }
            return (state.calls.takeAll(), Array(state.queues.values))
        }
        for call in calls { call.continuation.resume(returning: .failure(error)) }
        for queue in queues { queue.finish(turn) }
    }
}
