import BridgeBroker
import BridgeCatalog
import BridgeProtocol
import BridgeTransport

/// A broker without a socket, over the built-in catalog, whose clock stands still.
final class SweepBroker {
    let broker: Broker
    let transport: InProcessTransport
    private let timers = TimerQueue()

    init() {
        guard let catalog = CatalogLoader.sample().catalog else {
            preconditionFailure("the sample catalog does not load")
        }
        broker = Broker(
            configuration: BrokerConfiguration(catalog: catalog, catalogName: "sample"),
            timers: timers, worker: DirectWorker(), wallMs: { 1_750_000_000_000 },
            log: Log(level: .error, write: { _ in }))
        transport = InProcessTransport(limits: Limits(), handler: broker)
    }

    /// What a new connection that sends those bytes and ends gets, as frames; nil when what comes
    /// is not frames to the last byte.
    func answers(to bytes: [UInt8]) -> [ServerFrame]? {
        let connection = transport.connect()
        let sent = transport.exchange(bytes, on: connection)
        return SweepBroker.frames(sent + transport.endInput(of: connection))
    }

    /// Cuts what a broker sends: frames, or lines, which also come before a mode is known.
    static func frames(_ bytes: [UInt8]) -> [ServerFrame]? {
        let coder = WireCoder()
        var frames: [ServerFrame] = []
        var rest = bytes[...]
        while let first = rest.first {
            do {
                if first == UInt8(ascii: "{") {
                    guard let end = rest.firstIndex(of: 0x0A) else { return nil }
                    frames.append(
                        try rest[..<end].withUnsafeBytes { try coder.decodeServerFrame(line: $0) })
                    rest = rest[(end + 1)...]
                } else {
                    guard rest.count >= 4 else { return nil }
                    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                    guard rest.count >= 4 + length else { return nil }
                    let body = rest.dropFirst(4).prefix(length)
                    frames.append(
                        try body.withUnsafeBytes { try coder.decodeServerFrame(binary: $0) })
                    rest = rest.dropFirst(4 + length)
                }
            } catch {
                return nil
            }
        }
        return frames
    }
}

extension ServerFrame {
    /// The class of an error of the bridge; nil for answers, events and errors of the SDK.
    var bridgeCode: ErrorReply.Bridge? {
        guard case .error(let error) = body, error.sdk == nil else { return nil }
        return error.bridge
    }
}

/// Protobuf by hand: a field of bytes, a text or a message.
func delimited(_ field: UInt64, _ payload: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(payload.count)) + payload
}

func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

/// Four bytes of length, big-endian, then the message.
func framed(_ message: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message
}
