import BridgeProtocol
import BridgeTransport

/// The last connections that ended, with what they did and why they ended.
///
/// Bounds: `Limits.closedConnectionsMax`; the oldest goes.
struct ClosedConnections {
    /// One that ended.
    struct Record {
        let id: UInt64
        let peer: PeerCredentials
        let clientName: String
        let kind: CloseKind
        let reason: String
        let openedAtNs: UInt64
        let endedAtNs: UInt64
        let traffic: BrokerCounters.Traffic
        let queuedBytes: Int
        /// In `MethodTable.all`; nil: it asked for nothing.
        let lastMethod: Int?
        let pending: Int
    }

    /// Bytes of a client's name that are kept.
    static let nameBytesMax = 128

    private var records: [Record] = []
    /// Where the oldest one is, once there is no more room.
    private var oldest = 0

    /// The latest first.
    var latestFirst: [Record] {
        (records[oldest...] + records[..<oldest]).reversed()
    }

    /// Keeps one more, in the place of the oldest when there are `max` of them.
    mutating func add(_ record: Record, max: Int) {
        if records.count < max { return records.append(record) }
        guard max > 0 else { return }
        records[oldest] = record
        oldest = (oldest + 1) % records.count
    }
}

extension ClosedConnections.Record {
    init(_ session: ClientSession, _ kind: CloseKind, _ reason: String, nowNs: UInt64) {
        let connection = session.connection
        id = connection.id
        peer = connection.peer
        clientName = session.clientName.cut(atBytes: ClosedConnections.nameBytesMax)
        self.kind = kind
        self.reason = reason
        openedAtNs = connection.openedAtNs
        endedAtNs = max(nowNs, connection.openedAtNs)
        var traffic = BrokerCounters.Traffic()
        traffic.add(connection, session)
        self.traffic = traffic
        queuedBytes = connection.queuedAtEnd
        lastMethod = session.lastMethod
        pending = session.pending.count
    }
}

extension String {
    /// The longest beginning of whole characters that takes at most so many bytes.
    func cut(atBytes max: Int) -> String {
        if utf8.count <= max { return self }
        var end = utf8.index(startIndex, offsetBy: max)
        while end > startIndex, String.Index(end, within: self) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}
