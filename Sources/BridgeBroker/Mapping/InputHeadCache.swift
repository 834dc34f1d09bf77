import BridgeProtocol
import FlowEngine

/// The first six entries of `flow_user_input` (IN-2) of the inputs that reported last: they are the
/// same in every event of an input.
struct InputHeadCache {
    /// Inputs that are kept; the one kept longest goes.
    static let inputsMax = 32

    private struct Entry {
        let instanceID: String
        let elementID: String
        let type: InputElementType
        let bytes: [UInt8]
    }

    private var entries: [Entry] = []
    private var next = 0

    /// The entries of the map as bytes.
    mutating func head(
        instanceID: String, elementID: String, type: InputElementType
    ) -> [UInt8] {
        for entry in entries
        where entry.type == type && entry.elementID.hasSameBytes(as: elementID)
            && entry.instanceID.hasSameBytes(as: instanceID)
        {
            return entry.bytes
        }
        let bytes = Self.write(instanceID, elementID, type)
        keep(Entry(instanceID: instanceID, elementID: elementID, type: type, bytes: bytes))
        return bytes
    }

    private mutating func keep(_ entry: Entry) {
        if entries.count < Self.inputsMax {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % Self.inputsMax
        }
    }

    private static func write(
        _ instanceID: String, _ elementID: String, _ type: InputElementType
    ) -> [UInt8] {
        let scratch = EventScratch()
        scratch.begin(
            textBytesMax: instanceID.utf8.count + elementID.utf8.count + 160, fieldsMax: 24)
        scratch.param("element_type") { scratch.text(1, type.rawValue) }
        scratch.param("element_id") { scratch.text(1, elementID) }
        scratch.param("isCustomerEvent", true)
        scratch.param("isBackendEvent", false)
        scratch.param("instanceId") { scratch.text(1, instanceID) }
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
