import BridgeProtocol

/// `describe`: the schema itself, so that a tool needs no .proto file.
enum DescribeHandler {
    static func handle() -> Reply {
        .now(
            .describe(
                with(DescribeReply()) {
                    $0.fileDescriptorSet = Schema.fileDescriptorSet
                    $0.schemaSha256 = Schema.sha256
                }))
    }
}
