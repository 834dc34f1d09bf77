import BridgeProtocol
import BridgeStore
import BridgeTransport
import SDKCore

extension EventFilter {
    /// Makes a filter from member names of `Event.kind`, none meaning all, and from a view.
    ///
    /// - Throws: INVALID_ARGUMENT naming the unknown kind and the ones there are.
    init(kindNames: [String], view: ViewID?, field: String) throws(BridgeError) {
        var kinds: [UInt8] = []
        for (index, name) in kindNames.enumerated() {
            guard let kind = EventKindTable.index(of: name) else {
                throw BridgeError(
                    .invalidArgument,
                    "no event kind \"\(name)\"; there are "
                        + EventKindTable.names.joined(separator: ", "),
                    field: "\(field)[\(index)]")
            }
            kinds.append(UInt8(kind))
        }
        self.init(kinds: kinds.isEmpty ? nil : kinds, view: view.map { EventTag.tag(of: $0) })
    }
}

extension EventTag {
    /// The tag of a view: half of its 128 random bits.
    static func tag(of view: ViewID) -> UInt64 { view.low | 1 }
}

/// One subscription of a connection to a device.
///
/// A live one gets each event as it is recorded. One that replays is fed from the record, as its
/// connection has room, until it has caught up; so a long replay costs no more memory than a
/// short one, and nothing is lost or doubled at the seam.
final class Subscription {
    let id: UInt32
    let session: ClientSession
    /// The session's; kept here, as every event goes to it.
    let connection: Connection
    unowned let device: Device
    let filter: EventFilter
    /// What it wants of their content; nil: all.
    let content: ContentFilter?
    /// The view that the filter is for; nil: every one.
    let view: ViewID?
    /// The next sequence to take from the record; nil once live.
    var replayFrom: UInt64?
    /// Whether a page of the replay is on its way from the store.
    var isLoading = false
    /// Whether it has ended.
    var isDropped = false
    /// Events that were dropped since the connection had no room for them.
    var missed: ClosedRange<UInt64>?

    init(
        id: UInt32, session: ClientSession, device: Device, filter: EventFilter, view: ViewID?,
        content: ContentFilter? = nil, replayFrom: UInt64?
    ) {
        self.id = id
        self.session = session
        connection = session.connection
        self.device = device
        self.filter = filter
        self.content = content
        self.view = view
        self.replayFrom = replayFrom
    }

    /// Notes that an event was not sent.
    func miss(_ sequence: UInt64) {
        missed = min(missed?.lowerBound ?? sequence, sequence)...sequence
    }
}
