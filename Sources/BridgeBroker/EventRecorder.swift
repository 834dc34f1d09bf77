import BridgeProtocol
import BridgeStore
import FlowEngine
import SDKCore

/// The record of events: each is encoded once, into the bytes that are kept and sent.
final class EventRecorder {
    private let store: any EventStore
    private let coder: WireCoder
    private let scratch = ByteBuffer(capacity: 1_024)
    private let encoded: EncodedEvent

    init(_ store: any EventStore, coder: WireCoder) {
        self.store = store
        self.coder = coder
        encoded = EncodedEvent(coder: coder)
    }

    /// The log of a device; one that was made before is found again.
    func log(named name: String) -> EventLogID {
        store.log(named: name)
    }

    /// When the latest event of a log came, on the clock of its device; the beginning of time when
    /// none is kept. Meant for the start.
    ///
    /// - Throws: a `StoreFault` for an event that cannot be read.
    func lastTime(in log: EventLogID) throws(StoreFault) -> Instant {
        guard let bytes = try store.lastEvent(of: log) else {
            return Instant(ms: DeviceClock.range.lowerBound)
        }
        do throws(WireFault) {
            return Instant(
                ms: try bytes.withUnsafeBufferPointer { bytes throws(WireFault) in
                    try coder.decodeEvent(UnsafeRawBufferPointer(bytes)).timeMs
                })
        } catch {
            throw StoreFault(.corrupt, "the last event of a device cannot be read: \(error)")
        }
    }

    /// The sequence of the latest event, 0 before the first.
    func lastSequence(of device: Device) -> UInt64 {
        store.bounds(of: device.log).nextSequence - 1
    }

    /// The oldest sequence that is kept; one past the latest when nothing is.
    func oldestSequence(of device: Device) -> UInt64 {
        store.bounds(of: device.log).oldestSequence
    }

    /// Encodes an event and keeps it. What is returned holds until the next event.
    func record(_ event: Event, tag: EventTag, of device: Device) -> EncodedEvent {
        _ = encode(event)
        return record(scratch.readable, sequence: event.sequence, tag: tag, of: device)
    }

    /// Keeps an event that is encoded already. What is returned holds as long as the bytes do.
    func record(
        _ bytes: UnsafeRawBufferPointer, sequence: UInt64, tag: EventTag, of device: Device
    ) -> EncodedEvent {
        do {
            try store.append(bytes, tag: tag, to: device.log, expecting: sequence)
        } catch {
            preconditionFailure("event \(sequence) of \(device.name): \(error)")
        }
        encoded.begin(bytes)
        return encoded
    }

    /// Encodes an event that is not kept. What is returned holds until the next event.
    func encode(_ event: Event) -> EncodedEvent {
        scratch.removeAll(keepingCapacity: true)
        coder.encodeEvent(event, into: scratch)
        encoded.begin(scratch.readable)
        return encoded
    }

    /// Lends a kept event for sending. What is returned holds until the next event.
    func lend(_ stored: StoredEvent) -> EncodedEvent {
        encoded.begin(stored.bytes)
        return encoded
    }

    /// The oldest sequence that is at hand; older ones are loaded.
    func residentSequence(of device: Device) -> UInt64 {
        store.residentSequence(of: device.log)
    }

    /// Reads on from a sequence until `body` returns `stop` or `stopBefore`, or the record ends.
    /// Returns the sequence to go on from.
    func read(
        of device: Device, from sequence: UInt64, filter: EventFilter,
        _ body: (StoredEvent) -> EventReadStep
    ) -> UInt64 {
        store.read(device.log, from: sequence, filter: filter, body)
    }

    /// A page of the record, as `get_events` gives it.
    struct RecordPage {
        var events: [Event] = []
        var next: UInt64
        var oldest: UInt64
        var isAtEnd: Bool
    }

    /// Reads a page of at most `countMax` events and about `bytesMax` bytes, at least one event.
    func page(
        of device: Device, from sequence: UInt64, filter: EventFilter, countMax: Int,
        bytesMax: Int
    ) -> RecordPage {
        let oldest = oldestSequence(of: device)
        var events: [Event] = []
        var bytesUsed = 0
        let next = read(of: device, from: max(sequence, oldest), filter: filter) { stored in
            bytesUsed += stored.bytes.count
            if events.count == countMax { return .stopBefore }
            if !events.isEmpty && bytesUsed > bytesMax { return .stopBefore }
            events.append(decoded(stored.bytes))
            return .more
        }
        return page(of: device, events, next: next)
    }

    /// A page of events that were loaded.
    func page(of device: Device, _ loaded: EventPage) -> RecordPage {
        var events: [Event] = []
        let next = loaded.read { stored in
            events.append(decoded(stored.bytes))
            return .more
        }
        return page(of: device, events, next: next)
    }

    private func page(of device: Device, _ events: [Event], next: UInt64) -> RecordPage {
        RecordPage(
            events: events, next: next, oldest: oldestSequence(of: device),
            isAtEnd: next > lastSequence(of: device))
    }

    private func decoded(_ bytes: UnsafeRawBufferPointer) -> Event {
        do {
            return try coder.decodeEvent(bytes)
        } catch {
            preconditionFailure("a recorded event does not decode: \(error)")
        }
    }
}
