import BridgeProtocol
import CLinux
import Glibc

/// A worker with a thread of its own, which starts with the first piece of work.
///
/// The loop watches `descriptor` (`EventLoop.attach`): it is readable when results wait. Ending the
/// worker waits for the piece that runs; what has not begun is dropped without a result.
public final class ThreadWorker: Worker {
    private let name: String
    private let piecesMax: Int
    let queue: WorkQueue
    private var thread: pthread_t?
    private var deliveries: [WorkToken: () -> Void] = [:]
    private var made: UInt64 = 0

    /// Makes a worker whose thread has not started.
    ///
    /// - Parameters:
    ///   - name: Of the thread, as `ps` shows it; 15 bytes at most.
    ///   - piecesMax: Pieces that wait or run (`Limits.workQueueMax`).
    /// - Throws: when the kernel gives no event descriptor.
    public init(name: String, piecesMax: Int) throws(TransportError) {
        self.name = name
        self.piecesMax = piecesMax
        queue = try WorkQueue()
    }

    deinit {
        queue.close()
        if let thread { pthread_join(thread, nil) }
    }

    /// Readable when results wait for `deliverResults`.
    var descriptor: Int32 { queue.resultSignal }

    /// Queues a piece of work for the thread; `deliver` is called by `deliverResults`.
    @discardableResult
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, deliver: @escaping (Value) -> Void
    ) throws(BridgeError) -> WorkToken {
        guard queue.unfinished < piecesMax else {
            throw BridgeError(
                .limitExceeded,
                "workQueueMax: \(piecesMax) pieces of slow work wait; try again when some are done",
                isRetryable: true)
        }
        try startThread()
        made += 1
        let token = WorkToken(number: made)
        let result = WorkResult<Value>()
        deliveries[token] = {
            if let value = result.take() { deliver(value) }
        }
        queue.add(token) { result.put(work()) }
        return token
    }

    /// Lets go of a piece of work, begun or not.
    public func withdraw(_ token: WorkToken) {
        guard deliveries.removeValue(forKey: token) != nil else { return }
        queue.remove(token)
    }

    /// Hands over the results that wait, in the order of queueing.
    func deliverResults() {
        for token in queue.takeFinished() {
            deliveries.removeValue(forKey: token)?()
        }
    }

    private func startThread() throws(BridgeError) {
        if thread != nil { return }
        let context = Unmanaged.passRetained(WorkThread(name: name, queue: queue))
        // Signals belong to the loop; the thread is born with all of them blocked.
        var (all, former) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        var started = pthread_t()
        let result = fb_thread_start(&started, runWorkThread, context.toOpaque())
        pthread_sigmask(SIG_SETMASK, &former, nil)
        guard result == 0 else {
            context.release()
            throw BridgeError(
                .unavailable, "no thread for slow work: \(errorText(result))", isRetryable: true)
        }
        thread = started
    }
}

/// What the thread is started with.
private final class WorkThread {
    let name: String
    let queue: WorkQueue

    init(name: String, queue: WorkQueue) {
        self.name = name
        self.queue = queue
    }
}

private func runWorkThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    let thread = Unmanaged<WorkThread>.fromOpaque(pointer).takeRetainedValue()
    fb_name_thread(thread.name)
    while let piece = thread.queue.waitForNext() {
        piece.work()
        thread.queue.finish(piece.token)
    }
    return nil
}
