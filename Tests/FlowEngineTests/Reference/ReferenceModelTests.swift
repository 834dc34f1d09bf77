import Foundation
import Testing

/// The engine against a second reading of its rules.
struct ReferenceModelTests {
    /// Walks through each random flow.
    private static let walks = 4

    /// Flows by seed, in chunks; `FLOWBRIDGE_REFERENCE_SEQUENCES` asks for another number of walks.
    static let chunks: [ClosedRange<UInt64>] = {
        let wanted = ProcessInfo.processInfo.environment["FLOWBRIDGE_REFERENCE_SEQUENCES"]
        let count = ((wanted.flatMap { UInt64($0) } ?? 10_000) + 3) / UInt64(walks)
        return stride(from: 1, through: count, by: 500).map { $0...min($0 + 499, count) }
    }()

    @Test(
        "The engine does what the rules of input say, in every step of random flows",
        arguments: chunks)
    func random(seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            var generator = Reference.Generator(seed: seed)
            let flow = generator.flow()
            let subject = Reference.Subject(flow)
            for walk in 1...Self.walks {
                let (trial, difference) = Reference.Trial.random(
                    in: flow, from: subject, with: &generator, steps: 6 + 4 * walk)
                guard difference != nil else { continue }
                Issue.record("\(trial.shrunk().report(seed: seed))")
                return
            }
        }
    }

    @Test("A fault planted in the engine is found, shrunk to one tap on one element, and printed")
    func planted() throws {
        var toggles = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            var generator = Reference.Generator(seed: seed)
            let flow = generator.flow()
            var (trial, _) = Reference.Trial.random(
                in: flow, from: Reference.Subject(flow), with: &generator, steps: 30)
            trial.makeSubject = { Reference.Subject($0.withTogglesOn) }
            guard trial.difference() != nil else { continue }
            toggles += 1
            let least = trial.shrunk()
            #expect(least.steps.count <= 2)
            #expect(least.flow.screens.flatMap(\.elements).count <= 2)
            #expect(least.report(seed: seed).contains("seed \(seed)"))
            #expect(least.report(seed: seed).contains("toggle"))
        }
        #expect(toggles > 5)
    }
}

extension Reference.Flow {
    /// The same flow with every toggle on by default.
    fileprivate var withTogglesOn: Reference.Flow {
        var flow = self
        for screen in flow.screens.indices {
            for place in flow.screens[screen].elements.indices {
                guard case .toggle = flow.screens[screen].elements[place].kind else { continue }
                flow.screens[screen].elements[place].kind = .toggle(true)
            }
        }
        return flow
    }
}
