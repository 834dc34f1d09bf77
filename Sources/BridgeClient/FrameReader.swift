import BridgeProtocol

/// Cuts what the broker sends into frames and reads them.
///
/// Belongs to the connection's thread.
struct FrameReader {
    /// Why no further frame can be read.
    enum Fault: Error {
        /// The bytes are no frames of this protocol.
        case foreign(String)
        /// One answer could not be read; its call is lost, the connection is not.
        case frame(id: UInt64, BridgeError)
    }

    private let coder = WireCoder()
    private let buffer = ByteBuffer(capacity: 64 << 10)
    /// What the broker has agreed to, once it has said so; a welcome is far smaller than this.
    private var frameBytesMax = 64 << 10

    /// Bytes of memory that hold what was read.
    var capacity: Int { buffer.capacity }

    /// Takes what was read from the socket.
    func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
    }

    /// The next whole frame and its size in bytes; nil until more bytes come.
    mutating func next() throws(Fault) -> (frame: ServerFrame, bytes: Int)? {
        let bytes = buffer.readable
        guard bytes.count >= 4 else {
            try checkStart(bytes)
            return nil
        }
        guard bytes[0] == 0 else { return try nextLine(bytes) }
        let length = Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3])
        guard length > 0 else { throw .foreign("it sent a frame of length 0") }
        guard length <= frameBytesMax else {
            throw .foreign(
                "it sent a frame of \(length) bytes, at most \(frameBytesMax) are agreed")
        }
        guard bytes.count >= 4 + length else { return nil }
        defer { buffer.consume(4 + length) }
        do throws(WireFault) {
            let message = UnsafeRawBufferPointer(rebasing: bytes[4..<4 + length])
            let frame = try coder.decodeServerFrame(binary: message)
            if case .welcome(let welcome) = frame.body { frameBytesMax = Int(welcome.maxFrame) }
            return (frame, length)
        } catch {
            switch error {
            case .undecodable(let text): throw .foreign("it sent what is no answer: \(text)")
            case .payload(let id, let error): throw .frame(id: id, error)
            }
        }
    }

    private func checkStart(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard let first = bytes.first, first != 0, first != UInt8(ascii: "{") else { return }
        throw foreign(bytes)
    }

    /// A broker that lets nobody in says so before it knows the mode: in a line of JSON.
    private func nextLine(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> (
        frame: ServerFrame, bytes: Int
    )? {
        guard bytes[0] == UInt8(ascii: "{"), bytes.count <= 64 << 10 else { throw foreign(bytes) }
        guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
        defer { buffer.consume(end + 1) }
        do {
            let line = UnsafeRawBufferPointer(rebasing: bytes[..<end])
            return (try coder.decodeServerFrame(line: line), end)
        } catch {
            throw foreign(bytes)
        }
    }

    private func foreign(_ bytes: UnsafeRawBufferPointer) -> Fault {
        let seen = bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return .foreign(
            "it answered with bytes \(seen.joined(separator: " ")), which are no frame: is another "
                + "program listening there?")
    }
}
