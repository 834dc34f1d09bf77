import BridgeProtocol
import FlowEngine

extension Counters {
    /// All counters of a broker: what ended connections did and what open ones have done so far.
    init(_ broker: Broker) {
        self.init()
        let counters = broker.counters
        var traffic = counters.ended
        for session in broker.sessions.values { traffic.add(session.connection, session) }
        framesIn = traffic.framesIn
        framesOut = traffic.framesOut
        bytesIn = traffic.bytesIn
        bytesOut = traffic.bytesOut
        eventsDelivered = traffic.eventsDelivered
        eventsDropped = traffic.eventsDropped
        queueHighBytes = traffic.queueHighBytes
        pendingHigh = traffic.pendingHigh
        connectionsAccepted = counters.connectionsAccepted
        connectionsRefused = ReasonCount.rows(counters.refused)
        connectionsClosed = ReasonCount.rows(counters.closed)
        errors = counters.errors.map { ErrorCount($0, $1.name, $1.count) }
            .sorted { ($0.space, $0.code) < ($1.space, $1.code) }
        methods = MethodTable.all.compactMap { MethodCount($0, counters.methods[$0.index]) }
        eventsRecorded = counters.eventsRecorded
        laggedTold = counters.laggedTold
        wakeUps = counters.wakeUps
    }
}

extension ReasonCount {
    /// By name.
    fileprivate static func rows(_ counts: [String: UInt64]) -> [ReasonCount] {
        counts.sorted { $0.key.precedesInBytes($1.key) }.map { name, count in
            with(ReasonCount()) {
                $0.reason = name
                $0.count = count
            }
        }
    }
}

extension ErrorCount {
    fileprivate init(_ key: BrokerCounters.ErrorKey, _ name: String, _ count: UInt64) {
        self.init()
        space = key.isSDK ? "sdk" : "bridge"
        code = key.code
        self.name = name
        self.count = count
    }
}

extension MethodCount {
    /// Nil for a method that nobody asked for.
    fileprivate init?(_ method: MethodInfo, _ use: BrokerCounters.MethodUse) {
        if use.requests == 0 { return nil }
        self.init()
        self.method = method.name
        requests = use.requests
        totalNs = use.totalNs
    }
}

extension ClosedConnection {
    init(_ record: ClosedConnections.Record, nowNs: UInt64) {
        self.init()
        connectionId = record.id
        pid = record.peer.pid
        uid = record.peer.uid
        clientName = record.clientName
        kind = record.kind.rawValue
        limit = CloseKind.limit(in: record.reason) ?? ""
        reason = record.reason
        durationMs = (record.endedAtNs - record.openedAtNs) / 1_000_000
        endedAgoMs = (max(nowNs, record.endedAtNs) - record.endedAtNs) / 1_000_000
        framesIn = record.traffic.framesIn
        framesOut = record.traffic.framesOut
        bytesIn = record.traffic.bytesIn
        bytesOut = record.traffic.bytesOut
        queueHighBytes = record.traffic.queueHighBytes
        queuedBytes = UInt64(record.queuedBytes)
        lastMethod = record.lastMethod.map { MethodTable.all[$0].name } ?? ""
        pending = UInt32(clamping: record.pending)
    }
}
