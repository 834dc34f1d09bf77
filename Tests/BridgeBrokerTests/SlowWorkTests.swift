import BridgeCatalog
import BridgeProtocol
import SDKCore
import Testing

@testable import BridgeBroker
@testable import BridgeTransport

@Suite("A request that waits for slow work")
struct SlowWorkTests {
    private static let modes = [WireMode.binary, .line]

    private struct Bench {
        let broker: InProcessBroker
        let client: TestClient
        let folder: CatalogFolder

        init(_ mode: WireMode, _ setup: TestSetup = TestSetup()) throws {
            broker = InProcessBroker.make(setup)
            client = try broker.client(mode)
            folder = try CatalogFolder(CatalogFolder.shop("new"))
            broker.worker.isHolding = true
        }

        @discardableResult
        func load(deadlineMs: UInt32 = 0) throws -> UInt64 {
            try client.send(
                .loadCatalog(with(LoadCatalogRequest()) { $0.path = folder.path }),
                deadlineMs: deadlineMs)
        }

        /// Lets the work end; the catalog before it is served all the same.
        func expectNothingChanged(sourceLocation: SourceLocation = #_sourceLocation) throws {
            broker.worker.letGo()
            let other = try broker.client(client.mode)
            let variation = try other.getFlow("premium_offer_1").variationId
            #expect(!variation.isEmpty, sourceLocation: sourceLocation)
            #expect(
                try other.status().connections.allSatisfy { $0.pending.isEmpty },
                sourceLocation: sourceLocation)
        }
    }

    @Test("cancel ends it with CANCELLED, what was read changes nothing", arguments: modes)
    func cancelled(mode: WireMode) throws {
        let bench = try Bench(mode)
        let id = try bench.load()
        let cancel = with(CancelRequest()) { $0.id = id }
        let reply = try bench.client.call(.cancel(cancel))
        #expect(reply == .cancel(with(CancelReply()) { $0.cancelled = true }))
        #expect(throws: BridgeError(.cancelled, "")) { try bench.client.answer(to: id) }
        #expect(try bench.client.call(.cancel(cancel)) == .cancel(CancelReply()))
        try bench.expectNothingChanged()
    }

    @Test("its deadline counts on the host's clock and ends it", arguments: modes)
    func expired(mode: WireMode) throws {
        let bench = try Bench(mode)
        let id = try bench.load(deadlineMs: 100)
        bench.broker.pass(ms: 99)
        try bench.client.expectServed()
        bench.broker.pass(ms: 1)
        let error = try #require(throws: BridgeError(.deadlineExceeded, "")) {
            try bench.client.answer(to: id)
        }
        #expect(error.isRetryable)
        try bench.expectNothingChanged()
    }

    @Test("an answer before the deadline stands", arguments: modes)
    func inTime(mode: WireMode) throws {
        let bench = try Bench(mode)
        let id = try bench.load(deadlineMs: 100)
        bench.broker.worker.letGo()
        _ = try bench.client.answer(to: id)
        bench.broker.pass(ms: 200)
        try bench.client.expectServed()
        #expect(try bench.client.getFlow("shop").variationId == "var_new")
    }

    @Test("it goes with its connection", arguments: modes)
    func connectionGone(mode: WireMode) throws {
        let bench = try Bench(mode)
        try bench.load()
        let session = try #require(bench.broker.broker.sessions.values.first)
        bench.broker.broker.connectionClosed(session.connection, reason: "the peer is gone")
        try bench.expectNothingChanged()
    }

    @Test("a half-closed connection gets its answer", arguments: modes)
    func halfClosed(mode: WireMode) throws {
        let bench = try Bench(mode)
        let id = try bench.load()
        try bench.client.wire.endInput()
        bench.broker.worker.letGo()
        _ = try bench.client.answer(to: id)
        #expect(try bench.client.untilClosed().isEmpty)
    }

    @Test("pendingRequestsMax counts it", arguments: modes)
    func pendingLimit(mode: WireMode) throws {
        var setup = TestSetup()
        setup.limits.pendingRequestsMax = 2
        let bench = try Bench(mode, setup)
        let ids = try [bench.load(), bench.load()]
        let last = try bench.load()
        let error = try #require(throws: BridgeError(.limitExceeded, "")) {
            try bench.client.answer(to: last)
        }
        #expect(error.message.contains("pendingRequestsMax: 2"))
        bench.broker.worker.letGo()
        for id in ids { _ = try bench.client.answer(to: id) }
    }

    @Test("a worker without room refuses it, and nothing waits", arguments: modes)
    func workLimit(mode: WireMode) throws {
        let bench = try Bench(mode)
        bench.broker.worker.isFull = true
        let id = try bench.load()
        #expect(throws: BridgeError(.limitExceeded, "")) { try bench.client.answer(to: id) }
        #expect(try bench.client.status().connections.allSatisfy { $0.pending.isEmpty })
    }
}
