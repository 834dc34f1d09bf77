import CLinux
import Glibc
import Synchronization

/// What the loop and the store's thread share.
///
/// Isolation: any thread.
final class StoreQueue: Sendable {
    /// What the thread is to do next.
    struct Work {
        var batches: [StoreBatch] = []
        var pages: [PageJob] = []
        /// What waits until answers are out is to be done now.
        var isTidyDue = false
        var isClosed = false
        var isEmpty: Bool { batches.isEmpty && pages.isEmpty && !isTidyDue }
    }

    /// A page that is wanted; `token` finds who wants it.
    struct PageJob: Sendable {
        let token: UInt64
        let request: EventPageRequest
        let end: UInt64
    }

    /// What the loop learns.
    struct Progress {
        var savedTicket: UInt64 = 0
        var fault: StoreFault?
        var journalBytes: UInt64 = 0
        /// Transactions since the loop was told last.
        var transactions: UInt64 = 0
        var pages: [(token: UInt64, page: Result<EventPage, StoreFault>)] = []
    }

    private struct State {
        var work = Work()
        var progress = Progress()
        var isThreadAsleep = false
        var isLoopTold = false
        var isThreadIdle: Bool { isThreadAsleep && work.isEmpty }
    }

    private let state = Mutex(State())
    /// Readable when there is work for a thread that sleeps.
    private let workSignal: Int32
    /// Readable when there is news for the loop.
    let newsSignal: Int32

    init() throws(StoreFault) {
        workSignal = fb_event_create()
        newsSignal = fb_event_create()
        let failed = min(workSignal, newsSignal)
        guard failed >= 0 else {
            throw StoreFault(
                StoreFault.Kind(systemError: -failed),
                "eventfd: \(String(cString: fb_error_text(-failed)))")
        }
    }

    deinit {
        for signal in [workSignal, newsSignal] where signal >= 0 { fb_close(signal) }
    }

    // MARK: The loop's side

    func add(_ batch: StoreBatch) { change { $0.batches.append(batch) } }

    func add(_ job: PageJob) { change { $0.pages.append(job) } }

    /// Has the thread do what can wait until answers are out.
    func tidy() { change { $0.isTidyDue = true } }

    /// The thread ends when what waits is done.
    func close() { change { $0.isClosed = true } }

    private func change(_ body: (inout sending Work) -> Void) {
        let wakes = state.withLock { state in
            body(&state.work)
            defer { state.isThreadAsleep = false }
            return state.isThreadAsleep
        }
        if wakes { fb_event_signal(workSignal) }
    }

    /// Whether the thread sleeps, without a fault, until the loop adds something: then, and until
    /// it does, the loop has what is the thread's. False while there is news to take over.
    var isThreadAtRest: Bool {
        state.withLock { state in
            state.isThreadIdle && !state.work.isClosed && !state.isLoopTold
                && state.progress.fault == nil
        }
    }

    /// Whether the thread sleeps with nothing to do.
    var isThreadIdle: Bool { state.withLock { $0.isThreadIdle } }

    /// The news since the last call; saved ticket and fault are as they stand.
    func takeProgress() -> Progress {
        state.withLock { state in
            if state.isLoopTold {
                fb_event_clear(newsSignal)
                state.isLoopTold = false
            }
            defer {
                state.progress.pages = []
                state.progress.transactions = 0
            }
            return state.progress
        }
    }

    /// Blocks until there is news.
    func waitForNews() {
        fb_wait_readable(newsSignal, -1)
    }

    // MARK: The thread's side

    /// Takes all work that waits; blocks while there is none, at most so many ms (-1: no limit).
    func takeWork(waitMs: Int32) -> Work {
        while true {
            let taken = state.withLock { state -> Work? in
                guard state.work.isEmpty, !state.work.isClosed else {
                    defer { state.work = Work(isClosed: state.work.isClosed) }
                    return state.work
                }
                state.isThreadAsleep = true
                return nil
            }
            if let taken { return taken }
            let isWoken = fb_wait_readable(workSignal, waitMs) == 1
            if isWoken { fb_event_clear(workSignal) }
            if !isWoken, waitMs >= 0 { return Work() }
        }
    }

    /// Tells the loop something.
    func tell(_ change: (inout sending Progress) -> Void) {
        let wakes = state.withLock { state in
            change(&state.progress)
            defer { state.isLoopTold = true }
            return !state.isLoopTold
        }
        if wakes { fb_event_signal(newsSignal) }
    }
}
