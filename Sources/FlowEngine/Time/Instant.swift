/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
///
/// The engine never asks what time it is; every instant comes in with an input (GEN-3).
public struct Instant: Sendable, Hashable, Comparable, Codable {
    /// Milliseconds since the Unix epoch; negative before 1970.
    public var ms: Int64

    /// Makes an instant from milliseconds since the Unix epoch.
    public init(ms: Int64) {
        self.ms = ms
    }

    /// Whether it is the earlier one.
    public static func < (a: Instant, b: Instant) -> Bool {
        a.ms < b.ms
    }

    /// The instant that many milliseconds later; stops at the ends of the range.
    public func advanced(byMs span: Int64) -> Instant {
        let (sum, overflow) = ms.addingReportingOverflow(span)
        return Instant(ms: overflow ? (span < 0 ? .min : .max) : sum)
    }
}
