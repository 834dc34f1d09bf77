import BridgeProtocol
import BridgeTransport

/// Requests that wait for slow work.
extension Broker {
    /// Has slow work done beside the loop and answers the request with what `reply` makes of it.
    ///
    /// Requests behind it are served meanwhile. `reply` runs on the loop, and not at all when the
    /// request was cancelled, met its deadline or lost its connection: then nothing has changed.
    /// - Throws: LIMIT_EXCEEDED when too many requests or too much work waits; UNAVAILABLE when
    ///   the system gives no thread.
    func start<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, in context: RequestContext,
        reply: @escaping (Value) throws(BridgeError) -> ServerFrame.Body
    ) throws(BridgeError) {
        try requireRoom(in: context.session)
        let pending = PendingWork(context)
        context.session.wait(for: pending)
        do {
            pending.token = try worker.run(work) { [unowned self] value in
                finish(pending) { () throws(BridgeError) in try reply(value) }
            }
        } catch {
            forget(pending)
            throw error
        }
        if context.deadlineMs != 0, isWaiting(pending) { arm(pending, context.deadlineMs) }
    }

    /// Takes a waiting request out of the books; its work is let go.
    func forget(_ pending: PendingWork) {
        pending.session.pending.removeAll { $0 === pending }
        if let token = pending.token { worker.withdraw(token) }
        if let deadline = pending.deadline { timers.cancel(deadline) }
    }

    /// Ends a waiting request with CANCELLED (GEN-10). False when it had ended already.
    func cancel(_ pending: PendingWork) -> Bool {
        end(pending, BridgeError(.cancelled, "\(pending.method) was cancelled; nothing changed"))
    }

    func isWaiting(_ pending: PendingWork) -> Bool {
        pending.session.pending.contains { $0 === pending }
    }

    func arm(_ pending: PendingWork, _ spanMs: UInt32) {
        let due = timers.nowNs + UInt64(spanMs) * 1_000_000
        pending.deadline = timers.schedule(atNs: due) { [unowned self] in
            _ = end(
                pending,
                BridgeError(
                    .deadlineExceeded,
                    "\(pending.method) had no answer within its deadline_ms; nothing changed",
                    isRetryable: true))
        }
    }

    func finish(
        _ pending: PendingWork, _ reply: () throws(BridgeError) -> ServerFrame.Body
    ) {
        forget(pending)
        do {
            respond(try reply(), to: pending)
        } catch {
            respond(.error(ErrorReply(error)), to: pending)
        }
    }

    private func end(_ pending: PendingWork, _ error: BridgeError) -> Bool {
        guard isWaiting(pending) else { return false }
        forget(pending)
        respond(.error(ErrorReply(error)), to: pending)
        return true
    }
}
