import BridgeProtocol
import Foundation
import Testing

@testable import BridgeClient

@Suite("Events", .shared)
struct EventTests {
    /// Subscribes by number 5 and, for every ping, sends the events of its payload before it
    /// answers: each byte is a sequence.
    private static let echo: ScriptedBroker.Script = { peer, frame in
        switch frame.body {
        case .subscribe:
            peer.send(.subscribe(with(SubscribeReply()) { $0.subscriptionId = 5 }), id: frame.id)
        case .ping(let ping):
            for sequence in ping.payload { peer.send(.event(.numbered(UInt64(sequence)))) }
            peer.send(.ping(PingReply()), id: frame.id)
        case .unsubscribe:
            if frame.id != 0 { peer.send(.unsubscribe(UnsubscribeReply()), id: frame.id) }
        case .status: peer.close()
        default: break
        }
    }

    private func connect(
        _ broker: ScriptedBroker, buffered: Int = 100
    ) async throws -> BridgeClient {
        var options = ClientOptions(clientName: "test")
        options.bufferedEventsMax = buffered
        return try await BridgeClient.connect(path: broker.path, options: options)
    }

    private func send(_ sequences: [UInt8], _ client: BridgeClient) async throws {
        try await client.ping(with(PingRequest()) { $0.payload = sequences })
    }

    @Test("events that came before an answer are there when the call returns, in order")
    func eventsBeforeAnswer() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        let events = try await client.subscribe()
        try await send([1, 2, 3], client)
        #expect(events.buffered().map(\.sequence) == [1, 2, 3])
        #expect(events.buffered().isEmpty)
    }

    @Test("a waiting consumer gets each event as it comes")
    func waitingConsumer() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        let events = try await client.subscribe()
        let consumer = Task {
            var seen: [UInt64] = []
            for try await event in events {
                seen.append(event.sequence)
                if seen.count == 3 { break }
            }
            return seen
        }
        for sequence in UInt8(1)...3 { try await send([sequence], client) }
        #expect(try await consumer.value == [1, 2, 3])
    }

    @Test("a slow consumer delays no answer and is told which events it misses")
    func slowConsumer() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker, buffered: 3)
        let events = try await client.subscribe()
        try await send(Array(1...9), client)
        try await send([10], client)
        let seen = events.buffered()
        #expect(seen.map(\.sequence) == [1, 2, 3, 0])
        guard case .lagged(let lagged) = seen.last?.kind else {
            Issue.record("the last one has to be lagged")
            return
        }
        #expect(lagged.fromSequence == 4)
        #expect(lagged.toSequence == 10)
        try await send([11], client)
        #expect(events.buffered().map(\.sequence) == [11])
    }

    @Test("unsubscribing ends the stream after what had come")
    func unsubscribe() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        let events = try await client.subscribe()
        try await send([1], client)
        try await client.unsubscribe(events)
        var seen: [UInt64] = []
        for try await event in events { seen.append(event.sequence) }
        #expect(seen == [1])
    }

    @Test("a lost connection ends the stream with UNAVAILABLE after what had come")
    func lostConnection() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        let events = try await client.subscribe()
        try await send([1], client)
        _ = await error { () async throws(BridgeError) in try await client.status() }
        let iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.sequence == 1)
        let thrown = await error { () async throws(BridgeError) in try await iterator.next() }
        #expect(thrown?.code == .unavailable)
        #expect(thrown?.message.contains(broker.path) == true)
    }

    @Test("closing the client ends the stream without an error")
    func close() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        let events = try await client.subscribe()
        client.close()
        #expect(try await events.makeAsyncIterator().next() == nil)
    }

    @Test("a cancelled consumer gets nil and the stream goes on")
    func cancelledConsumer() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        let events = try await client.subscribe()
        let consumer = Task { try await events.makeAsyncIterator().next() }
        consumer.cancel()
        #expect(try await consumer.value == nil)
        try await send([1], client)
        #expect(events.buffered().map(\.sequence) == [1])
    }

    @Test("letting go of a stream unsubscribes")
    func forgottenStream() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        var events: EventStream? = try await client.subscribe()
        #expect(events?.subscriptionId == 5)
        events = nil
        let frame = await broker.first { if case .unsubscribe = $0 { true } else { false } }
        #expect(frame?.body == .unsubscribe(with(UnsubscribeRequest()) { $0.subscriptionId = 5 }))
        withExtendedLifetime(client) {}
    }

    @Test("a subscription whose answer came too late is ended")
    func lateSubscription() async throws {
        let gate = Gate()
        let broker = ScriptedBroker.answering { peer, frame in
            guard case .subscribe = frame.body else { return }
            gate.wait()
            peer.send(.subscribe(with(SubscribeReply()) { $0.subscriptionId = 8 }), id: frame.id)
        }
        let client = try await connect(broker)
        let thrown = await error { () async throws(BridgeError) in
            try await client.subscribe(deadline: .milliseconds(10))
        }
        #expect(thrown?.code == .deadlineExceeded)
        gate.open()
        let frame = await broker.first { if case .unsubscribe = $0 { true } else { false } }
        #expect(frame?.body == .unsubscribe(with(UnsubscribeRequest()) { $0.subscriptionId = 8 }))
    }

    @Test("every parameter of subscribe is sent")
    func parameters() async throws {
        let broker = ScriptedBroker(script: Self.echo)
        let client = try await connect(broker)
        let events = try await client.subscribe(
            device: "d", kinds: ["flow_did_appear"], view: "v", fromSequence: 7)
        let frame = await broker.first { if case .subscribe = $0 { true } else { false } }
        let wanted = with(SubscribeRequest()) {
            $0.device = "d"
            $0.kinds = ["flow_did_appear"]
            $0.view = "v"
            $0.fromSequence = 7
        }
        #expect(frame?.body == .subscribe(wanted))
        withExtendedLifetime(events) {}
    }
}

extension Event {
    fileprivate static func numbered(_ sequence: UInt64) -> Event {
        with(Event()) {
            $0.sequence = sequence
            $0.subscriptionId = 5
            $0.kind = .flowDidAppear(FlowDidAppear())
        }
    }
}
