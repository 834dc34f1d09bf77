import FlowEngine
import Testing

@testable import SDKCore

@Suite("UC-24 A thousand devices in an A/B test of one segment")
struct ThousandDevicesTests {
    private static let variations = [("v-red", 33), ("v-blue", 33), ("v-green", 34)]

    private func catalog() -> Catalog {
        var placement = Samples.main()
        placement.audiences[1].variations = Self.variations.map {
            Samples.variation($0.0, version: "pro-v1", weight: $0.1)
        }
        return Catalog(placements: [placement], flows: [:], onboardings: [:], products: [:])
    }

    @Test("UC-24 PL-23 PL-27 each draws by its profile, and the same after a restart of the app")
    func draws() throws {
        let backend = Backend(catalog: catalog())
        var drawn: [String: Int] = [:]
        for seed in 1...1_000 as ClosedRange<UInt64> {
            var bench = Bench("device \(seed)", backend: backend, seed: seed)
            bench.call(.activate(Activation()))
            bench.call(.attributes([("experience", .string("pro"))]))
            let variation = try #require(bench.call(.getFlow("main")).flow?.content.variationID)
            drawn[variation, default: 0] += 1
            #expect(
                variation
                    == NaiveDraw.choose(
                        Self.variations, version: "pav_pro",
                        profile: bench.device.identity.profileID),
                "seed \(seed)")
            bench.restart()
            bench.call(.activate(Activation()))
            #expect(bench.call(.getFlow("main")).flow?.content.variationID == variation)
        }
        #expect(drawn.count == 3)
        #expect(drawn.values.allSatisfy { (250...420).contains($0) }, "\(drawn)")
    }
}
