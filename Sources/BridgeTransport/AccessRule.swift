import Glibc

/// Who may talk to the broker: its own uid, root, and those named with `--allow-uid`.
public struct AccessRule: Sendable, Equatable {
    private let uids: Set<UInt32>

    /// Makes the rule.
    public init(own: UInt32 = geteuid(), allowed: [UInt32] = []) {
        uids = Set(allowed).union([own, 0])
    }

    /// Whether a peer with that uid is let in.
    public func admits(uid: UInt32) -> Bool {
        uids.contains(uid)
    }
}
