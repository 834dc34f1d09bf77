import BridgeProtocol
import FlowEngine
import SDKCore

/// Writes the events of `didReceiveAnalyticEvent` straight as bytes: taps and blurs are the hot
/// path, and building the message first cost more than all the rest of a gesture.
///
/// Gives the bytes that `WireCoder.encodeEvent` gives for `Event` with
/// `DidReceiveAnalyticEvent(_:)`; a test compares them. The numbers are those of event.proto and
/// value.proto.
final class AnalyticEventWriter {
    private let scratch = EventScratch()
    /// The params as JSON.
    private var payload: [UInt8] = []
    private var inputHeads = InputHeadCache()
    private var viewText = ViewText()

    /// What an event has beside its kind.
    struct Envelope {
        var sequence: UInt64
        var device: String
        var view: ViewID
        var timeMs: Int64
        var zone: String
    }

    /// Writes an event; the bytes are valid until the next one.
    func write(
        _ event: AnalyticEvent, _ envelope: Envelope
    ) -> UnsafeRawBufferPointer {
        let head = beginPayload(event)
        begin(event, envelope)
        scratch.message(24) {
            payload.withUnsafeBytes { scratch.bytes(3, $0) }
            params(of: event, head)
            scratch.text(1, event.name)
        }
        scratch.text(5, envelope.zone)
        scratch.number(4, UInt64(bitPattern: envelope.timeMs))
        viewText.withBytes(of: envelope.view) { scratch.bytes(3, $0) }
        scratch.text(2, envelope.device)
        scratch.number(1, envelope.sequence)
        return scratch.bytes
    }

    /// Writes the payload, and returns the entries of an input that stay the same.
    private func beginPayload(_ event: AnalyticEvent) -> [UInt8] {
        payload.removeAll(keepingCapacity: true)
        guard case .userInput(let input, let value) = event else {
            event.writePayload(to: &payload)
            return []
        }
        let head = inputHeads.head(of: input)
        payload.append(contentsOf: head.payload)
        AnalyticEvent.finishInputPayload(value, to: &payload)
        return head.entries
    }

    /// Every text of an event is in its payload too, where it takes at least as many bytes.
    private func begin(_ event: AnalyticEvent, _ envelope: Envelope) {
        var fields = 40
        switch event {
        case .own(_, let params): fields += params.reduce(0) { $0 + 8 + $1.value.elements }
        case .userInput(_, .items(let items)): fields += 2 * items.ids.count
        default: break
        }
        let texts = envelope.device.utf8.count + envelope.zone.utf8.count + ViewID.textBytes
        scratch.begin(textBytesMax: texts + 3 * payload.count + 128, fieldsMax: fields)
    }

    /// The entries of the map, the last one first.
    private func params(of event: AnalyticEvent, _ head: [UInt8]) {
        switch event {
        case .screenShowed(let instanceID, let order, let isLast):
            scratch.param("is_last_screen", isLast)
            scratch.param("screen_order") { scratch.number(2, UInt64(order)) }
            scratch.param("isBackendEvent", true)
            scratch.param("isCustomerEvent", true)
            scratch.param("instanceId") { scratch.text(1, instanceID) }
            scratch.param("name") { scratch.text(1, event.name) }
        case .userInput(_, let value):
            reported(value)
            scratch.fields(head)
        case .own(_, let params):
            for name in params.keys.sorted(by: { $1.precedesInBytes($0) }) {
                guard let value = params[name] else { continue }
                scratch.message(2) {
                    scratch.message(2) { self.value(value) }
                    scratch.text(1, name)
                }
            }
        }
    }

    private func reported(_ value: ReportedValue) {
        switch value {
        case .text(let text): scratch.param("value") { scratch.text(1, text) }
        case .integer(let number):
            scratch.param("value") { scratch.number(2, UInt64(bitPattern: number)) }
        case .bool(let flag): scratch.param("value", flag)
        case .items(let items):
            scratch.param("item_titles") { strings(items.titles) }
            scratch.param("item_ids") { strings(items.ids) }
        }
    }

    private func value(_ value: ParamValue) {
        switch value {
        case .string(let text): scratch.text(1, text)
        case .integer(let number): scratch.number(2, UInt64(bitPattern: number))
        case .double(let number): scratch.double(3, number)
        case .bool(let flag): scratch.number(4, flag ? 1 : 0)
        case .strings(let texts): strings(texts)
        }
    }

    private func strings(_ texts: some BidirectionalCollection<String>) {
        scratch.message(5) {
            for text in texts.reversed() { scratch.text(1, text) }
        }
    }
}

extension ParamValue {
    fileprivate var elements: Int {
        if case .strings(let texts) = self { texts.count } else { 1 }
    }
}
