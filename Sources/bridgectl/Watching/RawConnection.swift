import BridgeClient
import BridgeProtocol
import CLinux
import Glibc

/// A connection on which this program speaks the protocol itself, frame by frame.
///
/// Blocking: every call waits, for at most the time of `--timeout` where it says so.
final class RawConnection {
    /// What the broker said at the start.
    private(set) var welcome = WelcomeReply()
    let path: String
    let mode: WireMode
    private let fd: Int32
    private let timeoutMs: Int32
    private let coder = WireCoder()
    private let buffer = ByteBuffer(capacity: 64 << 10)
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)

    private init(fd: Int32, path: String, mode: WireMode, timeoutMs: Int32) {
        self.fd = fd
        self.path = path
        self.mode = mode
        self.timeoutMs = timeoutMs
    }

    deinit {
        fb_close(fd)
    }

    /// Connects and greets the broker.
    static func open(
        _ arguments: Arguments, mode: WireMode = .binary, greets: Bool = true
    ) async throws(Exit) -> RawConnection {
        var options = ClientOptions(clientName: "bridgectl", deadline: arguments.timeout)
        options.connectDeadline = arguments.timeout
        options.trustedUids.formUnion(arguments.trustedUids)
        let made: (fd: Int32, path: String)
        do throws(BridgeError) {
            made = try await Waiting.forSocket(arguments) { () throws(BridgeError) in
                try await BridgeClient.openSocket(path: arguments.socket, options: options)
            }
        } catch {
            throw .unreachable(error)
        }
        let connection = RawConnection(
            fd: made.fd, path: made.path, mode: mode, timeoutMs: arguments.timeout.wholeMs)
        if greets { try connection.greet() }
        return connection
    }

    private func greet() throws(Exit) {
        let hello = with(HelloRequest()) {
            $0.protocolMajor = ClientOptions.protocolMajor
            $0.protocolMinor = ClientOptions.protocolMinor
            $0.clientName = "bridgectl"
        }
        guard case .welcome(let reply) = try call(.hello(hello), id: 1) else {
            throw .failure("\(path) answered hello with something else")
        }
        welcome = reply
    }

    /// Sends a request and waits for its answer; other frames that come first are passed over.
    func call(_ body: ClientFrame.Body, id: UInt64) throws(Exit) -> ServerFrame.Body {
        try send(body, id: id)
        while let frame = try next(waitMs: timeoutMs) {
            if case .error(let error) = frame.body, frame.id == id || frame.id == 0 {
                throw .answered(body.method.name, error.bridgeError)
            }
            if frame.id == id, let answer = frame.body { return answer }
        }
        throw .lost(path)
    }

    /// Sends a request without waiting for its answer.
    func send(_ body: ClientFrame.Body, id: UInt64) throws(Exit) {
        var frame = ClientFrame()
        frame.id = id
        frame.body = body
        try send(frame)
    }

    /// Sends a frame without waiting for its answer.
    func send(_ frame: ClientFrame) throws(Exit) {
        let output = ByteBuffer()
        do throws(BridgeError) {
            try coder.encode(frame, mode: mode, into: output)
        } catch {
            throw .answered(frame.body?.method.name ?? "a frame", error)
        }
        try send(output.readable)
    }

    /// Sends bytes as they are.
    func send(_ bytes: UnsafeRawBufferPointer) throws(Exit) {
        var rest = bytes
        while !rest.isEmpty {
            let count = fb_send(fd, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count == -Int(EAGAIN) {
                try wait(Int16(POLLOUT), timeoutMs)
            } else {
                throw .lost(path)
            }
        }
    }

    /// The next frame; nil when the broker has closed the connection.
    ///
    /// - Parameter waitMs: -1: as long as it takes.
    func next(waitMs: Int32 = -1) throws(Exit) -> ServerFrame? {
        while true {
            if let frame = try takeFrame() { return frame }
            guard try readSome(waitMs) else { return nil }
        }
    }

    private func readSome(_ waitMs: Int32) throws(Exit) -> Bool {
        while true {
            let count = fb_read(fd, &chunk, chunk.count)
            if count > 0 {
                chunk.withUnsafeBytes {
                    buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
                return true
            }
            guard count == -Int(EAGAIN) else { return false }
            try wait(Int16(POLLIN), waitMs)
        }
    }

    private func wait(_ events: Int16, _ waitMs: Int32) throws(Exit) {
        var state = pollfd(fd: fd, events: events, revents: 0)
        let count = poll(&state, 1, waitMs)
        if count == 0 {
            throw Exit(code: ExitCode.timeout, message: "\(path) did not answer in time")
        }
    }

    private func takeFrame() throws(Exit) -> ServerFrame? {
        let bytes = buffer.readable
        guard let first = bytes.first else { return nil }
        let isLine = first == UInt8(ascii: "{")
        let length: Int
        if isLine {
            guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
            length = end + 1
        } else {
            guard bytes.count >= 4 else { return nil }
            length = 4 + bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count >= length else { return nil }
        }
        defer { buffer.consume(length) }
        do {
            let frame = UnsafeRawBufferPointer(rebasing: bytes[(isLine ? 0 : 4)..<length])
            return isLine
                ? try coder.decodeServerFrame(line: frame)
                : try coder.decodeServerFrame(binary: frame)
        } catch {
            throw .failure("\(path) sent what is no frame of this protocol")
        }
    }
}

extension Exit {
    /// No connection came about.
    static func unreachable(_ error: BridgeError) -> Exit {
        let code = error.code == .deadlineExceeded ? ExitCode.timeout : ExitCode.unreachable
        let hint = error.code == .permissionDenied ? " (--broker-uid UID)" : ""
        return Exit(code: code, message: error.message + hint)
    }

    /// The connection ended.
    static func lost(_ path: String) -> Exit {
        Exit(
            code: ExitCode.bridge + BridgeError.Code.unavailable.number,
            message: "the connection to \(path) is lost")
    }
}

extension Duration {
    /// Rounded up, as far as a wait can be.
    var wholeMs: Int32 {
        let (seconds, attoseconds) = components
        return Int32(
            clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
