/// How one connection speaks, fixed by its first byte.
public enum WireMode: Sendable, Equatable {
    /// A 4-byte big-endian length and a protobuf message.
    case binary
    /// One JSON object a line.
    case line
}
