import BridgeProtocol

/// The bytes of one event, in the forms in which subscribers want them.
///
/// The message is encoded before; the line of JSON is made when the first subscriber in line mode
/// asks, and then copied for the others. One object serves all events, one after the other.
final class EncodedEvent {
    private let coder: WireCoder
    private var message = UnsafeRawBufferPointer(start: nil, count: 0)
    private let line = ByteBuffer(capacity: 1_024)
    private var place: EventLine?
    private var event: Event?

    init(coder: WireCoder) {
        self.coder = coder
    }

    /// Begins with another event; the bytes have to stay until the next one begins.
    func begin(_ message: UnsafeRawBufferPointer) {
        self.message = message
        place = nil
        event = nil
    }

    /// The event itself, for subscriptions that look into it; read once for all of them.
    func decoded() -> Event {
        if let event { return event }
        do {
            let read = try coder.decodeEvent(message)
            event = read
            return read
        } catch {
            preconditionFailure("an event of our own does not decode: \(error)")
        }
    }

    /// Appends the event for one subscription.
    func append(subscriptionID: UInt32, mode: WireMode, to output: ByteBuffer) {
        switch mode {
        case .binary:
            coder.appendEventFrame(message, subscriptionId: subscriptionID, to: output)
        case .line:
            let place = linePlace()
            coder.appendEventLine(
                line.readable, place, subscriptionId: subscriptionID, to: output)
        }
    }

    private func linePlace() -> EventLine {
        if let place { return place }
        line.removeAll(keepingCapacity: true)
        do {
            let made = try coder.encodeEventLine(message, into: line)
            place = made
            return made
        } catch {
            preconditionFailure("an event of our own does not decode: \(error)")
        }
    }
}
