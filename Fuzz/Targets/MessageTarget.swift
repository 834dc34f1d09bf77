import BridgeProtocol
import CBridgeWire

/// One message, in a frame of its own.
public enum MessageTarget {
    /// A sort of message: the member of a frame or of an event.
    struct Sort {
        let name: String
        let number: UInt64
        let isRequest: Bool
        let isEvent: Bool
    }

    static let sorts: [Sort] =
        members(of: fb_schema_client_frame(), isRequest: true, isEvent: false)
        + members(of: fb_schema_server_frame(), isRequest: false, isEvent: false)
        + members(of: fb_schema_event(), isRequest: false, isEvent: true)

    /// How many inputs of each sort decoded, by its name.
    nonisolated(unsafe) private static var decoded: [String: Int] = [:]  // by one thread

    /// Which sorts have decoded so far, of all.
    public static var coverage: String {
        let missing = sorts.map(\.name).filter { decoded[$0] == nil }
        return "\(sorts.count - missing.count) of \(sorts.count) sorts of message were decoded"
            + (missing.isEmpty ? "" : ", not \(missing.joined(separator: " "))")
    }

    static func verdict(_ bytes: [UInt8], ignoring ignored: UInt32) -> String {
        guard let first = bytes.first else { return "nothing" }
        let sort = sorts[Int(first) % sorts.count]
        let member = field(sort.number, bytes.dropFirst())
        let frame = [0x08, 0x05] + (sort.isEvent ? field(3, member) : member)
        let coder = WireCoder(arenaBytesMax: 4 << 20)
        coder.ignoredFaults = ignored
        return withExactBytes(frame) { raw in
            do throws(WireFault) {
                if sort.isRequest {
                    RoundTrip.check(try coder.decodeClientFrame(binary: raw))
                } else {
                    RoundTrip.check(try coder.decodeServerFrame(binary: raw))
                }
                decoded[sort.name, default: 0] += 1
                return "\(sort.name) decoded"
            } catch {
                return "\(sort.name) \(words(error))"
            }
        }
    }

    private static func members(
        of schema: UnsafePointer<fb_message>, isRequest: Bool, isEvent: Bool
    ) -> [Sort] {
        guard let fields = schema.pointee.fields else { return [] }
        let kind = isEvent ? "event" : isRequest ? "request" : "answer"
        let all = UnsafeBufferPointer(start: fields, count: Int(schema.pointee.field_count))
        return all.filter { $0.oneof != 0 }.map { field in
            let key = String(cString: field.json_key)
            let name = String(key.prefix { $0 != ":" }.filter { $0 != "\"" })
            return Sort(
                name: "\(kind) \(name)", number: UInt64(field.number), isRequest: isRequest,
                isEvent: isEvent)
        }
    }

    static func field(_ number: UInt64, _ payload: some Collection<UInt8>) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(payload.count)) + payload
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (bytes, rest): ([UInt8], UInt64) = ([], value)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
