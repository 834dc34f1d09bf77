import BridgeProtocol

// The connection and the broker itself.
//
// Each takes its request message; `deadline` and what is thrown are as for `call`.

extension BridgeClient {
    /// Sends bytes there and back.
    @discardableResult
    public func ping(
        _ request: PingRequest = PingRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> PingReply {
        try await reply(.ping(request), deadline) {
            if case .ping(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets the schema that the broker speaks, as a serialized `FileDescriptorSet`.
    public func describe(
        _ request: DescribeRequest = DescribeRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> DescribeReply {
        try await reply(.describe(request), deadline) {
            if case .describe(let reply) = $0 { reply } else { nil }
        }
    }

    /// Gets what the broker is, holds and waits for.
    public func status(
        _ request: StatusRequest = StatusRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> StatusReply {
        try await reply(.status(request), deadline) {
            if case .status(let reply) = $0 { reply } else { nil }
        }
    }
}
