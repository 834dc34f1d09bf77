import BridgeProtocol
import BridgeTransport
import CLinux
import Glibc

/// The way to a connected descriptor.
struct Connecting {
    let path: String
    let deadline: Deadline

    /// Between two attempts at a broker whose backlog is full.
    private static let retryInterval = Duration.milliseconds(5)

    /// Connects without blocking; waits while the broker's backlog is full.
    ///
    /// - Throws: UNAVAILABLE with the path, the reason and what to do; DEADLINE_EXCEEDED;
    ///   CANCELLED.
    func open() async throws(BridgeError) -> Int32 {
        while true {
            // Looked at before: past the deadline there is one attempt more.
            let isLast = deadline.dueNs.map { fb_monotonic_ns() >= $0 } ?? false
            let fd = fb_socket_connect_now(path)
            if fd >= 0 { return fd }
            guard fd == -EAGAIN else { throw refusal(fd) }
            if isLast {
                throw BridgeError(
                    .deadlineExceeded, "the broker at \(path) did not accept a connection in time",
                    isRetryable: true)
            }
            do {
                try await Task.sleep(for: Self.retryInterval)
            } catch {
                throw BridgeError(.cancelled, "connecting to \(path) was cancelled")
            }
        }
    }

    private func refusal(_ result: Int32) -> BridgeError {
        BridgeError(
            .unavailable, "cannot connect to \(path): \(errorText(result)); \(advice(result))",
            isRetryable: true)
    }

    private func advice(_ result: Int32) -> String {
        if let advice = shortageAdvice(result) { return advice }
        if path.hasPrefix("@") { return "start flowbridged --socket \(path)" }
        var info = fb_file_info()
        let looked = fb_file_look(path, &info)
        if result == -EACCES || looked == -EACCES {
            return "run as the user whose broker it is, or as root"
        }
        if looked >= 0, info.kind != FB_FILE_NONE, info.kind != FB_FILE_SOCKET {
            return "it is no socket; name the broker's with --socket or FLOWBRIDGE_SOCKET"
        }
        if result == -ECONNREFUSED { return "no broker listens there any more; start flowbridged" }
        return "start flowbridged, or name its socket with --socket or FLOWBRIDGE_SOCKET"
    }
}

/// What to do when this process or the host is short of something; nil: it is something else.
func shortageAdvice(_ result: Int32) -> String? {
    switch -result {
    case EMFILE: "close descriptors of this process, or raise its limit (ulimit -n)"
    case ENFILE: "the host has no descriptors left (fs.file-max)"
    case ENOMEM, ENOBUFS: "the host has no memory left for it"
    case EAGAIN: "this user has as many threads as allowed (ulimit -u)"
    default: nil
    }
}
