import BridgeStore
import CSystemFaults
import Foundation
import Testing

/// What came of a sweep over a broker in the midst of a conversation.
struct BrokerSweep {
    private(set) var cases = 0
    private(set) var faults: [String] = []
    private let kind: fb_fault_kind
    private let times: UInt64
    private let durability: Durability?
    private var met: [String: Int] = [:]
    private var refused = 0
    private var cut = 0

    /// - Parameters:
    ///   - without: a guard that is taken away.
    ///   - turnsMax: of the loop, until a wait counts as one that never ends.
    ///   - faultsMax, casesMax: so many are enough.
    init(
        _ kind: fb_fault_kind, times: UInt64 = 1, in folder: String,
        without guards: fb_guard = FB_GUARD_NONE, turnsMax: Int = 2_000, faultsMax: Int = .max,
        casesMax: Int = .max, durability: Durability? = nil
    ) {
        (self.kind, self.times, self.durability) = (kind, times, durability)
        var n: UInt64 = 1
        while faults.count < faultsMax, cases < casesMax {
            let outcome = Conversation.run(
                kind, n, times: times, in: folder, without: guards, turnsMax: turnsMax,
                durability: durability)
            judge(n, outcome)
            guard outcome.met != nil else { break }
            n += 1
            if n > 2_000 {
                faults.append("\(name): no end")
                break
            }
        }
    }

    private var name: String {
        let name = durability.map { "\(kind.name), store (\($0))" } ?? kind.name
        return times > 1 ? "\(name), \(times) times" : name
    }

    private mutating func judge(_ n: UInt64, _ outcome: Conversation.Outcome) {
        let what = "\(name), call \(n) (\(outcome.met ?? "none"))"
        // Some failures can keep the second start and the third client out, and the file in.
        let mayBe =
            times > 1 ? ["start failed", "nobody is let in", "file is left"] : [String]()
        faults += outcome.faults.filter { fault in !mayBe.contains { fault.contains($0) } }
            .map { "\(what): \($0)" }
        let isCut = outcome.appIsCut || outcome.otherIsCut
        let isHarmed = isCut || outcome.refusal != nil || outcome.isCatalogRefused
        if times == 1, outcome.appIsCut && outcome.otherIsCut {
            faults.append("\(what): both are cut")
        }
        // No thread is no soft failure, and a file never says EAGAIN.
        let isSoft =
            softKinds.contains(kind) && outcome.met != "pthread_create"
            && !(kind == FB_FAULT_EAGAIN && outcome.isCatalogRefused)
        if isHarmed, outcome.met == nil || isSoft {
            faults.append("\(what): something was refused, or somebody is cut")
        }
        guard let call = outcome.met else { return }
        cases += 1
        met[call, default: 0] += 1
        if outcome.refusal != nil { refused += 1 }
        if isCut { cut += 1 }
    }

    /// Prints what was counted, which is seen also when a run has to be ended, and records what was
    /// found.
    func report() {
        for fault in faults { Issue.record("\(fault)") }
        let calls = met.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        print(
            "\(name): \(cases) cases: \(calls.joined(separator: ", ")); \(refused) starts refused, "
                + "\(cut) connections cut")
        fflush(nil)
    }
}
