import BridgeProtocol
import Glibc

/// A client made of nothing but system calls, which no table of faults is under: it says what it
/// has to say and keeps what comes, without ever waiting.
final class RawClient {
    private(set) var frames: [ServerFrame] = []
    /// The broker has closed, or the kernel says that nobody is there.
    private(set) var isCut = false
    private let fd: Int32
    private let coder = WireCoder()
    private var unsent: [UInt8] = []
    private var unread: [UInt8] = []

    /// Connects at once: the listener's backlog takes it.
    init(path: String) {
        fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        isCut = result < 0
    }

    deinit { close(fd) }

    func say(_ bytes: [UInt8]) {
        unsent += bytes
        turn()
    }

    func endInput() { shutdown(fd, Int32(SHUT_WR)) }

    /// Sends and reads what is possible at this moment, at most so many bytes.
    func turn(readMax: Int = 65_536) {
        while !unsent.isEmpty, !isCut {
            let sent = unsent.withUnsafeBytes {
                send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { break }
            unsent.removeFirst(sent)
        }
        var chunk = [UInt8](repeating: 0, count: readMax)
        let count = read(fd, &chunk, chunk.count)
        if count > 0 {
            unread += chunk[..<count]
            takeFrames()
        } else if count == 0 || errno != EAGAIN {
            isCut = true
        }
    }

    /// The answer to a request; nil until it came.
    func answer(_ id: UInt64) -> ServerFrame.Body? {
        frames.first { $0.id == id && id != 0 }?.body
    }

    /// Events, in the order in which they came.
    var events: [Event] {
        frames.compactMap { if case .event(let event) = $0.body { event } else { nil } }
    }

    private func takeFrames() {
        while let first = unread.first {
            var frame: ServerFrame?
            if first == UInt8(ascii: "{") {
                guard let end = unread.firstIndex(of: 0x0A) else { return }
                frame = try? unread[..<end].withUnsafeBytes {
                    try coder.decodeServerFrame(line: $0)
                }
                unread.removeFirst(end + 1)
            } else {
                let length = unread.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                guard unread.count >= 4 + length, unread.count >= 4 else { return }
                frame = try? unread[4..<4 + length].withUnsafeBytes {
                    try coder.decodeServerFrame(binary: $0)
                }
                unread.removeFirst(4 + length)
            }
            if let frame { frames.append(frame) }
        }
    }
}
