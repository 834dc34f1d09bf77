import BridgeProtocol
import BridgeTransport

/// The way of a frame: decoded, routed, answered.
extension Broker: ConnectionHandler {
    /// Begins a session.
    public func connectionOpened(_ connection: Connection) {
        let session = ClientSession(connection: connection)
        connection.session = session
        sessions[connection.id] = session
        counters.connectionsAccepted += 1
        log(
            .debug, "connected",
            [
                ("conn", String(connection.id)), ("pid", String(connection.peer.pid)),
                ("uid", String(connection.peer.uid)),
            ])
    }

    /// Decodes and serves one frame; its answer goes into the connection's queue.
    public func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer) {
        guard let session = connection.session as? ClientSession, let mode = connection.mode else {
            return
        }
        do {
            serve(try coder.decodeRequest(bytes, mode: mode), bytes, session)
        } catch {
            see(request: bytes, id: 0, methodIndex: nil, session)
            switch error {
            case .undecodable(let message):
                refuse(connection, BridgeError(.invalidFrame, message))
            case .payload(let id, let error):
                answer(error, id: id, session)
                if requiresHello(session) { closeUngreeted(session) }
            }
        }
    }

    /// Says why the bytes are no frames.
    public func connection(_ connection: Connection, failed fault: FramingFault) {
        let error = BridgeError(.invalidFrame, fault.message)
        count(error, connection.session as? ClientSession)
        writeError(error, id: 0, to: connection)
    }

    /// Says why the peer was not let in.
    public func connection(_ connection: Connection, refused error: BridgeError) {
        count(error, nil)
        counters.noteRefused(CloseKind.limit(in: error.message) ?? "permission")
        writeError(error, id: 0, to: connection)
        log(
            .notice, "refused",
            [
                ("pid", String(connection.peer.pid)), ("uid", String(connection.peer.uid)),
                ("reason", error.message),
            ])
    }

    /// Whether requests wait for the simulated service.
    public func hasPendingRequests(_ connection: Connection) -> Bool {
        sessions[connection.id].map { !$0.pending.isEmpty || $0.postponed != nil } ?? false
    }

    /// Ends a session: its subscriptions and its waiting requests go with it.
    public func connectionClosed(_ connection: Connection, reason: String) {
        let session = sessions.removeValue(forKey: connection.id)
        let kind = noteEnd(of: connection, session, reason)
        guard let session else { return }
        for subscription in session.subscriptions { drop(subscription) }
        session.subscriptions = []
        dropPostponed(of: session)
        endPending(of: session)
        endMonitor(of: session)
        session.device?.attached -= 1
        if session.isHeld { held.removeAll { $0 === session } }
        logEnd(of: session, kind, reason)
    }

    /// Ends the waiting requests of a session; what others sent behind them goes on.
    private func endPending(of session: ClientSession) {
        var devices: [Device] = []
        for pending in session.pending {
            if let work = pending as? PendingWork { forget(work) }
            guard let pending = pending as? PendingCall else { continue }
            forget(pending.call, of: pending.device)
            _ = pending.device.core.expire(pending.call)
            if devices.contains(where: { $0 === pending.device }) { continue }
            devices.append(pending.device)
        }
        for device in devices { advance(device, to: now(of: device)) }
    }

    /// Feeds what is sent as connections have room: replays, and what a slow reader missed.
    public func wakeUpEnded() {
        counters.wakeUps += 1
        endTime()
        tellMissed()
        feedReplays()
        seal()
        feedMonitors()
    }

    /// Whether there is more to feed and room for it.
    public var wantsAnotherTurn: Bool {
        if replaying.isEmpty && lagging.isEmpty && monitors.isEmpty { return false }
        return replaying.contains { canFeed($0) }
            || lagging.contains { $0.connection.hasRoom(limits) }
            || monitors.contains { $0.canFeed }
    }

    // MARK: Serving

    private func serve(
        _ body: consuming ClientFrame.Body, _ bytes: UnsafeRawBufferPointer,
        _ session: ClientSession
    ) {
        let (id, methodIndex) = (coder.requestID, body.methodIndex)
        if !monitors.isEmpty {
            see(request: bytes, id: id, methodIndex: methodIndex, session)
        }
        session.requests += 1
        session.lastMethod = methodIndex
        counters.methods[methodIndex].requests += 1
        if requiresHello(session), methodIndex != MethodTable.helloIndex {
            answer(
                BridgeError(
                    .wrongState,
                    "hello has to be the first frame of a binary connection, here "
                        + "\(MethodTable.all[methodIndex].name) came"), id: id, session)
            closeUngreeted(session)
            return
        }
        let context = RequestContext(
            broker: self, session: session, requestID: id, deadlineMs: coder.requestDeadlineMs,
            methodIndex: methodIndex)
        route(body, context)
        if store.isWorthSealing { seal() }
    }

    private func route(_ body: consuming ClientFrame.Body, _ context: RequestContext) {
        let (id, session) = (context.requestID, context.session)
        beginTime(of: context.methodIndex)
        do {
            try requireStore(for: context.methodIndex)
            guard case .now(let reply) = try Router.route(body, context) else { return }
            if id != 0 { write(reply, id: id, methodIndex: context.methodIndex, to: session) }
            // A replay begins at once: the events of the next request come before its answer.
            feedReplays()
            if log.level >= .info { logRequest(context.method, session, reply, sinceNs: nil) }
        } catch {
            if id == 0 { count(error, session) }
            if id != 0 { answer(error, id: id, session, to: context.methodIndex) }
            if log.level >= .info {
                logRequest(context.method, session, .error(ErrorReply(error)), sinceNs: nil)
            }
        }
    }

    private func requiresHello(_ session: ClientSession) -> Bool {
        !session.isGreeted && session.connection.mode == .binary
    }

    private func closeUngreeted(_ session: ClientSession) {
        session.connection.close(reason: "no hello came first")
    }

    // MARK: Answering

    /// Writes an answer; one over the frame limit becomes LIMIT_EXCEEDED with its size.
    func write(
        _ body: ServerFrame.Body, id: UInt64, methodIndex: Int, to session: ClientSession
    ) {
        let waits = replays(before: methodIndex, of: session)
        guard waits.isEmpty else {
            return postpone(of: session, until: waits) { output in
                encode(body, id: id, methodIndex, session, into: output)
            }
        }
        if !Router.isFree(methodIndex) { hold(session) }
        encode(body, id: id, methodIndex, session, into: session.connection.writableOutput())
        session.connection.framesOut += 1
    }

    private func encode(
        _ body: ServerFrame.Body, id: UInt64, _ methodIndex: Int, _ session: ClientSession,
        into output: ByteBuffer
    ) {
        let connection = session.connection
        guard let mode = connection.mode else { return }
        let start = output.count
        let outcome = coder.encode(
            body, id: id, mode: mode, into: output, bytesMax: connection.answerBytesMax)
        guard case .tooLarge(let bytes) = outcome else {
            if monitors.isEmpty { return }
            return see(
                answer: body, from: start, of: output, id: id, methodIndex: methodIndex, session)
        }
        let error = BridgeError(
            .limitExceeded,
            "the answer to \(MethodTable.all[methodIndex].name) takes \(bytes) bytes, at most "
                + "\(connection.frameBytesMax) (max_frame); ask for smaller pages")
        count(error, session)
        coder.encode(.error(ErrorReply(error)), id: id, mode: mode, into: output)
        see(.error, from: start, of: output, id: id, methodIndex: methodIndex, session)
    }

    /// Answers with an error; a request with id 0 wants none.
    ///
    /// - Parameter methodIndex: the method, if the request was one that was begun.
    func answer(
        _ error: BridgeError, id: UInt64, _ session: ClientSession, to methodIndex: Int? = nil
    ) {
        count(error, session)
        let connection = session.connection
        if id == 0, connection.mode == .binary, !requiresHello(session) { return }
        let waits = methodIndex.map { replays(before: $0, of: session) } ?? []
        guard waits.isEmpty else {
            return postpone(of: session, until: waits) { output in
                encode(error, id: id, connection, into: output)
            }
        }
        if let methodIndex, !Router.isFree(methodIndex), error.code != .unavailable {
            hold(session)
        }
        writeError(error, id: id, to: connection)
    }

    func refuse(_ connection: Connection, _ error: BridgeError) {
        count(error, connection.session as? ClientSession)
        writeError(error, id: 0, to: connection)
        connection.close(reason: error.message)
    }

    /// Before the mode is known an error is a line of JSON, which a person can read.
    private func writeError(_ error: BridgeError, id: UInt64, to connection: Connection) {
        encode(error, id: id, connection, into: connection.writableOutput())
        connection.framesOut += 1
    }

    private func encode(
        _ error: BridgeError, id: UInt64, _ connection: Connection, into output: ByteBuffer
    ) {
        let start = output.count
        coder.encode(
            .error(ErrorReply(error)), id: id, mode: connection.mode ?? .line, into: output)
        guard !monitors.isEmpty, let session = connection.session as? ClientSession else { return }
        see(
            .error, from: start, of: output, id: id,
            methodIndex: id == 0 ? nil : session.lastMethod, session)
    }

    func logRequest(
        _ method: String, _ session: ClientSession, _ body: ServerFrame.Body, sinceNs: UInt64?
    ) {
        var fields = [("conn", String(session.connection.id)), ("method", method)]
        if let sinceNs { fields.append(("ms", String((timers.nowNs - sinceNs) / 1_000_000))) }
        if case .error(let error) = body {
            fields.append(("error", error.sdk?.name ?? String(error.bridge.rawValue)))
        }
        log(.info, "request", fields)
    }
}

extension Connection {
    /// The largest answer: a frame, or a line of four times that.
    var answerBytesMax: Int { mode == .line ? 4 * frameBytesMax : frameBytesMax }
}

extension MethodTable {
    static let helloIndex = 0
}
