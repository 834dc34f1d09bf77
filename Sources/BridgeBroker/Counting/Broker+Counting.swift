import BridgeProtocol
import BridgeTransport
import CLinux

/// What the way of a request adds to the counters.
extension Broker {
    /// Counts an error of a request.
    func count(_ error: BridgeError, _ session: ClientSession?) {
        counters.note(error)
        session?.errors += 1
    }

    /// Begins to count the time of a method, if it is not the one that is counted already: the clock
    /// is read for each run of requests of one method, since reading it costs a tenth of a `ping`.
    func beginTime(of methodIndex: Int) {
        if timedMethod == methodIndex { return }
        endTime()
        timedMethod = methodIndex
    }

    /// Counts the time since the last call, or since the wake-up began, for the method that is
    /// counted; to be called before what is the time of no request.
    func endTime() {
        guard let methodIndex = timedMethod else { return }
        timedMethod = nil
        let now = fb_monotonic_ns()
        let begin = max(timedUntilNs, timers.nowNs)
        timedUntilNs = now
        if now > begin { counters.methods[methodIndex].totalNs += now - begin }
    }

    /// Counts an answer that came later: the time that it was waited for.
    func countAnswer(_ body: ServerFrame.Body, to request: WaitingRequest) {
        let waitedNs = timers.nowNs - min(request.startedNs, timers.nowNs)
        counters.methods[request.methodIndex].totalNs += waitedNs
        if case .error(let error) = body { count(error.bridgeError, request.session) }
    }

    /// Counts the end of a connection and keeps what is told of it.
    func noteEnd(
        of connection: Connection, _ session: ClientSession?, _ reason: String
    ) -> CloseKind {
        let kind = CloseKind(
            reason, wasOpen: session != nil, hasStoreFault: session?.isCutByStore ?? false)
        counters.end(connection, session, kind: kind)
        if let session {
            closedConnections.add(
                ClosedConnections.Record(session, kind, reason, nowNs: timers.nowNs),
                max: Int(limits.closedConnectionsMax))
        }
        return kind
    }

    /// Tells the end of a connection. What a limit ended is told at the default level, with all
    /// that finds the culprit (reliability.md, row 10).
    func logEnd(of session: ClientSession, _ kind: CloseKind, _ reason: String) {
        let connection = session.connection
        let isNotable = kind == .limit || kind == .store
        log(
            isNotable ? .notice : .info, isNotable ? "cut" : "disconnected",
            [
                ("conn", String(connection.id)), ("pid", String(connection.peer.pid)),
                ("uid", String(connection.peer.uid)),
                (
                    "client", session.clientName.cut(atBytes: ClosedConnections.nameBytesMax)
                ),
                ("kind", kind.rawValue), ("limit", CloseKind.limit(in: reason) ?? "none"),
                ("queued", String(connection.queuedAtEnd)),
                ("method", session.lastMethod.map { MethodTable.all[$0].name } ?? "none"),
                ("frames_in", String(connection.framesIn)), ("reason", reason),
            ])
    }
}
