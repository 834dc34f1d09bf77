import BridgeProtocol
import CLinux

/// The end of a call on this host's monotonic clock, and as the broker is told it.
struct Deadline: Sendable {
    /// Nanoseconds of the monotonic clock; nil: none.
    let dueNs: UInt64?
    /// For `deadline_ms` of the frame, rounded up; 0: none.
    let ms: UInt32

    static let none = Deadline(dueNs: nil, ms: 0)

    init(dueNs: UInt64?, ms: UInt32) {
        self.dueNs = dueNs
        self.ms = ms
    }

    /// Counts a span from now on.
    ///
    /// - Throws: DEADLINE_EXCEEDED for a span that is over already.
    init(_ span: Duration?) throws(BridgeError) {
        guard let span else {
            self = .none
            return
        }
        guard span > .zero else {
            throw BridgeError(
                .deadlineExceeded, "the deadline of \(span) had passed before the call",
                isRetryable: true)
        }
        let ns = span.nanoseconds
        self.init(
            dueNs: fb_monotonic_ns().addingClamped(ns),
            ms: UInt32(clamping: (ns.addingClamped(999_999)) / 1_000_000))
    }
}

extension Duration {
    /// Whole nanoseconds, 0 for what is negative, clamped to 64 bits.
    var nanoseconds: UInt64 {
        guard components.seconds >= 0, components.attoseconds >= 0 else { return 0 }
        let (ns, overflow) = UInt64(components.seconds).multipliedReportingOverflow(
            by: 1_000_000_000)
        return overflow ? .max : ns.addingClamped(UInt64(components.attoseconds) / 1_000_000_000)
    }
}

extension UInt64 {
    /// The sum, or the largest number.
    func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
