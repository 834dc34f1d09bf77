import BridgeProtocol
import Testing

@testable import BridgeClient

@Suite("The buffer of a subscription", .shared)
struct EventQueueTests {
    private func event(_ sequence: UInt64) -> Event {
        with(Event()) {
            $0.sequence = sequence
            $0.subscriptionId = 5
            $0.device = "d"
            $0.kind = .flowDidAppear(FlowDidAppear())
        }
    }

    /// Sequences as they come; a `lagged` event as the negative of its first one.
    private func drain(_ queue: EventQueue) -> [Int] {
        var seen: [Int] = []
        while case .event(let event) = queue.poll() {
            if case .lagged(let lagged) = event.kind {
                seen.append(-Int(lagged.fromSequence))
            } else {
                seen.append(Int(event.sequence))
            }
        }
        return seen
    }

    @Test(
        "at the limit all are kept, one beyond is told as lagged",
        arguments: [
            (pushed: 4, seen: [1, 2, 3, 4]), (pushed: 5, seen: [1, 2, 3, 4, -5]),
            (pushed: 9, seen: [1, 2, 3, 4, -5]),
        ])
    func eventLimit(pushed: Int, seen: [Int]) {
        let queue = EventQueue(eventsMax: 4, bytesMax: .max)
        for sequence in 1...pushed { queue.push(event(UInt64(sequence)), bytes: 10) }
        #expect(drain(queue) == seen)
    }

    @Test(
        "bytes are a limit as well",
        arguments: [(bytes: 25, seen: [1, 2, 3, 4]), (26, [1, 2, 3, -4])])
    func byteLimit(bytes: Int, seen: [Int]) {
        let queue = EventQueue(eventsMax: 100, bytesMax: 100)
        for sequence in UInt64(1)...4 { queue.push(event(sequence), bytes: bytes) }
        #expect(drain(queue) == seen)
    }

    @Test("an event larger than the limit is kept when it is alone")
    func largeEvent() {
        let queue = EventQueue(eventsMax: 4, bytesMax: 10)
        queue.push(event(1), bytes: 1_000)
        #expect(drain(queue) == [1])
        queue.push(event(2), bytes: 1_000)
        #expect(drain(queue) == [2])
    }

    @Test("after a gap events are kept again once there is room")
    func roomAgain() {
        let queue = EventQueue(eventsMax: 2, bytesMax: .max)
        for sequence in UInt64(1)...4 { queue.push(event(sequence), bytes: 1) }
        _ = queue.poll()
        _ = queue.poll()
        queue.push(event(5), bytes: 1)
        queue.push(event(6), bytes: 1)
        #expect(drain(queue) == [-3, 5, -6])
    }

    @Test("a lagged event of the broker that finds no room widens the gap")
    func laggedOfBroker() {
        let queue = EventQueue(eventsMax: 1, bytesMax: .max)
        queue.push(event(1), bytes: 1)
        let lagged = with(Lagged()) {
            $0.fromSequence = 2
            $0.toSequence = 8
        }
        queue.push(with(event(0)) { $0.kind = .lagged(lagged) }, bytes: 1)
        queue.push(event(9), bytes: 1)
        _ = queue.poll()
        guard case .event(let event) = queue.poll(), case .lagged(let gap) = event.kind else {
            Issue.record("a lagged event has to come")
            return
        }
        #expect(gap.fromSequence == 2)
        #expect(gap.toSequence == 9)
        #expect(event.device == "d")
        #expect(event.subscriptionId == 5)
    }

    @Test("nothing is taken after the end, which comes after what was there")
    func end() {
        let queue = EventQueue(eventsMax: 4, bytesMax: .max)
        queue.push(event(1), bytes: 1)
        queue.finish(.end)
        queue.push(event(2), bytes: 1)
        #expect(drain(queue) == [1])
        guard case .end = queue.poll() else {
            Issue.record("the end has to stay")
            return
        }
    }
}
