import BridgeProtocol

/// Names a piece of work until its result was delivered.
public struct WorkToken: Hashable, Sendable {
    let number: UInt64
}

/// Runs slow work beside a loop, one piece after the other, and hands the results back to the loop.
///
/// Work takes values and gives one back; it touches nothing that belongs to the loop. What has to
/// happen with the result happens in `deliver`, on the loop's own thread, where no lock is needed.
///
/// Isolation: the thread of its loop.
public protocol Worker: AnyObject {
    /// Queues a piece of work. `deliver` gets its result, in the order of queueing; where the
    /// caller is the one that works, before this returns.
    ///
    /// Bounds: `Limits.workQueueMax` pieces wait or run.
    /// Blocking: no, except for `DirectWorker`.
    /// Cancellation: `withdraw`.
    /// - Throws: LIMIT_EXCEEDED when too many wait; UNAVAILABLE when the system gives no thread.
    @discardableResult
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, deliver: @escaping (Value) -> Void
    ) throws(BridgeError) -> WorkToken

    /// Lets go of a piece of work: its result is not delivered, and if it has not begun it never
    /// does. One that was delivered already is no fault.
    func withdraw(_ token: WorkToken)
}

/// Does the work at once, on the thread of the caller: for a transport that has no loop.
public final class DirectWorker: Worker {
    private var made: UInt64 = 0

    /// Makes a worker without a thread.
    public init() {}

    /// Works and delivers before it returns.
    ///
    /// Blocking: for as long as the work takes.
    @discardableResult
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, deliver: @escaping (Value) -> Void
    ) -> WorkToken {
        made += 1
        deliver(work())
        return WorkToken(number: made)
    }

    /// Nothing is left to let go of.
    public func withdraw(_ token: WorkToken) {}
}
