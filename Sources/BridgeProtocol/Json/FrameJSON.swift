/// Frames as line mode writes them, for people and files.
public enum FrameJSON {
    /// Memory that a frame may take while it is written.
    private static let arenaBytesMax = 64 << 20

    /// The line of a frame of the broker, without its line end.
    public static func line(of frame: ServerFrame) -> String {
        text { coder, buffer in
            coder.encode(frame, mode: .line, into: buffer, bytesMax: .max)
        }
    }

    /// The line of a frame of a client, without its line end.
    ///
    /// - Throws: INVALID_ARGUMENT when a string holds a NUL.
    public static func line(of frame: ClientFrame) throws(BridgeError) -> String {
        let buffer = ByteBuffer()
        try WireCoder(arenaBytesMax: arenaBytesMax).encode(
            frame, mode: .line, into: buffer, bytesMax: .max)
        return String(decoding: buffer.readable.dropLast(), as: UTF8.self)
    }

    /// The member of an answer's frame: what stands behind the method's name in its line.
    public static func member(of body: ServerFrame.Body) -> String {
        var frame = ServerFrame()
        frame.id = 1
        frame.body = body
        // {"id":"1","getFlow":{…}}
        let name = line(of: frame).dropLast().utf8.drop { $0 != UInt8(ascii: ",") }
        return String(Substring(name.drop { $0 != UInt8(ascii: ":") }.dropFirst()))
    }

    private static func text(_ write: (WireCoder, ByteBuffer) -> EncodeOutcome) -> String {
        let buffer = ByteBuffer()
        guard case .written = write(WireCoder(arenaBytesMax: arenaBytesMax), buffer) else {
            return "{}"
        }
        return String(decoding: buffer.readable.dropLast(), as: UTF8.self)
    }
}
