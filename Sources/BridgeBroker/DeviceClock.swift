import FlowEngine

/// The clock of one device (GEN-3).
struct DeviceClock {
    /// The years 1 to 9999, in Unix ms: further no calendar goes here (IN-93).
    static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Whether time passes by itself.
    let isManual: Bool
    /// What the clock showed at `startedAtNs`; for a manual one, what it shows.
    private var base: Instant
    private let startedAtNs: UInt64

    init(isManual: Bool, start: Instant, nowNs: UInt64) {
        self.isManual = isManual
        base = start
        startedAtNs = nowNs
    }

    /// What the clock shows. A real one runs with the host's monotonic clock, so that a change of
    /// the host's date moves nothing.
    func now(atNs nowNs: UInt64) -> Instant {
        guard !isManual, nowNs > startedAtNs else { return base }
        return base.advanced(byMs: Int64((nowNs - startedAtNs) / 1_000_000))
    }

    /// When, on the monotonic clock, a real clock shows that instant.
    func monotonicNs(of instant: Instant) -> UInt64 {
        let span = max(0, instant.ms - base.ms)
        let (ns, overflow) = UInt64(span).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : startedAtNs &+ ns
    }

    /// Moves a manual clock, never back; a real one moves by itself.
    mutating func set(to instant: Instant) {
        if isManual { base = max(base, instant) }
    }
}
