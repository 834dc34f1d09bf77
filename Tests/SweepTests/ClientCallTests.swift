import CSystemFaults
import Foundation
import TestSupport
import Testing

/// Fails the first, the second, … system call of each kind that the client library makes, until a
/// conversation completes without it.
@Suite(
    "A system call of a client that fails is an answer or a clear error, never a hang", .serialized)
struct ClientCallTests {
    /// All but what accept alone says.
    private static let kinds = faultKinds.filter { $0 != FB_FAULT_ECONNABORTED }

    @Test("a client that connects, performs, hears events, cancels and closes", arguments: kinds)
    func client(_ kind: fb_fault_kind) async throws {
        let broker = LiveBroker()
        let sweep = await onOwnThread { ClientSweep(kind, at: broker.path) }
        sweep.report()
        #expect(sweep.cases > 0)
    }

    @Test("the same, three failures in a row", arguments: kinds.filter { !softKinds.contains($0) })
    func threeTimes(_ kind: fb_fault_kind) async throws {
        let broker = LiveBroker()
        let sweep = await onOwnThread { ClientSweep(kind, times: 3, at: broker.path) }
        sweep.report()
        #expect(sweep.cases > 0)
    }
}

/// What came of a sweep over a client.
struct ClientSweep: Sendable {
    private(set) var cases = 0
    private(set) var faults: [String] = []
    private let name: String
    private var met: [String: Int] = [:]
    private var told = 0

    init(
        _ kind: fb_fault_kind, times: UInt64 = 1, at path: String,
        guards: ClientTalk.Guards = .init(), faultsMax: Int = 50, casesMax: Int = .max
    ) {
        name = "client, \(kind.name)\(times > 1 ? ", \(times) times" : "")"
        var (n, misses): (UInt64, Int) = (1, 0)
        // Two threads take turns, so a run may make a call less than another one.
        while misses < 2, n < 1_000, faults.count < faultsMax, cases < casesMax {
            let outcome = ClientTalk.run(kind, n, times: times, at: path, guards: guards)
            judge(kind, n, outcome)
            n += 1
            misses = outcome.met == nil ? misses + 1 : 0
        }
        if n >= 1_000 { faults.append("\(name): no end") }
    }

    private mutating func judge(
        _ kind: fb_fault_kind, _ n: UInt64, _ outcome: ClientTalk.Outcome
    ) {
        let what = "\(name), call \(n) (\(outcome.met ?? "none"))"
        faults += outcome.faults.map { "\(what): \($0)" }
        // No thread is no soft failure.
        let isSoft = softKinds.contains(kind) && outcome.met != "pthread_create"
        if isSoft || outcome.met == nil {
            faults += outcome.errors.map { "\(what): somebody has noticed: \($0)" }
        }
        guard let call = outcome.met else { return }
        cases += 1
        met[call, default: 0] += 1
        if !outcome.errors.isEmpty { told += 1 }
    }

    /// Prints what was counted and records what was found.
    func report() {
        for fault in faults { Issue.record("\(fault)") }
        let calls = met.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        print("\(name): \(cases) cases: \(calls.joined(separator: ", ")); \(told) told")
        fflush(nil)
    }
}
