/// A queue of log numbers, one for each piece of the store, oldest piece first.
struct ChunkOrder {
    private var ring: [UInt32] = []
    private var start = 0
    private var count = 0

    mutating func append(_ log: UInt32) {
        if count == ring.count { grow() }
        ring[(start + count) % ring.count] = log
        count += 1
    }

    var first: UInt32? { count == 0 ? nil : ring[start] }

    mutating func popFirst() -> UInt32? {
        if count == 0 { return nil }
        let log = ring[start]
        start = (start + 1) % ring.count
        count -= 1
        return log
    }

    private mutating func grow() {
        var larger: [UInt32] = []
        larger.reserveCapacity(max(16, count * 2))
        for place in 0..<count { larger.append(ring[(start + place) % ring.count]) }
        larger += repeatElement(0, count: max(16, count * 2) - count)
        ring = larger
        start = 0
    }
}
