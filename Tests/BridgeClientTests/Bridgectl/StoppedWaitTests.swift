import BridgeClient
import BridgeProtocol
import CLinux
import Foundation
import Testing

@testable import bridgectl

/// What had come when the time was over counts, however late it is looked at.
@Suite("Waits of a program that stood still", .shared)
struct StoppedWaitTests {
    @Test("an event that lies in the socket is found when the time is over")
    func event() async throws {
        let broker = ScriptedBroker.answering { peer, frame in
            switch frame.body {
            case .subscribe:
                let reply = with(SubscribeReply()) { $0.subscriptionId = 3 }
                peer.send(.subscribe(reply), id: frame.id)
            case .ping:
                let event = with(Event()) { ($0.subscriptionId, $0.sequence) = (3, 42) }
                peer.send(.event(event))
                peer.send(.ping(PingReply()), id: frame.id)
            default: break
            }
        }
        let client = try await BridgeClient.connect(path: broker.path, clientName: "test")
        let events = try await client.subscribe()
        let first = try await WaitVerb.first(of: events, client, within: .nanoseconds(1))
        #expect(first?.sequence == 42)
    }

    @Test("a step whose answer comes with the end of its time does not hang")
    func step() async throws {
        let broker = ScriptedBroker.answering { peer, frame in
            guard case .cancel(let cancel) = frame.body else { return }
            peer.send(.ping(PingReply()), id: cancel.id)
        }
        let client = try await BridgeClient.connect(path: broker.path, clientName: "test")
        let answer = try await ScenarioRun.exchange(
            MethodTable.named("ping")!, .ping(PingRequest()), client, .nanoseconds(1))
        #expect(answer == .ping(PingReply()))
    }

    @Test("a broker that has said that it is ready is heard when the time is over")
    func readiness() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { fb_close($0) } }
        let line = "{\"ready\": true, \"socket\": \"/run/b\"}\n"
        #expect(fb_write_all(ends[1], line, line.utf8.count) >= 0)
        #expect(ChildBroker.readySocket(ends[0], .zero) == "/run/b")
        #expect(ChildBroker.readySocket(ends[0], .zero) == nil)
    }

    @Test("a socket is tried once more when the time went over in an attempt")
    func socket() async throws {
        let arguments = try Arguments(["bridgectl", "ping", "--timeout", "1ms", "--wait-socket"])
        var attempts = 0
        let attempt = try await Waiting.forSocket(arguments) { () throws(BridgeError) -> Int in
            attempts += 1
            guard attempts == 1 else { return attempts }
            let end = fb_monotonic_ns() + 1_000_000
            while fb_monotonic_ns() <= end {}
            throw BridgeError(.unavailable, "nobody is there")
        }
        #expect(attempt == 2)
    }
}
