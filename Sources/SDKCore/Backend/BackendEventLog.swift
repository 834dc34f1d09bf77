import FlowEngine

/// Something that an SDK told its service, as `list_backend_events` shows it.
public struct RecordedBackendEvent: Sendable, Equatable {
    /// Grows by one per event of the backend, from 1.
    public let number: UInt64
    /// Its name and properties.
    public let event: BackendEvent
    /// On the clock of the device.
    public let time: Instant
    /// The name of the device that sent it.
    public let device: String
    /// The profile that was active then.
    public let profileID: String

    /// Makes one that was stored.
    public init(
        number: UInt64, event: BackendEvent, time: Instant, device: String, profileID: String
    ) {
        self.number = number
        self.event = event
        self.time = time
        self.device = device
        self.profileID = profileID
    }
}

/// The last `SDKLimits.backendEventsMax` events of a backend; the oldest goes.
struct BackendEventLog {
    private var ring: [Entry] = []
    private var appended: UInt64 = 0
    /// The number of the event that was the first in the ring's first place.
    private var base: UInt64 = 1
    /// Events up to this number are stored.
    private var taken: UInt64 = 0

    /// An event before somebody asks for it.
    struct Entry {
        let event: ServiceEvent
        let variationID: String
        let time: Instant
        let device: String
        let profileID: String
    }

    /// The number of the oldest event kept, or of the next one when there is none.
    var firstNumber: UInt64 { appended - UInt64(ring.count) + 1 }

    mutating func append(_ entry: Entry) {
        appended += 1
        let place = place(appended)
        if ring.count < SDKLimits.backendEventsMax {
            ring.append(entry)
        } else {
            ring[place] = entry
        }
    }

    /// Up to `limit` events with that number or a later one, of that device if one is named.
    func events(from number: UInt64, device: String?, limit: Int) -> [RecordedBackendEvent] {
        var found: [RecordedBackendEvent] = []
        var next = max(number, firstNumber)
        while next <= appended && found.count < limit {
            let entry = ring[place(next)]
            if device.map(entry.device.isExactly) ?? true {
                found.append(
                    RecordedBackendEvent(
                        number: next, event: entry.event.event(variationID: entry.variationID),
                        time: entry.time, device: entry.device, profileID: entry.profileID))
            }
            next += 1
        }
        return found
    }

    private func place(_ number: UInt64) -> Int {
        Int((number - base) % UInt64(SDKLimits.backendEventsMax))
    }

    /// Whether there are events that `takeNew` has not given.
    var hasNew: Bool { taken < appended }

    /// The kept events that came since the last call.
    mutating func takeNew() -> [RecordedBackendEvent] {
        defer { taken = appended }
        return events(from: taken + 1, device: nil, limit: SDKLimits.backendEventsMax)
    }

    /// Takes over events that were stored, before any other; what is older than a gap in their
    /// numbers is let go.
    mutating func restore(_ events: [RecordedBackendEvent]) {
        for event in events.suffix(SDKLimits.backendEventsMax) {
            if event.number != appended + 1 {
                ring = []
                base = event.number
                appended = event.number - 1
            }
            append(
                Entry(
                    event: .stored(event.event), variationID: "", time: event.time,
                    device: event.device, profileID: event.profileID))
        }
        taken = appended
    }
}
