import BridgeProtocol
import Foundation
import Synchronization
import Testing

@testable import BridgeTransport

@Suite("A worker takes slow work off the loop")
struct WorkerTests {
    @Test("work runs on another thread, its result is delivered on the loop's, in order")
    func threads() throws {
        let bench = try LoopBench()
        let worker = try ThreadWorker(name: "test", piecesMax: 10)
        try bench.loop.attach(worker)
        let loopThread = pthread_self()
        var delivered: [Int] = []
        for number in 1...5 {
            try worker.run {
                (number, pthread_self())
            } deliver: { number, thread in
                #expect(pthread_equal(thread, loopThread) == 0)
                #expect(pthread_equal(pthread_self(), loopThread) != 0)
                delivered.append(number)
            }
        }
        #expect(delivered.isEmpty)
        try bench.turn { delivered.count == 5 }
        #expect(delivered == [1, 2, 3, 4, 5])
    }

    @Test("the loop serves while work goes on")
    func served() throws {
        let bench = try LoopBench()
        let worker = try ThreadWorker(name: "test", piecesMax: 10)
        try bench.loop.attach(worker)
        let gate = Gate()
        var isDone = false
        try worker.run({ gate.pass() }) { isDone = true }
        gate.waitUntilReached()
        let peer = bench.connect()
        peer.send("{}\n")
        try bench.turn { bench.handler.frames.count == 1 }
        #expect(!isDone)
        gate.open()
        try bench.turn { isDone }
    }

    @Test("work that was let go before it began never runs; begun work delivers nothing")
    func withdrawn() throws {
        let bench = try LoopBench()
        let worker = try ThreadWorker(name: "test", piecesMax: 10)
        try bench.loop.attach(worker)
        let gate = Gate()
        let ran = Notes()
        var delivered: [Int] = []
        let begun = try worker.run({ gate.pass() }) { delivered.append(1) }
        let waiting = try worker.run({ ran.add(2) }) { delivered.append(2) }
        gate.waitUntilReached()
        worker.withdraw(begun)
        worker.withdraw(waiting)
        try worker.run({ ran.add(3) }) { delivered.append(3) }
        gate.open()
        try bench.turn { !delivered.isEmpty }
        #expect(delivered == [3])
        #expect(ran.numbers == [3])
        worker.withdraw(begun)
    }

    @Test("workQueueMax pieces wait or run, one more is refused, and there is room again later")
    func bounded() throws {
        let bench = try LoopBench()
        let worker = try ThreadWorker(name: "test", piecesMax: 3)
        try bench.loop.attach(worker)
        let gate = Gate()
        var done = 0
        try worker.run({ gate.pass() }) { done += 1 }
        gate.waitUntilReached()
        for _ in 1...2 { try worker.run({}) { done += 1 } }
        let error = #expect(throws: BridgeError(.limitExceeded, "")) {
            try worker.run({}) { done += 1 }
        }
        #expect(error?.message.contains("workQueueMax: 3") == true)
        #expect(error?.isRetryable == true)
        gate.open()
        try bench.turn { done == 3 }
        try worker.run({}) { done += 1 }
        try bench.turn { done == 4 }
    }

    @Test("ending a worker waits for what runs and drops what has not begun")
    func ended() throws {
        let gate = Gate()
        let ran = Notes()
        var worker: ThreadWorker? = try ThreadWorker(name: "test", piecesMax: 10)
        try worker?.run {
            gate.pass()
            ran.add(1)
        } deliver: {
            Issue.record("a result was delivered without a loop")
        }
        try worker?.run({ ran.add(2) }) { Issue.record("dropped work was delivered") }
        gate.waitUntilReached()
        let queue = try #require(worker?.queue)
        Thread.detachNewThread {
            while !queue.isClosed { sched_yield() }
            gate.open()
        }
        worker = nil
        #expect(ran.numbers == [1])
    }

    @Test("the thread takes no signal away from the loop")
    func signals() throws {
        let bench = try LoopBench()
        let worker = try ThreadWorker(name: "test", piecesMax: 10)
        try bench.loop.attach(worker)
        var blocked: Bool?
        try worker.run {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return [SIGTERM, SIGINT, SIGHUP].allSatisfy { sigismember(&mask, $0) == 1 }
        } deliver: {
            blocked = $0
        }
        try bench.turn { blocked != nil }
        #expect(blocked == true)
    }

    @Test("without a loop the caller works itself")
    func direct() throws {
        let worker = DirectWorker()
        var delivered: [Int] = []
        worker.withdraw(worker.run({ 1 }) { delivered.append($0) })
        #expect(delivered == [1])
    }
}

/// What ran, noted from any thread.
private final class Notes: Sendable {
    private let noted = Mutex<[Int]>([])

    var numbers: [Int] { noted.withLock { $0 } }

    func add(_ number: Int) { noted.withLock { $0.append(number) } }
}

/// Holds the worker's thread until the test lets it go.
final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func pass() {
        reached.signal()
        opened.wait()
    }

    func waitUntilReached() { reached.wait() }

    func open() { opened.signal() }
}
