/// The random source of one device: SplitMix64, so that a run can be repeated (GEN-3, VW-1).
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SeededGenerator: Sendable, RandomNumberGenerator {
    /// Where it stands; nothing else has to be kept to go on.
    var state: UInt64

    /// Starts from the device's seed and its name, so that two devices of one seed differ (ID-3).
    init(seed: UInt64, name: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        state = seed
        state = next() ^ hash
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A UUID of version 4 shape.
    mutating func nextID() -> ViewID {
        let high = (next() & ~0xf000) | 0x4000
        let low = (next() & ~(0b11 << 62)) | (0b10 << 62)
        return ViewID(high: high, low: low)
    }
}
