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
}

/// The last `SDKLimits.backendEventsMax` events of a backend; the oldest goes.
struct BackendEventLog {
    private var ring: [Entry] = []
    private var appended: UInt64 = 0

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
        let place = Int(appended % UInt64(SDKLimits.backendEventsMax))
        appended += 1
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
            let entry = ring[Int((next - 1) % UInt64(SDKLimits.backendEventsMax))]
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
}
