import FlowEngine
import Testing

@testable import SDKCore

/// Random lives of a device: nothing but its inputs decides what it tells (GEN-3).
@Suite("A life repeated is the same to the bit")
struct RepeatabilityTests {
    private static let lives: [ClosedRange<UInt64>] = stride(from: 1, through: 10_000, by: 1_000)
        .map { $0...$0 + 999 }

    @Test(
        "GEN-3 VW-1 same catalog, seed and inputs give the same record; nothing moves without advance",
        arguments: lives)
    func repeated(seeds: ClosedRange<UInt64>) {
        var callbacks = 0
        for seed in seeds {
            let life = Life(seed: seed, moves: 5 + Int(seed % 9))
            let first = LifeRecord(life, catalog: Samples.life, isNosy: false)
            let again = LifeRecord(life, catalog: Samples.life, isNosy: true)
            callbacks += first.outputs.count
            if first == again { continue }
            Issue.record(
                "seed \(seed): \(life.moves)\n\(first.outputs)\n\(again.outputs)\n\(again.surprises)"
            )
            return
        }
        #expect(callbacks > 9 * seeds.count)
    }

    @Test("VW-1 another seed gives other ids and nothing else")
    func otherSeed() {
        var life = Life(seed: 1, moves: 40)
        let first = LifeRecord(life, catalog: Samples.life, isNosy: false)
        life = Life(life, seed: 2)
        let other = LifeRecord(life, catalog: Samples.life, isNosy: false)
        #expect(first != other)
        #expect(first.views.map(\.id) != other.views.map(\.id))
    }
}
