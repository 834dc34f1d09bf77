import BridgeProtocol
import CLinux
import Foundation
import TestSupport
import Testing

@testable import BridgeClient

@Suite("Connecting", .shared)
struct ConnectingTests {
    private let folder = PrivateFolder()

    private func failure(
        _ path: String, _ change: (inout ClientOptions) -> Void = { _ in }
    ) async -> BridgeError? {
        var options = ClientOptions(clientName: "test")
        change(&options)
        return await error { () async throws(BridgeError) in
            try await BridgeClient.connect(path: path, options: options)
        }
    }

    @Test("a missing socket is UNAVAILABLE with path, reason and what to do")
    func missingSocket() async {
        let path = folder.file("none")
        let error = await failure(path)
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains(path) == true)
        #expect(error?.message.contains("No such file or directory") == true)
        #expect(error?.message.contains("start flowbridged") == true)
    }

    @Test("a socket that nobody listens at says that the broker ended")
    func staleSocket() async {
        let path = folder.file("stale")
        fb_close(fb_socket_listen(path, 1))
        let error = await failure(path)
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("Connection refused") == true)
        #expect(error?.message.contains("no broker listens there any more") == true)
    }

    @Test("a file that is no socket is called so")
    func regularFile() async throws {
        let path = folder.file("file")
        try "x".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await failure(path)?.message.contains("it is no socket") == true)
    }

    @Test("a path of 108 bytes is refused with its length and the limit")
    func longPath() async {
        let path = "/" + String(repeating: "x", count: 107)
        let error = await failure(path)
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("108 bytes, at most 107") == true)
    }

    @Test("an abstract socket connects by its @name")
    func abstractSocket() async {
        let name = "@bridge-client-test-\(UUID().uuidString)"
        #expect(await failure(name)?.message.contains(name) == true)
    }

    @Test("a broker of a user that is not trusted is left alone, and its uid is named")
    func untrustedUser() async {
        let broker = ScriptedBroker()
        let error = await failure(broker.path) { $0.trustedUids = [4_242] }
        #expect(error?.code == .permissionDenied)
        #expect(error?.message.contains("runs as uid \(geteuid())") == true)
        #expect(error?.message.contains("4242") == true)
    }

    @Test("another major version is WRONG_STATE and names both")
    func otherMajorVersion() async {
        let broker = ScriptedBroker(hello: { peer, frame in
            peer.send(.welcome(with(.ours) { $0.protocolMajor = 7 }), id: frame.id)
        })
        let error = await failure(broker.path)
        #expect(error?.code == .wrongState)
        #expect(error?.message.contains("7.0") == true)
        #expect(error?.message.contains("1.1") == true)
    }

    @Test("what the broker says against the hello is thrown with the path")
    func refusedHello() async {
        let broker = ScriptedBroker(hello: { peer, frame in
            let refusal = BridgeError(.invalidArgument, "protocol 1.0 is not spoken here")
            peer.send(.error(ErrorReply(refusal)), id: frame.id)
            peer.close()
        })
        let error = await failure(broker.path)
        #expect(error?.code == .invalidArgument)
        #expect(error?.message == "\(broker.path): protocol 1.0 is not spoken here")
    }

    @Test("a refusal in a line of JSON, before the mode is known, is understood")
    func refusalAsLine() async {
        let broker = ScriptedBroker(opened: { peer in
            let line =
                #"{"id":"0","error":{"bridge":"PERMISSION_DENIED","message":"uid 1 may not"}}"#
            peer.send(Array((line + "\n").utf8))
            peer.close()
            return true
        })
        let error = await failure(broker.path)
        #expect(error?.code == .permissionDenied)
        #expect(error?.message.contains("uid 1 may not") == true)
    }

    @Test("another program's greeting is no broker's", arguments: ["SSH-2.0-x\r\n", "[1]", "x"])
    func foreignProgram(greeting: String) async {
        let broker = ScriptedBroker(opened: { peer in
            peer.send(Array(greeting.utf8))
            return true
        })
        let error = await failure(broker.path)
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("is another program listening there?") == true)
    }

    @Test("a broker that never answers hello costs the connect deadline and no more")
    func silentBroker() async {
        let broker = ScriptedBroker(opened: { _ in false })
        let limit = .milliseconds(50) + Tolerance.call
        let took = await Tolerance.shortest(enough: limit) {
            let error = await failure(broker.path) { $0.connectDeadline = .milliseconds(50) }
            #expect(error?.code == .deadlineExceeded)
        }
        #expect(took < limit)
    }

    @Test("the welcome is kept")
    func welcome() async throws {
        let broker = ScriptedBroker()
        let client = try await BridgeClient.connect(path: broker.path, clientName: "me")
        #expect(client.welcome == .ours)
        #expect(client.path == broker.path)
        guard case .hello(let hello) = await broker.first({ _ in true })?.body else {
            Issue.record("hello has to be the first frame")
            return
        }
        #expect(hello.clientName == "me")
        #expect(hello.protocolMajor == 1)
    }
}
