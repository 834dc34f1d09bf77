/// Why bytes did not become a frame.
public enum WireFault: Error, Sendable, Equatable {
    /// The bytes are no message: INVALID_FRAME with this text, then close the connection.
    case undecodable(String)
    /// The frame is one, but cannot be served: answer the request with this id (0 if it could not
    /// be read) and keep the connection.
    case payload(id: UInt64, BridgeError)
}
