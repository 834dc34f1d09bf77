import BridgeProtocol

/// `hello`: agrees on the version and on the largest frame.
enum HelloHandler {
    /// - Throws: INVALID_ARGUMENT for another major version or a `max_frame` out of range,
    ///   WRONG_STATE for a second hello. A binary connection that was not greeted closes then.
    static func handle(_ request: HelloRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let session = context.session
        do {
            try check(request, context)
        } catch {
            if !session.isGreeted, session.connection.mode == .binary {
                session.connection.close(reason: "hello was refused")
            }
            throw error
        }
        session.isGreeted = true
        session.clientName = request.clientName
        if request.maxFrame != 0 {
            session.connection.frameBytesMax = min(
                Int(request.maxFrame), session.connection.frameBytesMax)
        }
        session.connection.greeted()
        return .now(.welcome(welcome(context)))
    }

    private static func check(_ request: HelloRequest, _ context: RequestContext)
        throws(BridgeError)
    {
        guard !context.session.isGreeted else {
            throw BridgeError(.wrongState, "hello came already on this connection")
        }
        guard request.protocolMajor == BrokerConfiguration.protocolMajor else {
            throw BridgeError(
                .invalidArgument,
                "protocol \(request.protocolMajor).\(request.protocolMinor) is not spoken here, "
                    + "\(BrokerConfiguration.protocolMajor).\(BrokerConfiguration.protocolMinor) is",
                field: "hello.protocol_major")
        }
        let least = context.broker.limits.clientFrameBytesMin
        guard request.maxFrame == 0 || UInt64(request.maxFrame) >= least else {
            throw BridgeError(
                .invalidArgument,
                "max_frame \(request.maxFrame): at least \(least) bytes, or 0 for the broker's own",
                field: "hello.max_frame")
        }
    }

    private static func welcome(_ context: RequestContext) -> WelcomeReply {
        with(WelcomeReply()) {
            $0.protocolMajor = BrokerConfiguration.protocolMajor
            $0.protocolMinor = BrokerConfiguration.protocolMinor
            $0.brokerVersion = BrokerConfiguration.version
            $0.features = ["binary", "line", "replay", "manual_clock"]
            $0.limits = context.broker.limitRows
            $0.schemaSha256 = Schema.sha256
            $0.maxFrame = UInt32(clamping: context.session.connection.frameBytesMax)
        }
    }
}

extension Limit {
    /// The table of limits as messages.
    static func rows(_ limits: Limits) -> [Limit] {
        Limits.table.map { row in
            with(Limit()) {
                $0.name = row.name
                $0.value = limits[row]
                $0.unit = row.unit
                $0.meaning = row.meaning
            }
        }
    }
}
