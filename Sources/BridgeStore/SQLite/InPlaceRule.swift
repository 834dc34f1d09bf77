import CLinux

/// Which batches are saved on the loop's thread, while the store's thread rests.
///
/// To write a short batch to the file system's cache takes less than to hand it over, so with
/// `process` that is done at once (docs/store.md has the figures). Longer ones, and what has to
/// come to the disk, are the store's thread's; all is for a while after one was slow, so that others
/// wait for slow ones a hundredth of the time at most.
struct InPlaceRule {
    /// The most rows of a short batch.
    static let rowsMax = 16
    /// The most bytes of a short batch.
    static let bytesMax = 64 << 10
    /// A batch that took longer was slow.
    static let slowNs: UInt64 = 2_000_000
    /// For so many times as long as a slow one took, none is saved in place.
    static let pauseFactor: UInt64 = 100

    private let isOn: Bool
    private let clock: () -> UInt64
    private var pausedUntilNs: UInt64 = 0

    /// - Parameter clock: Gives monotonic nanoseconds.
    init(_ durability: Durability, clock: @escaping () -> UInt64 = { fb_monotonic_ns() }) {
        isOn = durability == .process
        self.clock = clock
    }

    /// Whether this one may be saved in place now.
    func allows(_ batch: StoreBatch) -> Bool {
        isOn && batch.changes.count <= Self.rowsMax && batch.bytes <= Self.bytesMax
            && !batch.changes.contains(where: \.isFile)
            && (pausedUntilNs == 0 || clock() >= pausedUntilNs)
    }

    /// Saves and notes how long that took.
    mutating func measure<Result>(_ save: () -> Result) -> Result {
        let began = clock()
        let result = save()
        let ended = clock()
        let took = ended - began
        pausedUntilNs = took > Self.slowNs ? ended + Self.pauseFactor * took : 0
        return result
    }
}
