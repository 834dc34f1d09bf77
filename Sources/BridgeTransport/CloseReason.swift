/// Reasons for the end of a connection that somebody has to tell from others.
public enum CloseReason {
    /// It ended its input, and all its answers are out.
    public static let peerClosed = "the peer closed its side"
    /// It hung up.
    public static let peerGone = "the peer is gone"
    /// The broker ends.
    public static let stopped = "the broker stopped"

    /// System calls that serve one connection.
    enum Call: String, CaseIterable {
        case read, write
        case watch = "epoll_ctl"
    }

    /// A system call on it failed; `result` is the negative errno that it gave.
    static func failed(_ call: Call, _ result: Int32) -> String {
        "\(call.rawValue): \(errorText(result))"
    }

    /// Whether a system call on it failed.
    public static func isFailedCall(_ reason: String) -> Bool {
        Call.allCases.contains { reason.hasPrefix($0.rawValue + ": ") }
    }
}
