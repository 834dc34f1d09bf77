import BridgeStore
import FlowEngine
import SDKCore

/// A backend event as the store keeps it, under its number.
///
/// Members can be added as `RecordDecoder` says.
struct StoredBackendEvent: Codable {
    var name = ""
    var timeMs: Int64 = 0
    var device = ""
    var profileID = ""
    var properties: [Property] = []

    /// One of the values is there.
    struct Property: Codable {
        var key = ""
        var string: String?
        var integer: Int64?
        var double: Double?
        var bool: Bool?
        var strings: [String]?
    }

    init(_ recorded: RecordedBackendEvent) {
        name = recorded.event.name
        timeMs = recorded.time.ms
        device = recorded.device
        profileID = recorded.profileID
        properties = recorded.event.properties.map { Property($0, $1) }
    }

    /// The event under that number.
    func recorded(_ number: UInt64) -> RecordedBackendEvent {
        let event = BackendEvent(
            name: name,
            properties: Dictionary(
                properties.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last }))
        return RecordedBackendEvent(
            number: number, event: event, time: Instant(ms: timeMs), device: device,
            profileID: profileID)
    }
}

extension StoredBackendEvent.Property {
    fileprivate init(_ key: String, _ value: ParamValue) {
        self.key = key
        switch value {
        case .string(let text): string = text
        case .integer(let number): integer = number
        case .double(let number): double = number
        case .bool(let flag): bool = flag
        case .strings(let texts): strings = texts
        }
    }

    fileprivate var value: ParamValue {
        if let string { return .string(string) }
        if let integer { return .integer(integer) }
        if let bool { return .bool(bool) }
        if let strings { return .strings(strings) }
        // NaN has no JSON: it is written as null, which reads as nothing.
        return .double(double ?? .nan)
    }
}

extension Broker {
    /// Adds the backend events of this wake-up to the batch.
    func saveBackendEvents() {
        for event in backend.takeNewEvents() {
            let record = record(of: StoredBackendEvent(event), event.event.name)
            store.backendEvents.append(record, number: event.number)
        }
    }

    /// Takes over the backend events of the store.
    ///
    /// - Throws: a `StoreFault` for one that cannot be read.
    func restoreBackendEvents() throws(StoreFault) {
        var events: [RecordedBackendEvent] = []
        var fault: StoreFault?
        try store.backendEvents.readAll { number, record in
            do {
                let stored = try RecordDecoder.decode(StoredBackendEvent.self, from: record)
                events.append(stored.recorded(number))
            } catch {
                fault = unreadable("backend event \(number)", error)
            }
        }
        if let fault { throw fault }
        backend.restore(events)
    }
}
