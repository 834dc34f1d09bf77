import BridgeProtocol
import BridgeStore
import Foundation
import Synchronization
import Testing

/// The host's date is set while a broker runs, and while none does (reliability.md, row 32 and the
/// figure on clocks).
@Suite("Jumps of the host's clock")
final class ClockJumpTests {
    /// An hour and a year, forth and back.
    static let jumpsMs: [Int64] = [3_600_000, -3_600_000, 31_536_000_000, -31_536_000_000]

    private final class Wall: Sendable {
        private let ms = Mutex<Int64>(1_750_000_000_000)
        var nowMs: Int64 { ms.withLock { $0 } }
        func move(_ span: Int64) { ms.withLock { $0 += span } }
    }

    private let folder = Daemon.makeFolder()
    private let wall = Wall()

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func start() throws -> InProcessBroker {
        let store = try SQLiteStore(path: folder + "/store.db", durability: .process)
        let wall = wall
        let setup = TestSetup(catalog: TestCatalogs.toggle, wallMs: { wall.nowMs })
        return InProcessBroker(setup: setup, store: store)
    }

    private func pass(_ broker: InProcessBroker, ms: UInt64) {
        broker.pass(ms: ms)
        wall.move(Int64(ms))
    }

    private func time(_ client: TestClient) throws -> Int64 {
        try client.status().devices.first?.timeMs ?? 0
    }

    /// A client on the one device, which runs with a real clock.
    private func client(_ broker: InProcessBroker) throws -> TestClient {
        let client = try broker.client(.line)
        _ = try client.open { $0.device = "phone" }
        return client
    }

    @Test(
        "between restarts: a device never goes behind what it recorded; forth it counts the time",
        arguments: jumpsMs)
    func betweenRestarts(jump: Int64) throws {
        var last: Int64 = 0
        for round in 0..<5 {
            let broker = try start()
            let client = try client(broker)
            let begun = try time(client)
            if round > 0 {
                #expect(begun == (jump < 0 ? last : last + 500 + jump), "round \(round)")
            }
            if round == 0 { try client.activate() }
            // Less than the minute after which the record of a device is written anew.
            pass(broker, ms: 59_000)
            try client.update { $0.firstName = "\(round)" }
            pass(broker, ms: 20_000)
            let view = try client.makeFlowView("main")
            try client.present(view)
            pass(broker, ms: 25_000)
            try client.tapToggle(view, "tick")
            last = try client.record().last?.timeMs ?? 0
            #expect(last == begun + 104_000)
            pass(broker, ms: 500)
            wall.move(jump)
        }
        let record = try client(start()).record()
        #expect(zip(record, record.dropFirst()).allSatisfy { $0.timeMs <= $1.timeMs })
        #expect(record.map(\.sequence) == Array(1...UInt64(record.count)))
    }

    @Test(
        "while it runs: nothing falls due early or late, no device's time jumps", arguments: jumpsMs
    )
    func whileItRuns(jump: Int64) throws {
        let broker = try start()
        let client = try client(broker)
        try client.activate()
        try client.delay("get_profile", ms: 700)
        for _ in 0..<5 {
            let begun = try time(client)
            let id = try client.send(.getProfile(GetProfileRequest()))
            pass(broker, ms: 350)
            wall.move(jump)
            pass(broker, ms: 349)
            #expect(try client.status().connections.flatMap(\.pending).count == 1)
            pass(broker, ms: 1)
            _ = try client.answer(to: id)
            #expect(try time(client) == begun + 700)
        }
    }
}
