import CLinux
import Glibc
import Synchronization

/// What a worker and its thread share: the pieces that wait, and those that are done.
///
/// Isolation: any thread.
final class WorkQueue: Sendable {
    struct Piece: Sendable {
        let token: WorkToken
        let work: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Piece] = []
        var running: WorkToken?
        var finished: [WorkToken] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Readable when a piece was added or the queue was closed.
    private let workSignal: Int32
    /// Readable when a piece was finished.
    let resultSignal: Int32

    init() throws(TransportError) {
        workSignal = fb_event_create()
        resultSignal = fb_event_create()
        let failed = min(workSignal, resultSignal)
        guard failed >= 0 else {
            throw TransportError(call: "eventfd", path: "", result: failed)
        }
    }

    deinit {
        for signal in [workSignal, resultSignal] where signal >= 0 { fb_close(signal) }
    }

    /// Pieces that wait or run.
    var unfinished: Int {
        state.withLock { $0.waiting.count + ($0.running == nil ? 0 : 1) }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func add(_ token: WorkToken, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(Piece(token: token, work: work)) }
        fb_event_signal(workSignal)
    }

    /// Takes out a piece that has not begun.
    func remove(_ token: WorkToken) {
        state.withLock { state in state.waiting.removeAll { $0.token == token } }
    }

    /// Ends the thread after the piece that runs; those that wait are dropped.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.waiting = []
        }
        fb_event_signal(workSignal)
    }

    /// The tokens of the pieces that were finished since the last call.
    func takeFinished() -> [WorkToken] {
        fb_event_clear(resultSignal)
        return state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
    }

    /// Blocks until there is a piece; nil when the queue was closed.
    func waitForNext() -> Piece? {
        while true {
            fb_event_clear(workSignal)
            let (piece, isClosed) = state.withLock { state -> (Piece?, Bool) in
                guard !state.isClosed, !state.waiting.isEmpty else { return (nil, state.isClosed) }
                let piece = state.waiting.removeFirst()
                state.running = piece.token
                return (piece, false)
            }
            if let piece { return piece }
            if isClosed { return nil }
            fb_wait_readable(workSignal, -1)
        }
    }

    func finish(_ token: WorkToken) {
        state.withLock {
            $0.running = nil
            $0.finished.append(token)
        }
        fb_event_signal(resultSignal)
    }
}

/// The result of one piece, on its way from the thread to the loop.
final class WorkResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ value: Value) {
        self.value.withLock { $0 = value }
    }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
