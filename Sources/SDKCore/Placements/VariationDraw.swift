import CLibMD
import FlowEngine

/// The draw of a variation by profile and audience version (PL-22 to PL-27).
public struct VariationDraw: Sendable {
    /// By weight, then by variation id as UTF-8 bytes, both ascending (PL-24).
    public let sorted: [VariationDocument]

    /// Sorts the variations of an audience.
    public init(_ variations: [VariationDocument]) {
        sorted = variations.sorted { a, b in
            a.weight == b.weight
                ? a.variationID.precedesInBytes(b.variationID) : a.weight < b.weight
        }
    }

    /// The variation of that profile, the same each time (PL-27); nil: there is none (PL-22).
    public func variation(audienceVersionID: String, profileID: String) -> VariationDocument? {
        if sorted.count < 2 { return sorted.first }
        var rest = Int(Self.bucket(audienceVersionID: audienceVersionID, profileID: profileID))
        for variation in sorted {
            rest -= variation.weight
            if rest < 0 { return variation }
        }
        return sorted.last
    }

    /// The variation of that id, if it still exists (PL-28).
    func variation(id: String) -> VariationDocument? {
        sorted.first { $0.variationID.isExactly(id) }
    }

    /// 0 to 99: bytes 8 to 15 of the MD5 of both ids joined by a hyphen, big-endian, modulo 100
    /// (PL-23).
    public static func bucket(audienceVersionID: String, profileID: String) -> UInt64 {
        var context = MD5_CTX()
        MD5Init(&context)
        update(&context, with: audienceVersionID)
        update(&context, with: "-")
        update(&context, with: profileID)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(MD5_DIGEST_LENGTH)) {
            digest in
            MD5Final(digest.baseAddress, &context)
            return digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) } % 100
        }
    }

    private static func update(_ context: inout MD5_CTX, with text: String) {
        var copy = text
        copy.withUTF8 { MD5Update(&context, $0.baseAddress, $0.count) }
    }
}
