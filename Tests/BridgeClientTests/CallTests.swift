import BridgeProtocol
import Foundation
import Synchronization
import Testing

@testable import BridgeClient

@Suite("Calls", .shared)
struct CallTests {
    private func connect(_ broker: ScriptedBroker) async throws -> BridgeClient {
        try await BridgeClient.connect(path: broker.path, clientName: "test")
    }

    @Test("answers are matched by id, whatever their order")
    func reversedAnswers() async throws {
        let waiting = Mutex<[ClientFrame]>([])
        let broker = ScriptedBroker.answering { peer, frame in
            let all = waiting.withLock { frames in
                frames.append(frame)
                return frames
            }
            guard all.count == 100 else { return }
            for frame in all.reversed() {
                guard case .ping(let ping) = frame.body else { continue }
                peer.send(.ping(with(PingReply()) { $0.payload = ping.payload }), id: frame.id)
            }
        }
        let client = try await connect(broker)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt8(0)..<100 {
                group.addTask {
                    let reply = try await client.ping(with(PingRequest()) { $0.payload = [number] })
                    #expect(reply.payload == [number])
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("an error is thrown with all that the broker said")
    func thrownError() async throws {
        let broker = ScriptedBroker.answering { peer, frame in
            let error = BridgeError(
                .notFound, "no view", field: "present.view_id", isRetryable: true)
            peer.send(.error(ErrorReply(error)), id: frame.id)
        }
        let client = try await connect(broker)
        let thrown = await error { () async throws(BridgeError) in
            try await client.present(viewId: "x")
        }
        #expect(thrown?.code == .notFound)
        #expect(thrown?.message == "no view")
        #expect(thrown?.field == "present.view_id")
        #expect(thrown?.isRetryable == true)
    }

    @Test("an error of the SDK keeps its code and name")
    func sdkError() async throws {
        let broker = ScriptedBroker.answering { peer, frame in
            let sdk = BridgeError.SDK(code: 2002, name: "notActivated", message: "activate first")
            peer.send(.error(ErrorReply(BridgeError(sdk: sdk, isRetryable: false))), id: frame.id)
        }
        let client = try await connect(broker)
        let thrown = await error { () async throws(BridgeError) in try await client.profile() }
        #expect(thrown?.sdk?.code == 2002)
        #expect(thrown?.sdk?.name == "notActivated")
    }

    @Test("a call that has no answer ends by its deadline, and the broker is told to stop")
    func deadline() async throws {
        let broker = ScriptedBroker()
        let client = try await connect(broker)
        let limit = .milliseconds(80) + Tolerance.call
        let took = await Tolerance.shortest(enough: limit) {
            let thrown = await error { () async throws(BridgeError) in
                try await client.getFlow(placementId: "x", deadline: .milliseconds(80))
            }
            #expect(thrown?.code == .deadlineExceeded)
        }
        #expect(took >= .milliseconds(80))
        #expect(took < limit)
        var id: UInt64?
        for await frame in broker.received {
            if case .getFlow = frame.body, id == nil {
                id = frame.id
                #expect(frame.deadlineMs == 80)
            }
            guard case .cancel(let cancel) = frame.body else { continue }
            #expect(cancel.id == id)
            #expect(frame.id == 0)
            break
        }
    }

    @Test("a deadline covers the write: a broker that reads nothing costs no more than it")
    func deadlineOfWrite() async throws {
        let gate = Gate()
        let broker = ScriptedBroker(
            hello: { peer, frame in
                peer.send(.welcome(.ours), id: frame.id)
                gate.wait()
            })
        defer { gate.open() }
        let client = try await connect(broker)
        let limit = .milliseconds(200) + Tolerance.call
        let took = await Tolerance.shortest(enough: limit) {
            await withTaskGroup(of: BridgeError?.self) { group in
                for _ in 0..<8 { group.addTask { await thrownByLargePing(client) } }
                for await thrown in group { #expect(thrown?.code == .deadlineExceeded) }
            }
        }
        #expect(took < limit)
    }

    private func thrownByLargePing(_ client: BridgeClient) async -> BridgeError? {
        await error { () async throws(BridgeError) in
            let large = [UInt8](repeating: 1, count: 512 << 10)
            return try await client.ping(
                with(PingRequest()) { $0.payload = large }, deadline: .milliseconds(200))
        }
    }

    @Test("bytes that the socket did not take leave when the broker reads again")
    func stalledWrite() async throws {
        let gate = Gate()
        let broker = ScriptedBroker(
            hello: { peer, frame in
                peer.send(.welcome(.ours), id: frame.id)
                gate.wait()
            },
            script: { peer, frame in
                guard case .ping(let ping) = frame.body else { return }
                peer.send(.ping(with(PingReply()) { $0.payload = ping.payload }), id: frame.id)
            })
        let client = try await connect(broker)
        let payload = (0..<(900 << 10)).map { UInt8(truncatingIfNeeded: $0) }
        async let first = client.ping(with(PingRequest()) { $0.payload = payload })
        async let second = client.ping(with(PingRequest()) { $0.payload = payload.reversed() })
        gate.open()
        #expect(try await first.payload == payload)
        #expect(try await second.payload == payload.reversed())
    }

    @Test("a deadline that is over before the call sends nothing", arguments: [0, -5])
    func pastDeadline(ms: Int) async throws {
        let client = try await connect(ScriptedBroker())
        let thrown = await error { () async throws(BridgeError) in
            try await client.ping(deadline: .milliseconds(ms))
        }
        #expect(thrown?.code == .deadlineExceeded)
    }

    @Test("GEN-10 a cancelled task cancels its request and throws the broker's own answer")
    func cancelledTask() async throws {
        let call = Mutex<UInt64>(0)
        let broker = ScriptedBroker.answering { peer, frame in
            switch frame.body {
            case .getFlow: call.withLock { $0 = frame.id }
            case .cancel(let cancel):
                #expect(cancel.id == call.withLock { $0 })
                let sdk = BridgeError.SDK(code: 9000, name: "operationInterrupted", message: "")
                let error = BridgeError(sdk: sdk, isRetryable: false)
                peer.send(.error(ErrorReply(error)), id: cancel.id)
            default: break
            }
        }
        let client = try await connect(broker)
        let task = Task {
            await error { () async throws(BridgeError) in
                try await client.getFlow(placementId: "x")
            }
        }
        _ = await broker.first { if case .getFlow = $0 { true } else { false } }
        task.cancel()
        #expect(await task.value?.sdk?.code == 9000)
    }

    @Test("a cancelled task whose broker is silent ends with CANCELLED soon")
    func cancelledTaskOfSilentBroker() async throws {
        let broker = ScriptedBroker()
        let client = try await connect(broker)
        let limit = Duration.milliseconds(100) + Tolerance.call
        let took = await Tolerance.shortest(enough: limit) {
            let task = Task {
                await error { () async throws(BridgeError) in
                    try await client.getFlow(placementId: "x")
                }
            }
            _ = await broker.first { if case .getFlow = $0 { true } else { false } }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
        #expect(took < limit)
    }

    @Test("a task that was cancelled before the call ends too")
    func cancelledBefore() async throws {
        let client = try await connect(ScriptedBroker())
        let task = Task {
            await error { () async throws(BridgeError) in
                await Task { withUnsafeCurrentTask { $0?.cancel() } }.value
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.ping()
            }
        }
        #expect(await task.value?.code == .cancelled)
    }

    @Test("a broker that dies fails every waiting call with UNAVAILABLE and the path")
    func lostConnection() async throws {
        let broker = ScriptedBroker.answering { peer, frame in
            if case .status = frame.body { peer.close() }
        }
        let client = try await connect(broker)
        async let flow = error { () async throws(BridgeError) in
            try await client.getFlow(placementId: "x")
        }
        _ = await broker.first { if case .getFlow = $0 { true } else { false } }
        let status = await error { () async throws(BridgeError) in try await client.status() }
        for thrown in [await flow, status] {
            #expect(thrown?.code == .unavailable)
            #expect(thrown?.message.contains(broker.path) == true)
        }
        let later = await error { () async throws(BridgeError) in try await client.ping() }
        #expect(later?.code == .unavailable)
    }

    @Test("what the broker said before it closed is part of the error")
    func lastWords() async throws {
        let broker = ScriptedBroker.answering { peer, _ in
            peer.send(.error(ErrorReply(BridgeError(.limitExceeded, "you did not read"))))
            peer.close()
        }
        let client = try await connect(broker)
        let thrown = await error { () async throws(BridgeError) in try await client.ping() }
        #expect(thrown?.code == .unavailable)
        #expect(thrown?.message.contains("LIMIT_EXCEEDED: you did not read") == true)
    }

    @Test("close fails what waits, and a second close changes nothing")
    func close() async throws {
        let broker = ScriptedBroker()
        let client = try await connect(broker)
        async let flow = error { () async throws(BridgeError) in
            try await client.getFlow(placementId: "x")
        }
        _ = await broker.first { if case .getFlow = $0 { true } else { false } }
        client.close()
        client.close()
        #expect(await flow?.message.contains("closed by this client") == true)
    }

    @Test("a request over the broker's max_frame is refused here, with both sizes")
    func tooLarge() async throws {
        let client = try await connect(ScriptedBroker())
        let payload = [UInt8](repeating: 1, count: 1 << 20)
        let thrown = await error { () async throws(BridgeError) in
            try await client.ping(with(PingRequest()) { $0.payload = payload })
        }
        #expect(thrown?.code == .limitExceeded)
        #expect(thrown?.message.contains("\(1 << 20)") == true)
    }

    @Test("requests that wait for a broker that does not read are bounded in bytes")
    func queueLimit() async throws {
        let gate = Gate()
        let broker = ScriptedBroker(
            hello: { peer, frame in
                peer.send(.welcome(.ours), id: frame.id)
                gate.wait()
            })
        defer { gate.open() }
        var options = ClientOptions(clientName: "test", deadline: .milliseconds(500))
        options.queuedRequestBytesMax = 1 << 20
        let client = try await BridgeClient.connect(path: broker.path, options: options)
        let codes = await withTaskGroup(of: BridgeError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await error { () async throws(BridgeError) in
                        let large = [UInt8](repeating: 1, count: 900 << 10)
                        return try await client.ping(with(PingRequest()) { $0.payload = large })
                    }?.code
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(codes == [.limitExceeded, .deadlineExceeded])
    }

    @Test("a text with U+0000 is refused here")
    func nul() async throws {
        let client = try await connect(ScriptedBroker())
        let thrown = await error { () async throws(BridgeError) in
            try await client.getFlow(placementId: "a\u{0}b")
        }
        #expect(thrown?.code == .invalidArgument)
    }

    @Test("letting go of a client ends its connection")
    func forgottenClient() async throws {
        let broker = ScriptedBroker(opened: { _ in true })
        var client: BridgeClient? = try await connect(broker)
        let channel = try #require(client?.channel)
        client = nil
        let thrown = await error { () async throws(BridgeError) in
            try await channel.exchange(.ping(PingRequest()), deadline: .none, queue: nil)
        }
        #expect(thrown?.code == .unavailable)
    }
}
