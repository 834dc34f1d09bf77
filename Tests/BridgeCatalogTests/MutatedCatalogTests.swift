import BridgeCatalog
import Foundation
import Testing

@testable import enum BridgeCatalog.SampleCatalog

@Suite("Mutated catalogs")
struct MutatedCatalogTests {
    /// A sequence of numbers that depends on its seed alone (SplitMix64).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    static let replacements = [
        "{", "}", "[", "]", ":", ",", "null", "true", "0", "-1", "1e400", "99999999999999999999",
        "\"\"", "\" \"", "\"id\"", "\"type\"", "\"\\u0000\"", "\"\\ud800\"", "{}", "[]", "[[]]",
        "{\"type\": \"conditional\"}", "\"custom:\"", "\"all_users\"", "\u{FF}",
    ]

    /// The pieces of a JSON text: strings, punctuation, and runs of other characters.
    static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var rest = text[...]
        while let first = rest.first {
            var end = rest.index(after: rest.startIndex)
            if first == "\"" {
                while end < rest.endIndex, rest[end] != "\"" { end = rest.index(after: end) }
                if end < rest.endIndex { end = rest.index(after: end) }
            } else if !"{}[]:,".contains(first) {
                while end < rest.endIndex, !"{}[]:,\"".contains(rest[end]) {
                    end = rest.index(after: end)
                }
            }
            tokens.append(String(rest[..<end]))
            rest = rest[end...]
        }
        return tokens
    }

    static func mutate(_ tokens: inout [String], _ random: inout Generator) {
        let place = Int.random(in: 0..<tokens.count, using: &random)
        let other = Int.random(in: 0..<tokens.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: tokens.remove(at: place)
        case 1: tokens.insert(tokens[place], at: place)
        case 2: tokens[place] = replacements.randomElement(using: &random) ?? ""
        case 3: tokens.swapAt(place, other)
        default: tokens[place] = tokens[other]
        }
    }

    @Test(
        "no mutation of the sample crashes; each gives a catalog or a fault", arguments: 1...6)
    func mutationsOfSampleAreJudged(_ seed: Int) {
        judge(SampleCatalog.files.map { ($0.name, Self.tokens("\($0.text)")) }, seed)
    }

    @Test("nor does one of the catalog that has every key", arguments: 1...2)
    func mutationsOfEverythingAreJudged(_ seed: Int) throws {
        let sound = try SchemaTests.everything.map { name in
            let path = SchemaTests.root.appending(path: "examples/catalog-everything/" + name)
            return (name, Self.tokens(try String(contentsOf: path, encoding: .utf8)))
        }
        judge(sound, seed)
    }

    private func judge(_ sound: [(String, [String])], _ seed: Int) {
        var random = Generator(state: UInt64(seed))
        var served = 0
        for round in 0..<400 {
            var files = sound
            let file = Int.random(in: 0..<files.count, using: &random)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                Self.mutate(&files[file].1, &random)
            }
            let report = CatalogLoader.load(
                files: files.map { ($0.0, Array($0.1.joined().utf8)) })
            let isServed = report.catalog != nil
            if isServed { served += 1 }
            #expect(isServed == report.errors.isEmpty, "seed \(seed), round \(round)")
        }
        #expect((1..<400).contains(served), "seed \(seed): \(served) of 400 were served")
    }
}
