import FlowEngine
import Testing

@testable import SDKCore

@Suite("Backend events")
struct BackendEventLogTests {
    @Test("10 000 events are kept, the oldest goes, numbers go on")
    func eventsMax() {
        var log = BackendEventLog()
        #expect(log.firstNumber == 1)
        for number in 1...SDKLimits.backendEventsMax { append(number, to: &log) }
        #expect(log.firstNumber == 1)
        append(SDKLimits.backendEventsMax + 1, to: &log)
        #expect(log.firstNumber == 2)
        let events = log.events(from: 0, device: nil, limit: .max)
        #expect(events.map(\.number) == Array(2...UInt64(SDKLimits.backendEventsMax) + 1))
        #expect(events.first?.event.name == "2")
    }

    @Test("pages by number and by device, which is compared exactly")
    func pages() {
        var log = BackendEventLog()
        for number in 1...10 { append(number, to: &log, device: number % 2 == 0 ? "a" : "b") }
        #expect(log.events(from: 1, device: "a", limit: 3).map(\.number) == [2, 4, 6])
        #expect(log.events(from: 7, device: "a", limit: 9).map(\.number) == [8, 10])
        #expect(log.events(from: 11, device: nil, limit: 9).isEmpty)
        append(11, to: &log, device: "caf\u{e9}")
        #expect(log.events(from: 1, device: "caf\u{e9}", limit: 9).map(\.number) == [11])
        #expect(log.events(from: 1, device: "cafe\u{301}", limit: 9).isEmpty)
    }

    private func append(_ number: Int, to log: inout BackendEventLog, device: String = "d") {
        log.append(
            BackendEventLog.Entry(
                event: .other(BackendEvent(name: "\(number)", properties: [:])),
                variationID: "v", time: Instant(ms: 0), device: device, profileID: "p"))
    }
}
