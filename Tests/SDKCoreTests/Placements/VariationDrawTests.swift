import Testing

@testable import SDKCore

@Suite("The draw of a variation")
struct VariationDrawTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var version: String
        var profile: String
        var file: [(String, Int)]
        var sorted: [String]
        var bucket: UInt64
        var chosen: String

        init(
            _ name: String, _ version: String, _ profile: String, _ file: [(String, Int)],
            _ sorted: [String], _ bucket: UInt64, _ chosen: String
        ) {
            self.name = name
            self.version = version
            self.profile = profile
            self.file = file
            self.sorted = sorted
            self.bucket = bucket
            self.chosen = chosen
        }

        var testDescription: String { name }
    }

    static let even = [("A", 50), ("B", 50)]
    static let redBlue = [("v-red", 70), ("v-blue", 30)]
    static let vectors = [
        Vector("V1", "pav_onboarding_1", "user-0001", even, ["A", "B"], 8, "A"),
        Vector("V2", "pav_onboarding_1", "user-0002", even, ["A", "B"], 93, "B"),
        Vector(
            "V3", "pav_onboarding_1", "user-0003", [("B", 50), ("A", 50)], ["A", "B"], 53, "B"),
        Vector("V4", "pav_paywall_7", "user-0001", redBlue, ["v-blue", "v-red"], 87, "v-red"),
        Vector("V5", "pav_paywall_7", "user-0002", redBlue, ["v-blue", "v-red"], 28, "v-blue"),
        Vector(
            "V6", "pav_paywall_7", "user-0004",
            [("v-red", 33), ("v-blue", 33), ("v-green", 34)], ["v-blue", "v-red", "v-green"], 90,
            "v-green"),
        Vector("V7", "pav_short", "user-0005", [("a", 10), ("b", 20)], ["a", "b"], 81, "b"),
        Vector(
            "V8", "7f3c9d52-0000-4000-8000-000000000001", "11111111-2222-4333-8444-555555555555",
            even, ["A", "B"], 15, "A"),
        Vector(
            "V9", "7f3c9d52-0000-4000-8000-000000000001", "11111111-2222-4333-8444-555555555556",
            [("A", 10), ("B", 30), ("C", 60)], ["A", "B", "C"], 59, "C"),
        Vector("V10", "0", "0", even, ["A", "B"], 90, "B"),
        Vector("V11", "pav_edge", "edge-0049", even, ["A", "B"], 0, "A"),
        Vector("V12", "pav_edge", "edge-0038", even, ["A", "B"], 49, "A"),
        Vector("V13", "pav_edge", "edge-0178", even, ["A", "B"], 50, "B"),
        Vector("V14", "pav_edge", "edge-0056", even, ["A", "B"], 99, "B"),
        Vector(
            "V15", "pav_\u{fc}n\u{ef}code", "ng\u{1b0}\u{1edd}i-1", even, ["A", "B"], 33, "A"),
    ]

    @Test("PL-23 PL-24 PL-25 PL-26 the worked vectors come out", arguments: vectors)
    func workedVectors(vector: Vector) {
        let draw = VariationDraw(variations(vector.file))
        #expect(draw.sorted.map(\.variationID) == vector.sorted)
        #expect(
            VariationDraw.bucket(audienceVersionID: vector.version, profileID: vector.profile)
                == vector.bucket)
        let chosen = draw.variation(audienceVersionID: vector.version, profileID: vector.profile)
        #expect(chosen?.variationID == vector.chosen)
    }

    @Test("PL-22 one variation is taken without a draw, of none there is none")
    func withoutDraw() {
        let single = VariationDraw(variations([("only", 0)]))
        #expect(single.variation(audienceVersionID: "v", profileID: "p")?.variationID == "only")
        #expect(VariationDraw([]).variation(audienceVersionID: "v", profileID: "p") == nil)
    }

    @Test("PL-24 equal weights are sorted by the bytes of the id")
    func byteOrder() {
        let draw = VariationDraw(
            variations([("b", 10), ("\u{e9}", 10), ("B", 10), ("e\u{301}", 10)]))
        #expect(draw.sorted.map(\.variationID) == ["B", "b", "e\u{301}", "\u{e9}"])
        #expect(draw.sorted.map { Array($0.variationID.utf8) }[2] == [0x65, 0xcc, 0x81])
    }

    @Test("PL-23 to PL-25 agree with a second implementation on 4 000 random cases, seed 23")
    func randomComparison() {
        var random = SeededGenerator(seed: 23, name: "draw")
        for _ in 0..<4_000 {
            let file = randomVariations(&random)
            let version = randomText(&random)
            let profile = randomText(&random)
            let expected = NaiveDraw.choose(file, version: version, profile: profile)
            let drawn = VariationDraw(variations(file))
                .variation(audienceVersionID: version, profileID: profile)
            #expect(drawn?.variationID == expected, "\(file) \(version) \(profile)")
        }
    }

    @Test("PL-22 to PL-25 agree with Python's hashlib on 10 000 random cases")
    func pythonsChoices() {
        var numbers = Numbers(state: 23)
        let expected = DrawnChoices.places.utf8.filter { $0 != 0x0A }.map { Int($0) - 0x30 }
        #expect(expected.count == 10_000)
        for (number, place) in expected.enumerated() {
            let (version, profile, file) = numbers.nextCase()
            let drawn = VariationDraw(variations(file))
                .variation(audienceVersionID: version, profileID: profile)
            #expect(drawn?.variationID == file[place].0, "case \(number): \(file)")
        }
    }

    /// The random cases of `scripts/draw-choices`.
    private struct Numbers {
        var state: UInt64

        mutating func below(_ limit: UInt64) -> UInt64 {
            var generator = SeededGenerator(seed: 0, name: "")
            generator.state = state
            defer { state = generator.state }
            return generator.next() % limit
        }

        mutating func nextCase() -> (version: String, profile: String, file: [(String, Int)]) {
            let version =
                ["pav_", "pav_\u{fc}n\u{ef}", "7f3c-"][Int(below(3))] + String(below(1 << 40))
            let profile = hex(below(1 << 32), 8) + "-" + hex(below(1 << 48), 12)
            let some = below(101)
            var rest = [100, 100, 100, some][Int(below(4))]
            let file = (0...below(6)).map { place in
                let weight = below(rest + 1)
                rest -= weight
                let prefixes = ["a", "B", "\u{e9}", "\u{1edd}", "\u{1f600}", "v-"]
                return (prefixes[Int(below(6))] + String(place), Int(weight))
            }
            return (version, profile, file)
        }

        private func hex(_ number: UInt64, _ digits: Int) -> String {
            let text = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: digits - text.count) + text
        }
    }

    @Test("the second implementation computes MD5 as RFC 1321 shows it")
    func naiveMD5() {
        #expect(String(NaiveDraw.md5([])) == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(
            String(NaiveDraw.md5(Array("message digest".utf8)))
                == "f96b697d7cb7938d525a2f31aaf161d0")
    }

    @Test(
        "PL-24 field case 45: weights that turn the order round move almost everybody",
        arguments: [
            ([("A", 50), ("B", 50)], ["A", "B", "A", "B"]),
            ([("A", 51), ("B", 49)], ["B", "A", "A", "A"]),
            ([("A", 60), ("B", 40)], ["B", "A", "A", "A"]),
        ])
    func changedWeights(file: [(String, Int)], expected: [String]) {
        let draw = VariationDraw(variations(file))
        let drawn = ["field-0023", "field-0017", "field-0025", "field-0145"].map {
            draw.variation(audienceVersionID: "pav_field_1", profileID: $0)?.variationID
        }
        #expect(drawn == expected)
    }

    @Test("PL-24 field case 45: 988 of 1 000 fresh profiles move from 50/50 to 51/49")
    func movedProfiles() {
        let even = VariationDraw(variations([("A", 50), ("B", 50)]))
        let uneven = VariationDraw(variations([("A", 51), ("B", 49)]))
        let moved = (1...1_000).filter { number in
            let digits = String(number)
            let profile = "field-" + String(repeating: "0", count: 4 - digits.count) + digits
            return even.variation(audienceVersionID: "pav_field_1", profileID: profile)?.variationID
                != uneven.variation(audienceVersionID: "pav_field_1", profileID: profile)?
                .variationID
        }
        #expect(moved.count == 988)
    }

    private func variations(_ file: [(String, Int)]) -> [VariationDocument] {
        file.map {
            VariationDocument(variationID: $0.0, weight: $0.1, contentID: $0.0, name: $0.0)
        }
    }

    private func randomVariations(_ random: inout SeededGenerator) -> [(String, Int)] {
        var rest = Int.random(in: 0...100, using: &random)
        return (0..<Int.random(in: 1...6, using: &random)).map { place in
            let weight = Int.random(in: 0...rest, using: &random)
            rest -= weight
            return (randomText(&random) + "\(place)", weight)
        }
    }

    private func randomText(_ random: inout SeededGenerator) -> String {
        let letters = Array("abcXYZ019-_é\u{1edd}😀")
        return String(
            (0..<Int.random(in: 0...70, using: &random)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &random)]
            })
    }
}
