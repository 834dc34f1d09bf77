import BridgeProtocol
import BridgeTransport

/// The bytes of a connection, cut and decoded as they come.
enum StreamTarget {
    static func verdict(_ bytes: [UInt8]) -> String {
        guard let size = bytes.first.map({ Int($0) + 1 }) else { return "nothing" }
        let stream = bytes.dropFirst()
        let whole = words(stream, pieceSize: max(stream.count, 1))
        let pieces = words(stream, pieceSize: size)
        guard whole == pieces else { violated("whole: \(whole); in pieces of \(size): \(pieces)") }
        return whole
    }

    private static func words(_ stream: ArraySlice<UInt8>, pieceSize: Int) -> String {
        let reader = StreamReader()
        let transport = InProcessTransport(limits: Limits(), handler: reader)
        let connection = transport.connect()
        var rest = stream
        while !rest.isEmpty {
            _ = transport.exchange(Array(rest.prefix(pieceSize)), on: connection)
            rest = rest.dropFirst(pieceSize)
        }
        _ = transport.endInput(of: connection)
        return reader.seen.isEmpty ? "nothing" : reader.seen.joined(separator: ", ")
    }
}

/// Decodes each frame and says nothing.
private final class StreamReader: ConnectionHandler {
    private(set) var seen: [String] = []
    private let coder = WireCoder(arenaBytesMax: 1 << 20)

    var wantsAnotherTurn: Bool { false }

    func connectionOpened(_ connection: Connection) {}

    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer) {
        let line = connection.mode == .line
        do throws(WireFault) {
            let frame =
                line
                ? try coder.decodeClientFrame(line: bytes)
                : try coder.decodeClientFrame(binary: bytes)
            seen.append(frame.body?.method.name ?? "no method")
        } catch {
            seen.append(words(error))
            if case .undecodable = error { connection.close(reason: "no message") }
        }
    }

    func connection(_ connection: Connection, refused error: BridgeError) {}

    func connection(_ connection: Connection, failed fault: FramingFault) {
        if fault.message.isEmpty { violated("a fault without a text") }
        seen.append("no frame")
    }

    func hasPendingRequests(_ connection: Connection) -> Bool { false }

    func connectionClosed(_ connection: Connection, reason: String) {}

    func wakeUpEnded() {}
}
