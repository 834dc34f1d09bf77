import BridgeProtocol
import BridgeStore
import Testing

@testable import BridgeBroker
@testable import BridgeTransport

/// Answers and events wait until the store has saved what they tell of.
@Suite("What is not saved is not told")
struct HeldAnswerTests {
    private let store: ManualStore
    private let broker: InProcessBroker

    init() throws {
        store = ManualStore(.process)
        broker = InProcessBroker(setup: TestSetup(), store: store)
    }

    private func client(_ mode: WireMode) throws -> TestClient {
        let client = TestClient(wire: UnsettledWire(broker), mode: mode)
        if mode == .binary { try client.hello() }
        return client
    }

    private func save(upTo ticket: UInt64 = .max) {
        store.save(upTo: ticket)
        broker.broker.storeHasNews()
    }

    /// A client on a device that is active, with all of that saved.
    private func ready(_ mode: WireMode) throws -> TestClient {
        let client = try client(mode)
        let open = OpenDeviceRequest()
        let ids = try [
            client.send(.openDevice(with(open) { $0.device = "phone" })),
            client.send(.activate(ActivateRequest())), client.send(.subscribe(SubscribeRequest())),
        ]
        save()
        for id in ids { _ = try client.answer(to: id) }
        return client
    }

    private func isAnswered(_ client: TestClient, _ id: UInt64) -> Bool {
        do {
            _ = try client.answer(to: id)
            return true
        } catch {
            return !(error is TestTimeout)
        }
    }

    @Test(
        "an answer and its events leave when they are saved, the events first; others are served",
        arguments: [WireMode.binary, .line])
    func held(mode: WireMode) throws {
        let client = try ready(mode)
        let other = try self.client(mode)
        let id = try client.send(
            .updateProfile(with(UpdateProfileRequest()) { $0.email = "a@b.c" }))
        #expect(!isAnswered(client, id))
        #expect(client.takeEvents().isEmpty)
        let ping = try other.send(.ping(PingRequest()))
        #expect(isAnswered(other, ping))
        save()
        #expect(isAnswered(client, id))
        #expect(client.eventsBefore[id] == 1)
    }

    @Test(
        "a batch that is worth it is sealed before the wake-up ends; each answer waits for its own")
    func sealedEarly() throws {
        let client = try ready(.line)
        let requests = (1_001...1_003).map { id in
            #"{"id":\#(id),"updateProfile":{"email":"\#(id)@b.c"}}"# + "\n"
        }
        try client.wire.send(Array(requests.joined().utf8))
        let before = store.sealedTicket
        save(upTo: before - 1)
        for id in 1_001...1_003 as ClosedRange<UInt64> { #expect(!isAnswered(client, id)) }
        save()
        for id in 1_001...1_003 as ClosedRange<UInt64> { #expect(isAnswered(client, id)) }

        store.isWorthSealing = true
        try client.wire.send(Array(requests.joined().utf8))
        #expect(store.sealedTicket == before + 3)
        for id in 1_001...1_003 as ClosedRange<UInt64> {
            #expect(!isAnswered(client, id))
            save(upTo: before + id - 1_000)
            #expect(isAnswered(client, id))
        }
    }

    @Test(
        "what tells of a change waits for it; what tells nothing waits behind it only",
        arguments: [WireMode.binary, .line])
    func readers(mode: WireMode) throws {
        let client = try ready(mode)
        let other = try self.client(mode)
        let update = try client.send(
            .updateProfile(with(UpdateProfileRequest()) { $0.email = "a@b.c" }))
        let ping = try client.send(.ping(PingRequest()))
        let read = try other.send(
            .getEvents(with(GetEventsRequest()) { $0.device = "phone" }))
        #expect(!isAnswered(client, ping))
        #expect(!isAnswered(other, read))
        save()
        #expect(isAnswered(client, update))
        #expect(isAnswered(client, ping))
        #expect(isAnswered(other, read))
    }

    @Test("an error that tells of a change waits for it, too", arguments: [WireMode.binary, .line])
    func errors(mode: WireMode) throws {
        let client = try client(mode)
        let open = try client.send(.openDevice(with(OpenDeviceRequest()) { $0.device = "phone" }))
        let first = try client.send(.activate(ActivateRequest()))
        let second = try client.send(.activate(ActivateRequest()))
        #expect(!isAnswered(client, second))
        save()
        #expect(isAnswered(client, open))
        #expect(isAnswered(client, first))
        #expect(throws: BridgeError.self) { try client.answer(to: second) }
    }

    @Test("a request that changed nothing waits for nothing", arguments: [WireMode.binary, .line])
    func unchanged(mode: WireMode) throws {
        let client = try ready(mode)
        let id = try client.send(.listViews(ListViewsRequest()))
        save()
        #expect(isAnswered(client, id))
        let again = try client.send(.listDevices(ListDevicesRequest()))
        #expect(isAnswered(client, again))
    }

    @Test(
        "row 34 row 39: while nothing can be saved changes are refused, and who waits is cut",
        arguments: [WireMode.binary, .line])
    func fault(mode: WireMode) throws {
        let client = try ready(mode)
        let id = try client.send(
            .updateProfile(with(UpdateProfileRequest()) { $0.email = "a@b.c" }))
        store.fault = StoreFault(.full, "the store /test/store.db: no room")
        broker.broker.storeHasNews()
        let frames = try client.untilClosed()
        #expect(frames.count == 1)
        guard case .error(let error) = frames.first?.body else { throw Unexpected(frames) }
        #expect(frames.first?.id == 0)
        #expect(error.bridge == .unavailable)
        #expect(error.message.contains("/test/store.db"))
        #expect(error.retryable)
        #expect(!frames.contains { $0.id == id })
        #expect(client.takeEvents().isEmpty)

        let next = try self.client(mode)
        let refused = try next.send(
            .updateProfile(with(UpdateProfileRequest()) { $0.email = "no@b.c" }))
        let thrown = #expect(throws: BridgeError.self) { try next.answer(to: refused) }
        #expect(thrown?.code == .unavailable)
        #expect(thrown?.message.contains("update_profile") == true)
        store.fault = nil
        save()
        try next.send(.openDevice(with(OpenDeviceRequest()) { $0.device = "phone" }))
        let read = try next.send(.inspectProfile(InspectProfileRequest()))
        save()
        guard case .inspectProfile(let profile) = try next.answer(to: read) else {
            throw Unexpected("no profile")
        }
        // What was not answered may be kept; what was refused is not.
        #expect(profile.email == "a@b.c")
    }

    @Test(
        "PL-73 a fallback file that comes while nothing can be saved is refused, the former one stays",
        arguments: [WireMode.binary, .line])
    func fallbackInFault(mode: WireMode) throws {
        let client = try ready(mode)
        broker.worker.isHolding = true
        let text = FallbackFolder.text([("main", "var_file", "v1")])
        let id = try client.send(
            .setFallback(
                with(SetFallbackRequest()) { $0.source = .content(Array(text.utf8)) }))
        store.fault = StoreFault(.full, "the store is full")
        broker.broker.storeHasNews()
        broker.worker.letGo()
        do {
            _ = try client.answer(to: id)
            throw Unexpected("it was taken")
        } catch let error as BridgeError {
            #expect(error.code == .unavailable)
            #expect(error.message.contains("the store is full"))
            #expect(error.isRetryable)
        }
        #expect(broker.broker.devices["phone"]?.core.fallbackFile == nil)
    }

    @Test("more than the store takes in time is UNAVAILABLE and changes nothing")
    func behind() throws {
        let client = try ready(.line)
        store.isBehind = true
        let id = try client.send(
            .updateProfile(with(UpdateProfileRequest()) { $0.email = "a@b.c" }))
        let thrown = #expect(throws: BridgeError.self) { try client.answer(to: id) }
        #expect(thrown?.code == .unavailable)
        #expect(thrown?.message.contains("unsavedBytesMax") == true)
        #expect(thrown?.isRetryable == true)
    }

    @Test("without a promise answers leave at once", arguments: [WireMode.binary, .line])
    func none(mode: WireMode) throws {
        let broker = InProcessBroker(setup: TestSetup(), store: ManualStore(.none))
        let client = TestClient(wire: UnsettledWire(broker), mode: mode)
        if mode == .binary { try client.hello() }
        try client.openDevice("phone")
        try client.activate()
        try client.update { $0.email = "a@b.c" }
    }
}

/// A connection that gets what may leave, without waiting for the store.
private final class UnsettledWire: TestWire {
    private let broker: InProcessBroker
    private let connection: Connection
    private var received: [UInt8] = []

    init(_ broker: InProcessBroker) {
        self.broker = broker
        connection = broker.transport.connect()
    }

    func send(_ bytes: [UInt8]) {
        received += broker.transport.exchange(bytes, on: connection)
    }

    func receive() throws -> [UInt8]? {
        received += broker.transport.takeOutput(of: connection)
        defer { received = [] }
        if !received.isEmpty { return received }
        if connection.isClosing || !connection.isOpen { return nil }
        throw TestTimeout()
    }

    func endInput() {
        received += broker.transport.endInput(of: connection)
    }
}
