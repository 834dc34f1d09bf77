import BridgeProtocol
import BridgeStore
import Glibc

/// `status`: what the broker is, holds and waits for.
enum StatusHandler {
    static func handle(_ context: RequestContext) -> Reply {
        let broker = context.broker
        return .now(
            .status(
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
                    $0.limits = Limit.rows(broker.limits)
                    $0.connections = connections(broker)
                    $0.devices = broker.firstDevices(Int(broker.limits.pageMax))
                    $0.store = StoreStatus(broker.store)
                    $0.durability = broker.store.durability.rawValue
                }))
    }

    private static func connections(_ broker: Broker) -> [ConnectionStatus] {
        broker.sessions.values.sorted { $0.connection.id < $1.connection.id }
            .prefix(Int(broker.limits.pageMax)).map { ConnectionStatus($0, broker) }
    }
}

extension StoreStatus {
    fileprivate init(_ store: any Store) {
        self.init()
        let (facts, usage) = (store.facts, store.events.usage)
        kind = facts.kind
        path = facts.path
        events = usage.events
        bytes = usage.bytes
        journalBytes = facts.journalBytes
        fault = store.fault?.message ?? ""
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
