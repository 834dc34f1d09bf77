/// Why the bytes of a connection are no frames. After it nothing more is read; the connection
/// gets one error and is closed.
public struct FramingFault: Error, Sendable, Equatable {
    /// What was seen, which limit, what this socket speaks.
    public var message: String

    /// Makes a fault.
    public init(_ message: String) {
        self.message = message
    }
}
