/// Timers of one loop, ordered by their monotonic deadline, and the time they count by.
public final class TimerQueue {
    /// Names a timer until it has run.
    public struct Token: Hashable, Sendable {
        let number: UInt64
    }

    private struct Entry {
        let deadlineNs: UInt64
        let token: Token
        let action: () -> Void
    }

    /// A binary heap, the earliest first.
    private var heap: [Entry] = []
    private var live: Set<Token> = []
    private var made: UInt64 = 0

    /// Monotonic nanoseconds, as of the present wake-up of the loop.
    public private(set) var nowNs: UInt64

    /// Makes an empty queue.
    public init(nowNs: UInt64 = 0) {
        self.nowNs = nowNs
    }

    /// Begins a wake-up. Time never goes back.
    public func wake(atNs now: UInt64) {
        nowNs = max(nowNs, now)
    }

    /// Runs `action` once, on the loop's thread, when the monotonic clock has reached the deadline.
    @discardableResult
    public func schedule(atNs deadlineNs: UInt64, _ action: @escaping () -> Void) -> Token {
        made += 1
        let token = Token(number: made)
        live.insert(token)
        heap.append(Entry(deadlineNs: deadlineNs, token: token, action: action))
        rise(heap.count - 1)
        return token
    }

    /// Drops a timer; one that has run is no fault.
    public func cancel(_ token: Token) {
        live.remove(token)
        dropCancelled()
    }

    /// The earliest deadline, nil without timers.
    public var nextDeadlineNs: UInt64? { heap.isEmpty ? nil : heap[0].deadlineNs }

    /// Runs all timers that are due.
    public func run() {
        while !heap.isEmpty, heap[0].deadlineNs <= nowNs {
            let first = heap[0]
            removeFirst()
            if live.remove(first.token) != nil { first.action() }
            dropCancelled()
        }
    }

    /// The first of the heap is never a cancelled one.
    private func dropCancelled() {
        while !heap.isEmpty, !live.contains(heap[0].token) { removeFirst() }
    }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(0)
    }

    private func before(_ a: Int, _ b: Int) -> Bool {
        (heap[a].deadlineNs, heap[a].token.number) < (heap[b].deadlineNs, heap[b].token.number)
    }

    private func rise(_ start: Int) {
        var index = start
        while index > 0, before(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if before(child, least) { least = child }
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
