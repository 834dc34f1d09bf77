import BridgeProtocol
import Glibc

/// `monitor`: the frames of all connections, from now on, until this connection ends.
enum MonitorHandler {
    /// - Throws: PERMISSION_DENIED for another user than the broker's and root; WRONG_STATE for a
    ///   connection that watches already; INVALID_ARGUMENT for an unknown kind, and for raw bytes
    ///   without values; LIMIT_EXCEEDED for one monitor too many.
    static func handle(_ request: MonitorRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let (broker, session) = (context.broker, context.session)
        try check(request, session, broker)
        let most = Int(broker.limits.monitorFrameBytesMax)
        let size = request.sizeMax == 0 ? most : min(Int(request.sizeMax), most)
        let form = FrameRenderer.Form(
            mode: session.connection.mode ?? .line, showsValues: request.showValues,
            hasHeadersOnly: request.headersOnly, isRaw: request.raw, sizeMax: size)
        let renderer = FrameRenderer(filter: try FrameFilter(request.matches), form: form)
        session.isMonitor = true
        broker.monitors.append(
            Monitor(
                session, renderer, queueBytesMax: Int(broker.limits.monitorQueueBytes)))
        broker.log(
            .notice, "monitor_began",
            [
                ("conn", String(session.connection.id)),
                ("pid", String(session.connection.peer.pid)),
                ("uid", String(session.connection.peer.uid)),
                ("values", request.showValues ? "shown" : "hidden"),
            ])
        return .now(
            .monitor(with(MonitorReply()) { $0.queueBytesMax = broker.limits.monitorQueueBytes }))
    }

    private static func check(
        _ request: MonitorRequest, _ session: ClientSession, _ broker: Broker
    ) throws(BridgeError) {
        let uid = session.connection.peer.uid
        guard uid == 0 || uid == geteuid() else {
            throw BridgeError(
                .permissionDenied,
                "monitor shows what others send: for uid \(geteuid()) and root, not for uid \(uid)")
        }
        guard !session.isMonitor else {
            throw BridgeError(
                .wrongState, "this connection watches already; open another one, or close it")
        }
        if request.raw, !request.showValues {
            throw BridgeError(
                .invalidArgument, "raw bytes hold all values: ask for show_values too",
                field: "monitor.raw")
        }
        guard broker.monitors.count < Int(broker.limits.monitorsMax) else {
            throw BridgeError(
                .limitExceeded,
                "monitorsMax: \(broker.limits.monitorsMax) connections watch already; end one",
                isRetryable: true)
        }
    }
}
