import Testing

@testable import BridgeProtocol

/// The message of the binary frame in a buffer, without its header.
func message(_ buffer: ByteBuffer) -> [UInt8] {
    Array(buffer.readable.dropFirst(4))
}

/// What is in a buffer, as text.
func text(_ buffer: ByteBuffer) -> String {
    String(decoding: buffer.readable, as: UTF8.self)
}

extension WireCoder {
    func client(_ bytes: [UInt8]) throws -> ClientFrame {
        try bytes.withUnsafeBytes { try decodeClientFrame(binary: $0) }
    }

    func server(_ bytes: [UInt8]) throws -> ServerFrame {
        try bytes.withUnsafeBytes { try decodeServerFrame(binary: $0) }
    }

    func client(line: String) throws -> ClientFrame {
        try client(line: Array(line.utf8))
    }

    func client(line: [UInt8]) throws -> ClientFrame {
        try line.withUnsafeBytes { try decodeClientFrame(line: $0) }
    }

    func server(line: String) throws -> ServerFrame {
        try Array(line.utf8).withUnsafeBytes { try decodeServerFrame(line: $0) }
    }
}

/// The fault of a payload with its id; records an issue if there is none.
func payloadFault(
    _ work: () throws -> ClientFrame, sourceLocation: SourceLocation = #_sourceLocation
) -> (id: UInt64, error: BridgeError)? {
    do {
        let frame = try work()
        Issue.record("read \(frame)", sourceLocation: sourceLocation)
    } catch WireFault.payload(let id, let error) {
        return (id, error)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
