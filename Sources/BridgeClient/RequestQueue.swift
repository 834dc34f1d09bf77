import BridgeProtocol
import CLinux
import Glibc
import Synchronization

/// The writing side of a connection: requests become bytes here and leave at once, or when the
/// broker reads again.
///
/// Isolation: any thread; one lock guards the coder, the bytes and the descriptor's life.
final class RequestQueue: Sendable {
    fileprivate struct State {
        let coder = WireCoder(arenaBytesMax: 1 << 20)
        let bytes = ByteBuffer()
        var fd: Int32
        /// The largest frame that the broker takes.
        var frameBytesMax = 16_777_215
        /// The connection's thread waits until the socket takes bytes.
        var isStalled = false
        /// A negative errno, once a write has failed.
        var fault: Int32 = 0
    }

    /// What a flush came to.
    enum Flush {
        case done
        /// The socket takes no more for now.
        case stalled
        /// A negative errno.
        case failed(Int32)
    }

    /// Memory that an empty queue keeps for the next request.
    fileprivate static let keptBytesMax = 1 << 20

    private let state: Mutex<State>
    private let bytesMax: Int

    init(fd: Int32, bytesMax: Int) {
        state = Mutex(State(fd: fd))
        self.bytesMax = bytesMax
    }

    /// The largest frame that the broker takes, once its welcome has told.
    func limitFrames(to bytes: Int) {
        state.withLock { $0.frameBytesMax = bytes }
    }

    /// Encodes a frame and writes what the socket takes.
    ///
    /// Blocking: no.
    /// - Returns: true when the connection's thread has to be told that bytes are left.
    /// - Throws: LIMIT_EXCEEDED for a frame that is too large, and when too many bytes wait;
    ///   INVALID_ARGUMENT for a NUL in a text; UNAVAILABLE after `close`.
    func send(_ frame: ClientFrame) throws(BridgeError) -> Bool {
        try state.withLock { (state) throws(BridgeError) in
            guard state.fd >= 0 else {
                throw BridgeError(.unavailable, "the connection is closed")
            }
            guard state.bytes.count < bytesMax else { throw full(state.bytes.count) }
            let outcome = try state.coder.encode(
                frame, mode: .binary, into: state.bytes, bytesMax: state.frameBytesMax)
            if case .tooLarge(let bytes) = outcome {
                throw BridgeError(
                    .limitExceeded,
                    "the request takes \(bytes) bytes, the broker accepts \(state.frameBytesMax) "
                        + "(max_frame); send less at a time")
            }
            guard !state.isStalled else { return false }
            if case .done = state.flush() { return false }
            state.isStalled = true
            return true
        }
    }

    /// Writes what is left, when the socket takes bytes again.
    func flush() -> Flush {
        state.withLock { state in
            let result = state.flush()
            if case .done = result { state.isStalled = false }
            return result
        }
    }

    /// Ends the use of the descriptor and runs `end`, which closes it.
    func close(_ end: () -> Void) {
        state.withLock { state in
            guard state.fd >= 0 else { return }
            state.fd = -1
            end()
        }
    }

    /// Runs `work` if the descriptors are still open.
    func whileOpen(_ work: () -> Void) {
        state.withLock { state in
            if state.fd >= 0 { work() }
        }
    }

    private func full(_ bytes: Int) -> BridgeError {
        BridgeError(
            .limitExceeded,
            "\(bytes) bytes of requests wait for a broker that does not read, at most \(bytesMax) "
                + "may (queuedRequestBytesMax)", isRetryable: true)
    }
}

extension RequestQueue.State {
    fileprivate mutating func flush() -> RequestQueue.Flush {
        guard fault == 0 else { return .failed(fault) }
        while !bytes.isEmpty {
            let sent = fb_send(fd, bytes.readable.baseAddress, bytes.count)
            if sent == -Int(EAGAIN) { return .stalled }
            guard sent >= 0 else {
                fault = Int32(sent)
                return .failed(fault)
            }
            bytes.consume(sent)
        }
        if bytes.capacity > RequestQueue.keptBytesMax { bytes.removeAll(keepingCapacity: false) }
        return .done
    }
}
