/// Reasons for the end of a connection that somebody has to tell from others.
public enum CloseReason {
    /// It ended its input, and all its answers are out.
    public static let peerClosed = "the peer closed its side"
    /// It hung up.
    public static let peerGone = "the peer is gone"
    /// The broker ends.
    public static let stopped = "the broker stopped"
}
