import BridgeProtocol
import BridgeTransport
import CLinux
import Glibc

/// The thread of one connection.
struct ChannelThread {
    private let channel: Channel
    private let fd: Int32
    private let wakeFd: Int32
    private let poll: Int32
    private var reader = FrameReader()
    private let chunk: UnsafeMutableRawBufferPointer
    private var waitsForRoom = false

    private static let chunkBytes = 64 << 10
    /// Several times what a socket holds (`net.core.wmem_default`, 212 992 bytes).
    private static let arrivedBytesMax = 1 << 20

    /// Starts a detached thread that owns both descriptors. Returns 0 or -errno.
    static func start(channel: Channel, fd: Int32, wakeFd: Int32) -> Int32 {
        let context = Unmanaged.passRetained(Context(channel: channel, fd: fd, wakeFd: wakeFd))
        var thread = pthread_t()
        let result = fb_thread_start(&thread, runThread, context.toOpaque())
        if result == 0 {
            pthread_detach(thread)
        } else {
            context.release()
        }
        return result
    }

    fileprivate final class Context {
        let channel: Channel
        let fd: Int32
        let wakeFd: Int32

        init(channel: Channel, fd: Int32, wakeFd: Int32) {
            self.channel = channel
            self.fd = fd
            self.wakeFd = wakeFd
        }
    }

    fileprivate init(_ context: Context) {
        channel = context.channel
        fd = context.fd
        wakeFd = context.wakeFd
        poll = fb_poll_create()
        chunk = .allocate(byteCount: Self.chunkBytes, alignment: 16)
    }

    /// Serves until the connection is over, then closes the descriptors.
    fileprivate mutating func run() {
        let reason = serve()
        channel.lose(reason)
        channel.requests.close {
            fb_close(fd)
            fb_close(wakeFd)
        }
        if poll >= 0 { fb_close(poll) }
        chunk.deallocate()
    }

    /// Returns why the connection is over.
    private mutating func serve() -> String {
        for descriptor in [fd, wakeFd] {
            let result = poll < 0 ? poll : fb_poll_add(poll, descriptor, descriptor, Self.input)
            if result < 0 { return "epoll: \(errorText(result))" }
        }
        var ready = [fb_ready](repeating: fb_ready(), count: 2)
        while !channel.mustStop {
            let count = fb_poll_wait(poll, &ready, 2, waitMs())
            guard count >= 0 else { return "epoll_wait: \(errorText(count))" }
            for event in ready.prefix(Int(count)) {
                if event.token == wakeFd {
                    fb_event_clear(wakeFd)
                } else if let reason = serve(event.events) {
                    return reason
                }
            }
            if let reason = expireCalls() { return reason }
            if let reason = flush() { return reason }
        }
        return "closed"
    }

    private mutating func serve(_ events: UInt32) -> String? {
        let inputs = Self.input | UInt32(FB_POLL_READ_HANGUP) | UInt32(FB_POLL_HANGUP)
        guard events & inputs != 0, case .over(let reason) = read() else { return nil }
        return reason
    }

    /// Gives up on the calls that are due, but for those whose answers had come when the time was
    /// looked at: a process that stood still past a deadline finds them in its socket.
    private mutating func expireCalls() -> String? {
        let due = channel.nearestDueNs
        guard due != .max else { return nil }
        let now = channel.nowNs
        guard due <= now else { return nil }
        if let reason = readWhatCame() { return reason }
        channel.expireCalls(nowNs: now)
        return nil
    }

    private func waitMs() -> Int32 {
        let due = channel.nearestDueNs
        guard due != .max else { return -1 }
        let now = channel.nowNs
        return due <= now ? 0 : Int32(clamping: (due - now).addingClamped(999_999) / 1_000_000)
    }

    /// What a read came to.
    private enum Reading {
        case nothing
        case bytes(Int)
        /// Why the connection is over.
        case over(String)
    }

    /// Reads once; the socket says again when there is more.
    private mutating func read() -> Reading {
        let count = fb_read(fd, chunk.baseAddress, chunk.count)
        if count == -Int(EAGAIN) { return .nothing }
        guard count > 0 else {
            return .over(
                count == 0 ? "the broker closed it" : "read: \(errorText(Int32(count)))")
        }
        reader.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        return deliver().map { .over($0) } ?? .bytes(count)
    }

    /// Reads what lies in the socket.
    ///
    /// Bounds: `arrivedBytesMax`, so that a broker that sends without end holds no call up.
    private mutating func readWhatCame() -> String? {
        var bytes = 0
        while bytes < Self.arrivedBytesMax {
            switch read() {
            case .nothing: return nil
            case .bytes(let count): bytes += count
            case .over(let reason): return reason
            }
        }
        return nil
    }

    private mutating func deliver() -> String? {
        while true {
            do throws(FrameReader.Fault) {
                guard let (frame, bytes) = try reader.next() else { return nil }
                channel.deliver(frame, bytes: bytes)
            } catch {
                switch error {
                case .frame(let id, let error): channel.fail(id, error)
                case .foreign(let text): return text
                }
            }
        }
    }

    /// Writes what callers could not, and asks to be told when there is room for the rest.
    private mutating func flush() -> String? {
        let isStalled: Bool
        switch channel.requests.flush() {
        case .done: isStalled = false
        case .stalled: isStalled = true
        case .failed(let result): return drainAfter(result)
        }
        guard isStalled != waitsForRoom else { return nil }
        waitsForRoom = isStalled
        let output = isStalled ? UInt32(FB_POLL_OUT) : 0
        let result = fb_poll_change(poll, fd, fd, Self.input | output)
        return result < 0 ? "epoll_ctl: \(errorText(result))" : nil
    }

    /// A broker that closes may have said why, and answered what it had taken: that is read first.
    private mutating func drainAfter(_ result: Int32) -> String {
        while true {
            let count = fb_read(fd, chunk.baseAddress, chunk.count)
            guard count > 0 else { return "write: \(errorText(result))" }
            reader.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            if let reason = deliver() { return reason }
        }
    }

    private static let input = UInt32(FB_POLL_IN)
}

private func runThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    let context = Unmanaged<ChannelThread.Context>.fromOpaque(pointer).takeRetainedValue()
    // Signals belong to the program's own threads.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var thread = ChannelThread(context)
    thread.run()
    return nil
}
