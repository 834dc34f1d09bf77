import BridgeStore
import CSystemFaults
import TestSupport
import Testing

/// Takes away, one at a time, what the code does about system calls that fail: the table then
/// behaves as it would look to code that does not do it. Each sweep has to be red.
@Suite("A sweep over system calls sees a guard that is missing", .serialized)
struct SystemCallControlTests {
    @Test("a broker", arguments: brokers)
    func broker(_ control: SweepControl) async throws { try await control.check() }

    @Test("a client", arguments: clients)
    func client(_ control: SweepControl) async throws { try await control.check() }

    @Test("a start and a store", arguments: starts + stores)
    func start(_ control: SweepControl) async throws { try await control.check() }

    /// The guards of a broker and the way to fail that shows them.
    private static let brokers: [SweepControl] = [
        broker("a call that a signal ended is made again", FB_GUARD_SIGNAL, FB_FAULT_EINTR),
        broker("a short read is looked at", FB_GUARD_COUNT, FB_FAULT_SHORT_READ),
        broker("a short write is looked at", FB_GUARD_COUNT, FB_FAULT_SHORT_WRITE),
        broker("\"not now\" is no failure", FB_GUARD_AGAIN, FB_FAULT_EAGAIN),
        broker("a failure closes what was open", FB_GUARD_CLOSE, FB_FAULT_ENOMEM),
        broker("who waits for a result is woken", FB_GUARD_RESULT, FB_FAULT_ECONNABORTED),
        broker("a failed accept is followed by others", FB_GUARD_ALONE, FB_FAULT_ECONNABORTED),
        broker("a lost connection is one of many", FB_GUARD_ALONE, FB_FAULT_ECONNRESET),
        broker("the store tells what is saved", FB_GUARD_RESULT, FB_FAULT_ECONNABORTED, .power),
    ]

    private static func broker(
        _ guards: String, _ missing: fb_guard, _ kind: fb_fault_kind,
        _ durability: Durability? = nil
    ) -> SweepControl {
        SweepControl("broker, \(kind.name): \(guards)") { isGuarded in
            let folder = try SweepFolder(isInMemory: durability != nil)
            return BrokerSweep(
                kind, in: folder.path, without: isGuarded ? FB_GUARD_NONE : missing,
                turnsMax: isGuarded ? 2_000 : 200, faultsMax: 1, casesMax: 10,
                durability: durability
            ).faults
        }
    }

    private static let clients: [SweepControl] = [
        client("a call that a signal ended is made again", FB_GUARD_SIGNAL, FB_FAULT_EINTR),
        client("a short read is looked at", FB_GUARD_COUNT, FB_FAULT_SHORT_READ),
        client("a short write is looked at", FB_GUARD_COUNT, FB_FAULT_SHORT_WRITE),
        client("\"not now\" is no failure", FB_GUARD_AGAIN, FB_FAULT_EAGAIN),
        client("a failure closes what was open", FB_GUARD_CLOSE, FB_FAULT_EMFILE),
        client("the thread is woken", FB_GUARD_WAKE, FB_FAULT_ENOSPC),
        client("a lost connection is one of many", FB_GUARD_ALONE, FB_FAULT_ECONNRESET),
        SweepControl("client: there is room for the events") { isGuarded in
            try clientFaults(FB_FAULT_ENOSPC) { if !isGuarded { $0.bufferedEventsMax = 1 } }
        },
    ]

    private static func client(
        _ guards: String, _ missing: fb_guard, _ kind: fb_fault_kind
    ) -> SweepControl {
        SweepControl("client, \(kind.name): \(guards)") { isGuarded in
            try clientFaults(kind) {
                if !isGuarded { ($0.system, $0.hangSeconds) = (missing, 1) }
            }
        }
    }

    private static func clientFaults(
        _ kind: fb_fault_kind, _ change: (inout ClientTalk.Guards) -> Void
    ) throws -> [String] {
        let broker = LiveBroker()
        var guards = ClientTalk.Guards()
        change(&guards)
        return ClientSweep(kind, at: broker.path, guards: guards, faultsMax: 1, casesMax: 10).faults
    }

    private static let starts: [SweepControl] = [
        start(.notify, "a call that a signal ended is made again", FB_GUARD_SIGNAL),
        start(.signals, "a call that a signal ended is made again", FB_GUARD_SIGNAL),
        start(.output, "a short write is looked at", FB_GUARD_COUNT),
        start(.catalog, "a short read is looked at", FB_GUARD_COUNT),
        start(.catalog, "a failure is told from a folder's end", FB_GUARD_END),
        start(.catalog, "a failure closes what was open", FB_GUARD_CLOSE),
        start(.notify, "a failure closes what was open", FB_GUARD_CLOSE),
        start(.privateSocket, "a failure closes what was open", FB_GUARD_CLOSE),
    ]

    private static func start(
        _ step: StartStep, _ guards: String, _ missing: fb_guard
    ) -> SweepControl {
        SweepControl("\(step.testDescription): \(guards)") { isGuarded in
            let folder = try SweepFolder()
            return StartSweep(step, in: folder.path, without: isGuarded ? FB_GUARD_NONE : missing)
                .faults
        }
    }

    private static let stores: [SweepControl] = [
        store("a call that a signal ended is made again", FB_GUARD_SIGNAL, FB_FAULT_EINTR),
        store("a failure closes what was open", FB_GUARD_CLOSE, FB_FAULT_EIO),
    ]

    private static func store(
        _ guards: String, _ missing: fb_guard, _ kind: fb_fault_kind
    ) -> SweepControl {
        SweepControl("store, \(kind.name): \(guards)") { isGuarded in
            let folder = try SweepFolder()
            return StoreSweep(kind, in: folder.path, without: isGuarded ? FB_GUARD_NONE : missing)
                .faults
        }
    }
}
