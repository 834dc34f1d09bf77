/// The draw of PL-23 to PL-25 written a second time, without the code under test: MD5 by
/// RFC 1321, and the bucket by long division of the hexadecimal digits.
enum NaiveDraw {
    static func choose(
        _ variations: [(id: String, weight: Int)], version: String, profile: String
    ) -> String? {
        var left = variations
        if left.count == 1 { return left[0].id }
        var sum = 0
        let bucket = bucket(version + "-" + profile)
        var last: String?
        while !left.isEmpty {
            var best = 0
            for place in left.indices where isLess(left[place], left[best]) { best = place }
            let next = left.remove(at: best)
            sum += next.weight
            if bucket < sum { return next.id }
            last = next.id
        }
        return last
    }

    private static func isLess(
        _ a: (id: String, weight: Int), _ b: (id: String, weight: Int)
    ) -> Bool {
        if a.weight != b.weight { return a.weight < b.weight }
        return Array(a.id.utf8).lexicographicallyPrecedes(Array(b.id.utf8))
    }

    static func bucket(_ text: String) -> Int {
        var remainder = 0
        for digit in md5(Array(text.utf8)).suffix(16) {
            remainder = (remainder * 16 + (digit.hexDigitValue ?? 0)) % 100
        }
        return remainder
    }

    /// 32 lower-case hexadecimal digits.
    static func md5(_ message: [UInt8]) -> [Character] {
        let shifts: [[UInt32]] = [
            [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
        ]
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let bits = UInt64(message.count) * 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for block in stride(from: 0, to: bytes.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) {
                    $0 | UInt32(bytes[block + word * 4 + $1]) << (8 * UInt32($1))
                }
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (f, g): (UInt32, Int) =
                    switch step / 16 {
                    case 0: (b & c | ~b & d, step)
                    case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), 7 * step % 16)
                    }
                let sum = a &+ f &+ sines[step] &+ words[g]
                let shift = shifts[step / 16][step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
            }
            state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
        }
        let digits = Array("0123456789abcdef")
        return state.flatMap { word in
            (0..<4).flatMap { byte in
                let value = Int(word >> (8 * UInt32(byte)) & 0xff)
                return [digits[value / 16], digits[value % 16]]
            }
        }
    }

    private static let sines: [UInt32] = (1...64).map {
        UInt32((abs(sine(Double($0))) * 4_294_967_296).rounded(.down))
    }

    /// By its series, after taking full turns away.
    private static func sine(_ x: Double) -> Double {
        let reduced = x.remainder(dividingBy: 2 * .pi)
        var term = reduced
        var sum = reduced
        for k in 1..<20 {
            term *= -reduced * reduced / Double((2 * k) * (2 * k + 1))
            sum += term
        }
        return sum
    }
}
