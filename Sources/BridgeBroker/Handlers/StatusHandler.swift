import BridgeProtocol
import BridgeStore
import Glibc

/// `status`: what the broker is, holds, waits for and has done.
enum StatusHandler {
    /// - Throws: NOT_FOUND for a connection that is neither open nor among the last closed ones.
    static func handle(_ request: StatusRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let broker = context.broker
        var reply = overview(broker)
        if request.connectionId != 0 {
            try pick(request.connectionId, broker, &reply)
        } else {
            reply.connections = connections(broker)
            reply.devices = broker.firstDevices(Int(broker.limits.pageMax))
            reply.closedConnections = broker.closedConnections.latestFirst.map {
                ClosedConnection($0, nowNs: broker.timers.nowNs)
            }
        }
        return .now(.status(reply))
    }

    private static func overview(_ broker: Broker) -> StatusReply {
        with(StatusReply()) {
            $0.brokerVersion = BrokerConfiguration.version
            $0.protocolMajor = BrokerConfiguration.protocolMajor
            $0.protocolMinor = BrokerConfiguration.protocolMinor
            $0.sdkRelease = BrokerConfiguration.sdkRelease
            $0.zoneDataVersion = ZoneData.version
            $0.unicodeVersion = BrokerConfiguration.unicodeVersion
            $0.pid = getpid()
            $0.uptimeMs = (broker.timers.nowNs - broker.startedNs) / 1_000_000
            $0.socketPath = broker.configuration.socketPath
            $0.catalog = broker.catalogName
            $0.limits = broker.limitRows
            $0.store = StoreStatus(broker)
            $0.durability = broker.store.durability.rawValue
            $0.counters = Counters(broker)
            $0.connectionsOpen = UInt64(broker.sessions.count)
            $0.devicesOpen = UInt64(broker.devices.values.count { $0.core.isOpen })
            for session in broker.sessions.values {
                $0.subscriptions += UInt64(session.subscriptions.count)
                $0.queuedBytes += UInt64(session.connection.queuedBytes)
                $0.pendingRequests += UInt64(session.pending.count)
            }
        }
    }

    private static func connections(_ broker: Broker) -> [ConnectionStatus] {
        broker.sessions.values.sorted { $0.connection.id < $1.connection.id }
            .prefix(Int(broker.limits.pageMax)).map { ConnectionStatus($0, broker) }
    }

    private static func pick(
        _ id: UInt64, _ broker: Broker, _ reply: inout StatusReply
    ) throws(BridgeError) {
        if let session = broker.sessions[id] {
            reply.connections = [ConnectionStatus(session, broker)]
            return
        }
        let ended = broker.closedConnections.latestFirst
        guard let record = ended.first(where: { $0.id == id }) else {
            throw BridgeError(
                .notFound,
                "no connection \(id): it is not open, and not among the last \(ended.count) that "
                    + "ended (closedConnectionsMax)", field: "status.connection_id")
        }
        reply.closedConnections = [ClosedConnection(record, nowNs: broker.timers.nowNs)]
    }
}

extension StoreStatus {
    fileprivate init(_ broker: Broker) {
        self.init()
        let (facts, usage) = (broker.store.facts, broker.store.events.usage)
        kind = facts.kind
        path = facts.path
        events = usage.events
        bytes = usage.bytes
        journalBytes = facts.journalBytes
        fault = broker.store.fault?.message ?? ""
        batches = facts.saved.batches
        transactions = facts.saved.transactions
        rows = facts.saved.rows
        bytesWritten = facts.saved.bytes
        faults = broker.counters.storeFaults
        lastFault = broker.counters.lastStoreFault
        batchesWaiting = UInt64(facts.batchesWaiting)
    }
}

extension ConnectionStatus {
    fileprivate init(_ session: ClientSession, _ broker: Broker) {
        self.init()
        let connection = session.connection
        connectionId = connection.id
        pid = connection.peer.pid
        uid = connection.peer.uid
        clientName = session.clientName
        mode = connection.mode.map { $0 == .binary ? "binary" : "line" } ?? "undecided"
        device = session.device?.name ?? Broker.defaultDeviceName
        queuedBytes = UInt64(connection.queuedBytes)
        subscriptions = UInt32(session.subscriptions.count)
        framesIn = connection.framesIn
        framesOut = connection.framesOut
        bytesIn = connection.receivedBytes
        bytesOut = connection.sentBytes
        queueHighBytes = UInt64(connection.queueHighBytes)
        pendingHigh = session.pendingHigh
        requests = session.requests
        errors = session.errors
        lastMethod = session.lastMethod.map { MethodTable.all[$0].name } ?? ""
        eventsDelivered = session.eventsDelivered
        eventsDropped = session.eventsDropped
        pending = session.pending.map { call in
            with(PendingRequest()) {
                $0.id = call.requestID
                $0.method = call.method
                $0.ageMs = (broker.timers.nowNs - call.startedNs) / 1_000_000
            }
        }
        let now = broker.timers.nowNs
        ageMs = now > connection.openedAtNs ? (now - connection.openedAtNs) / 1_000_000 : 0
    }
}
