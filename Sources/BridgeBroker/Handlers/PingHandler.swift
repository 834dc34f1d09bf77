import BridgeProtocol

/// `ping`: gives the payload back.
enum PingHandler {
    static func handle(_ request: PingRequest) -> Reply {
        var reply = PingReply()
        reply.payload = request.payload
        return .now(.ping(reply))
    }
}
