import BridgeProtocol
import CLinux
import Foundation
import Synchronization
import TestSupport

/// The other end of a client, which does what a test says: also what no broker does.
final class ScriptedBroker: Sendable {
    /// One connection as the script sees it, on the connection's thread.
    final class Peer {
        fileprivate let fd: Int32
        fileprivate let coder = WireCoder()
        fileprivate(set) var isOpen = true

        fileprivate init(_ fd: Int32) { self.fd = fd }

        /// Sends an answer, or an event with id 0.
        func send(_ body: ServerFrame.Body, id: UInt64 = 0) {
            send(body.frame(id))
        }

        /// Sends bytes as they are.
        func send(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { fb_send(fd, $0.baseAddress, $0.count) }
                guard sent > 0 else { return }
                rest = rest.dropFirst(sent)
            }
        }

        /// Reads no more and closes.
        func close() { isOpen = false }
    }

    typealias Script = @Sendable (Peer, ClientFrame) -> Void

    let folder = PrivateFolder()
    let path: String
    /// Every frame that came, in order.
    let received: AsyncStream<ClientFrame>
    private let listener: Int32

    /// - Parameters:
    ///   - opened: runs when a connection is there, before anything is read; returns whether to read.
    ///   - script: runs for every frame but `hello`, which is answered as a broker does.
    init(
        opened: @escaping @Sendable (Peer) -> Bool = { _ in true },
        hello: @escaping Script = { peer, frame in peer.send(.welcome(.ours), id: frame.id) },
        script: @escaping Script = { _, _ in }
    ) {
        path = folder.file("s")
        listener = fb_socket_listen(path, 16)
        precondition(listener >= 0, "listen: \(listener)")
        let (stream, continuation) = AsyncStream.makeStream(of: ClientFrame.self)
        received = stream
        let listener = listener
        Thread.detachNewThread {
            while let fd = Self.accept(listener) {
                Thread.detachNewThread {
                    Self.serve(Peer(fd), opened, hello, script, continuation)
                }
            }
        }
    }

    /// Greets as a broker does, then runs a script for every frame.
    static func answering(_ script: @escaping Script) -> ScriptedBroker {
        ScriptedBroker(script: script)
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The first frame that came and fits.
    func first(_ fits: (ClientFrame.Body) -> Bool) async -> ClientFrame? {
        for await frame in received {
            if let body = frame.body, fits(body) { return frame }
        }
        return nil
    }

    private static func accept(_ listener: Int32) -> Int32? {
        while true {
            var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, -1)
            guard ready > 0, waiting.revents & Int16(POLLHUP) == 0 else {
                fb_close(listener)
                return nil
            }
            let fd = fb_socket_accept(listener)
            if fd < 0 { continue }
            _ = fcntl(fd, F_SETFL, 0)
            return fd
        }
    }

    private static func serve(
        _ peer: Peer, _ opened: (Peer) -> Bool, _ hello: Script, _ script: Script,
        _ received: AsyncStream<ClientFrame>.Continuation
    ) {
        defer { fb_close(peer.fd) }
        guard opened(peer) else {
            // Until the client closes: POLLRDHUP.
            var waiting = pollfd(fd: peer.fd, events: Int16(0x2000), revents: 0)
            poll(&waiting, 1, -1)
            return
        }
        while peer.isOpen, let frame = next(peer) {
            received.yield(frame)
            if case .hello = frame.body { hello(peer, frame) } else { script(peer, frame) }
        }
    }

    private static func next(_ peer: Peer) -> ClientFrame? {
        guard let head = read(peer, 4) else { return nil }
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        guard let message = read(peer, length) else { return nil }
        return message.withUnsafeBytes { try? peer.coder.decodeClientFrame(binary: $0) }
    }

    private static func read(_ peer: Peer, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            let got = bytes.withUnsafeMutableBytes {
                fb_read(peer.fd, $0.baseAddress.map { $0 + have }, count - have)
            }
            guard got > 0 else { return nil }
            have += got
        }
        return bytes
    }
}

extension ServerFrame.Body {
    /// The bytes of a frame with it.
    func frame(_ id: UInt64) -> [UInt8] {
        let buffer = ByteBuffer()
        let frame = with(ServerFrame()) {
            $0.id = id
            $0.body = self
        }
        WireCoder().encode(frame, mode: .binary, into: buffer)
        return Array(buffer.readable)
    }
}

extension WelcomeReply {
    /// What a broker of this version says.
    static var ours: WelcomeReply {
        with(WelcomeReply()) {
            $0.protocolMajor = 1
            $0.brokerVersion = "0.1.0"
            $0.schemaSha256 = Schema.sha256
            $0.maxFrame = 1 << 20
        }
    }
}
