import BridgeProtocol
import BridgeTransport

/// What happened since the broker started, as plain numbers that only rise.
///
/// The hot path adds to integers and nothing else. What a connection counts itself (frames, bytes,
/// events) is summed when somebody asks, and kept here when it ends.
///
/// Isolation: the loop's thread.
final class BrokerCounters {
    /// Requests of one method and the time they took.
    struct MethodUse {
        var requests: UInt64 = 0
        var totalNs: UInt64 = 0
    }

    /// What connections that have ended sent and got.
    struct Traffic {
        var framesIn: UInt64 = 0
        var framesOut: UInt64 = 0
        var bytesIn: UInt64 = 0
        var bytesOut: UInt64 = 0
        var eventsDelivered: UInt64 = 0
        var eventsDropped: UInt64 = 0
        var queueHighBytes: UInt64 = 0
        var pendingHigh: UInt32 = 0
    }

    /// An error as it is counted.
    struct ErrorKey: Hashable {
        let isSDK: Bool
        let code: Int32
    }

    /// By place in `MethodTable.all`.
    let methods: UnsafeMutableBufferPointer<MethodUse>
    /// Of connections that have ended.
    private(set) var ended = Traffic()
    var connectionsAccepted: UInt64 = 0
    /// By name of the limit, or `permission`.
    private(set) var refused: [String: UInt64] = [:]
    /// By kind of the end.
    private(set) var closed: [String: UInt64] = [:]
    private(set) var errors: [ErrorKey: (name: String, count: UInt64)] = [:]
    var eventsRecorded: UInt64 = 0
    var laggedTold: UInt64 = 0
    var wakeUps: UInt64 = 0
    private(set) var storeFaults: UInt64 = 0
    private(set) var lastStoreFault = ""

    init() {
        methods = .allocate(capacity: MethodTable.all.count)
        methods.initialize(repeating: MethodUse())
    }

    deinit {
        methods.deallocate()
    }

    /// Counts an answer that is an error, or would be one if an answer were wanted.
    func note(_ error: BridgeError) {
        let key = ErrorKey(isSDK: error.sdk != nil, code: error.sdk?.code ?? error.code.number)
        errors[key, default: (error.sdk?.name ?? error.code.name, 0)].count += 1
    }

    /// Counts a peer that was not let in.
    func noteRefused(_ reason: String) {
        refused[reason, default: 0] += 1
    }

    func noteStoreFault(_ text: String) {
        storeFaults += 1
        lastStoreFault = text
    }

    /// Keeps the numbers of a connection that has ended.
    func end(_ connection: Connection, _ session: ClientSession?, kind: CloseKind) {
        closed[kind.rawValue, default: 0] += 1
        ended.add(connection, session)
    }
}

extension BrokerCounters.Traffic {
    mutating func add(_ connection: Connection, _ session: ClientSession?) {
        framesIn += connection.framesIn
        framesOut += connection.framesOut
        bytesIn += connection.receivedBytes
        bytesOut += connection.sentBytes
        queueHighBytes = max(queueHighBytes, UInt64(connection.queueHighBytes))
        guard let session else { return }
        eventsDelivered += session.eventsDelivered
        eventsDropped += session.eventsDropped
        pendingHigh = max(pendingHigh, session.pendingHigh)
    }
}
