import BridgeProtocol
import FlowEngine

/// What stays the same in every event of an input (IN-2), for the inputs that reported last.
struct InputHeadCache {
    /// The first six entries of `flow_user_input`, in both forms.
    struct Head {
        /// Entries of the map, as protobuf.
        let entries: [UInt8]
        /// The beginning of the payload, as JSON.
        let payload: [UInt8]
    }

    /// Inputs that are kept; the one kept longest goes.
    static let inputsMax = 32

    private struct Entry {
        /// Held, so that no other input takes its place in memory.
        let input: InputIdentity
        let head: Head
    }

    private var entries: [Entry] = []
    private var next = 0

    /// The head of an input's events.
    mutating func head(of input: InputIdentity) -> Head {
        for entry in entries where entry.input === input { return entry.head }
        let head = Head(
            entries: Self.entries(of: input), payload: AnalyticEvent.inputPayloadHead(input))
        keep(Entry(input: input, head: head))
        return head
    }

    private mutating func keep(_ entry: Entry) {
        if entries.count < Self.inputsMax {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % Self.inputsMax
        }
    }

    private static func entries(of input: InputIdentity) -> [UInt8] {
        let scratch = EventScratch()
        scratch.begin(
            textBytesMax: input.instanceID.utf8.count + input.elementID.utf8.count + 160,
            fieldsMax: 24)
        scratch.param("element_type") { scratch.text(1, input.type.rawValue) }
        scratch.param("element_id") { scratch.text(1, input.elementID) }
        scratch.param("isCustomerEvent", true)
        scratch.param("isBackendEvent", false)
        scratch.param("instanceId") { scratch.text(1, input.instanceID) }
        scratch.param("name") { scratch.text(1, "flow_user_input") }
        return Array(scratch.bytes)
    }
}

extension EventScratch {
    /// An entry of `params`; `value` writes the one field of its value.
    func param(_ name: StaticString, _ value: () -> Void) {
        message(2) {
            message(2, value)
            text(1, name)
        }
    }

    /// An entry of `params` that is true or false.
    func param(_ name: StaticString, _ flag: Bool) {
        param(name) { number(4, flag ? 1 : 0) }
    }
}
