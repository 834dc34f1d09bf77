import CBridgeWire

/// The schema that this build speaks, as `describe` gives it.
public enum Schema {
    /// A serialized `google.protobuf.FileDescriptorSet` of all files, imports included.
    public static var fileDescriptorSet: [UInt8] {
        Array(
            UnsafeBufferPointer(
                start: fb_descriptor_set_bytes(), count: fb_descriptor_set_length()))
    }

    /// SHA-256 of the descriptor set, in lower-case hex.
    public static var sha256: String { String(cString: fb_descriptor_set_sha256()) }
}
