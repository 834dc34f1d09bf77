import CAllocations

/// What one piece of work costs.
struct Cost {
    var nanoseconds: Double
    var allocations: Double
}

/// Runs `work` until it is warm, and then as often as told; the best of five parts counts, as
/// other work on the machine only ever adds.
func cost(of count: Int, _ work: (Int) -> Void) -> Cost {
    for turn in 0..<max(count / 10, 64) { work(turn) }
    var best = Cost(nanoseconds: .infinity, allocations: .infinity)
    let clock = SuspendingClock()
    for _ in 0..<5 {
        let blocks = allocations_now().blocks
        let spent = clock.measure {
            for turn in 0..<count { work(turn) }
        }
        let made = Double(allocations_now().blocks - blocks) / Double(count)
        best.nanoseconds = min(best.nanoseconds, spent.nanoseconds / Double(count))
        best.allocations = min(best.allocations, made)
    }
    return best
}

/// Bytes in use for each thing that `make` adds to what is kept.
func bytes<Thing>(of count: Int, _ make: (Int) -> Thing) -> Double {
    var kept: [Thing] = []
    kept.reserveCapacity(count)
    let before = allocations_now().bytes
    for turn in 0..<count { kept.append(make(turn)) }
    let after = allocations_now().bytes
    return withExtendedLifetime(kept) {
        Double(after - before) / Double(count) + Double(MemoryLayout<Thing>.stride)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    }
}
