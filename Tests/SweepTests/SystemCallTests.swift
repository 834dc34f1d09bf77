import BridgeStore
import CSystemFaults
import Foundation
import Testing

/// Fails the first, the second, … system call of each kind until a run completes without it.
@Suite("A system call that fails harms at most the connection that it was made for", .serialized)
struct SystemCallTests {
    @Test("a broker in the midst of a conversation", arguments: faultKinds)
    func broker(_ kind: fb_fault_kind) throws {
        let folder = try SweepFolder()
        let sweep = BrokerSweep(kind, in: folder.path)
        sweep.report()
        #expect(sweep.cases > 0)
    }

    @Test(
        "calls that fail three times in a row: the listener survives, nothing hangs or is left",
        arguments: faultKinds.filter { !softKinds.contains($0) })
    func threeTimes(_ kind: fb_fault_kind) throws {
        let folder = try SweepFolder()
        let sweep = BrokerSweep(kind, times: 3, in: folder.path)
        sweep.report()
        #expect(sweep.cases > 0)
    }

    @Test(
        "a broker over a store: what the app has seen is saved, whatever fails",
        arguments: faultKinds, [Durability.process, .power])
    func lastingBroker(_ kind: fb_fault_kind, durability: Durability) throws {
        let folder = try SweepFolder(isInMemory: true)
        let sweep = BrokerSweep(kind, in: folder.path, durability: durability)
        sweep.report()
        #expect(sweep.cases > 0)
    }

    @Test("a store that opens, saves and closes", arguments: faultKinds)
    func store(_ kind: fb_fault_kind) throws {
        let folder = try SweepFolder()
        StoreSweep(kind, in: folder.path).report()
    }
}
