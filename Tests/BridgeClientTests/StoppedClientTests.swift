import BridgeProtocol
import CLinux
import Foundation
import Synchronization
import Testing

@testable import BridgeClient

/// The clock tells when the connection's thread looks at the time. It says that every deadline is
/// over by then, as to a process that was stopped on the way there.
@Suite("Calls of a client that stood still", .shared)
struct StoppedClientTests {
    private let peer: Int32
    private let own: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(fb_socket_pair(&ends) == 0)
        (peer, own) = (ends[0], ends[1])
        try #require(fcntl(own, F_SETFL, O_NONBLOCK) == 0)
    }

    /// A channel whose first look at the time comes when `bytes` lie in its socket.
    private func channel(_ bytes: [UInt8] = []) throws -> Channel {
        let peer = peer
        let mustSend = Mutex(!bytes.isEmpty)
        let options = ClientOptions(clientName: "test")
        return try Channel(fd: own, path: "@stopped", options: options) {
            mustSend.withLock { isDue in
                if isDue { #expect(fb_send(peer, bytes, bytes.count) == bytes.count) }
                isDue = false
            }
            return .max
        }
    }

    private func outcome(
        of body: ClientFrame.Body, on channel: Channel
    ) async throws -> ServerFrame.Body {
        defer {
            channel.close()
            fb_close(peer)
        }
        return try await channel.exchange(body, deadline: Deadline(dueNs: 1, ms: 1), queue: nil)
    }

    @Test("a call past its deadline has the answer that lies in the socket")
    func call() async throws {
        let reply = with(PingReply()) { $0.payload = [7] }
        let answer = try await outcome(
            of: .ping(PingRequest()), on: channel(ServerFrame.Body.ping(reply).frame(1)))
        #expect(answer == .ping(reply))
    }

    @Test("a greeting past its deadline has the welcome that lies in the socket")
    func greeting() async throws {
        let answer = try await outcome(
            of: .hello(HelloRequest()), on: channel(ServerFrame.Body.welcome(.ours).frame(1)))
        #expect(answer == .welcome(.ours))
    }

    @Test("an answer behind much else in the socket is found")
    func farBehind() async throws {
        let other = ServerFrame.Body.ping(PingReply()).frame(99)
        let before = repeatElement(other, count: 100_000 / other.count).joined()
        let answer = try await outcome(
            of: .ping(PingRequest()),
            on: channel(before + ServerFrame.Body.ping(PingReply()).frame(1)))
        #expect(answer == .ping(PingReply()))
    }

    @Test("a call past its deadline without an answer is given up")
    func noAnswer() async throws {
        let channel = try channel()
        let thrown = await #expect(throws: BridgeError.self) {
            try await outcome(of: .ping(PingRequest()), on: channel)
        }
        #expect(thrown?.code == .deadlineExceeded)
    }

    @Test("a broker that sends without end holds no call up")
    func endless() async throws {
        let frames = Array(
            repeatElement(ServerFrame.Body.ping(PingReply()).frame(99), count: 1_000).joined())
        let peer = peer
        let ended = Gate()
        Thread.detachNewThread {
            while fb_send(peer, frames, frames.count) > 0 {}
            ended.open()
        }
        let channel = try channel()
        let thrown = await #expect(throws: BridgeError.self) {
            try await channel.exchange(
                .ping(PingRequest()), deadline: Deadline(dueNs: 1, ms: 1), queue: nil)
        }
        #expect(thrown?.code == .deadlineExceeded)
        channel.close()
        ended.wait()
        fb_close(peer)
    }
}
