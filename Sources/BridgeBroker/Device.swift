import BridgeProtocol
import BridgeStore
import BridgeTransport
import FlowEngine
import SDKCore

/// One simulated installation with what the broker adds to it: its clock, its subscribers, and
/// the requests that wait on it.
final class Device {
    let log: EventLogID
    /// Its name; kept here, as every event tells it.
    let name: String
    /// The name of its zone, as every event tells it (GEN-14).
    var zoneName: String
    var core: SDKDevice
    var clock: DeviceClock
    var subscriptions: [Subscription] = []
    /// The view that the finger was on last.
    var touchedView = ViewText()
    var pending: [CallID: PendingCall] = [:]
    /// The timer for what is due next on a real clock.
    var timer: (token: TimerQueue.Token, due: Instant)?
    /// Connections that are attached.
    var attached = 0
    /// Tells its last closing from those of others; 0 while it is open.
    var closing: UInt64 = 0
    /// Whether it is among the broker's touched ones.
    var isTouched = false
    /// What its clock showed when its record was written last; nil: the store has none, or one
    /// that has to be written anew.
    var savedClockMs: Int64?
    /// The fallback file that its record names; nil: none.
    var savedFallback: StoredFallback?
    private var callsMade: UInt64 = 0

    init(log: EventLogID, core: SDKDevice, clock: DeviceClock) {
        self.log = log
        name = core.configuration.name
        zoneName = core.configuration.zone.name
        self.core = core
        self.clock = clock
    }

    /// Whether a connection is attached or subscribed to it.
    var isUsed: Bool { attached > 0 || !subscriptions.isEmpty }

    func makeCallID() -> CallID {
        callsMade += 1
        return CallID(number: callsMade)
    }

    /// The next instant at which something happens by itself.
    var nextDue: Instant? {
        var next = core.nextDue
        for case let deadline? in pending.values.lazy.map(\.deadline) {
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    /// Pending calls whose deadline has passed, the oldest first.
    func expired(at now: Instant) -> [PendingCall] {
        pending.values.filter { $0.deadline.map { $0 <= now } ?? false }
            .sorted { ($0.deadline ?? now, $0.call.number) < ($1.deadline ?? now, $1.call.number) }
    }
}
