import BridgeProtocol

/// How long to wait after failed accepts: each wait is twice the one before, up to a limit.
///
/// Bounds: `acceptBackoffMs` and `acceptBackoffMaxMs` in `Limits.swift`.
struct AcceptBackoff {
    private var lastMs: UInt64 = 0

    /// The wait after one more failure, milliseconds.
    mutating func failed(_ limits: Limits) -> UInt64 {
        lastMs = min(max(limits.acceptBackoffMs, lastMs * 2), limits.acceptBackoffMaxMs)
        return lastMs
    }

    /// A connection was let in: the next failure waits the shortest time again.
    mutating func succeeded() { lastMs = 0 }
}
