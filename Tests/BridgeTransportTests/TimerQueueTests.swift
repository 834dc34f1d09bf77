import BridgeTransport
import Testing

@Suite("Timers run in the order of their deadlines")
struct TimerQueueTests {
    @Test("due timers run once, earliest first, ties in the order they were made")
    func order() {
        let timers = TimerQueue()
        var ran: [Int] = []
        for (index, deadline) in [30, 10, 20, 10].enumerated() {
            timers.schedule(atNs: UInt64(deadline)) { ran.append(index) }
        }
        timers.wake(atNs: 20)
        timers.run()
        #expect(ran == [1, 3, 2])
        #expect(timers.nextDeadlineNs == 30)
        timers.wake(atNs: 100)
        timers.run()
        timers.run()
        #expect(ran == [1, 3, 2, 0])
        #expect(timers.nextDeadlineNs == nil)
    }

    @Test("a cancelled timer does not run, and cancelling one that ran is no fault")
    func cancel() {
        let timers = TimerQueue()
        var ran = 0
        let first = timers.schedule(atNs: 1) { ran += 1 }
        let second = timers.schedule(atNs: 2) { ran += 10 }
        timers.cancel(first)
        #expect(timers.nextDeadlineNs == 2)
        timers.wake(atNs: 5)
        timers.run()
        timers.cancel(second)
        #expect(ran == 10)
    }

    @Test("time never goes back")
    func monotonic() {
        let timers = TimerQueue(nowNs: 50)
        timers.wake(atNs: 10)
        #expect(timers.nowNs == 50)
    }

    @Test("a thousand random deadlines come out sorted")
    func sorted() {
        let timers = TimerQueue()
        var generator = SystemRandomNumberGenerator()
        var seen: [UInt64] = []
        for _ in 0..<1_000 {
            let deadline = UInt64.random(in: 0..<500, using: &generator)
            timers.schedule(atNs: deadline) { seen.append(deadline) }
        }
        timers.wake(atNs: 500)
        timers.run()
        #expect(seen.count == 1_000)
        #expect(seen == seen.sorted())
    }
}
