import BridgeProtocol
import BridgeTransport
import Testing

@testable import BridgeBroker

@Suite("the kinds of ends")
struct CloseKindTests {
    @Test("each reason has its kind")
    func kinds() {
        let rows: [(String, CloseKind)] = [
            (CloseReason.peerClosed, .peerClosed), (CloseReason.peerGone, .peerGone),
            (CloseReason.stopped, .stopped), ("read: Connection reset by peer", .peerError),
            ("write: Broken pipe", .peerError),
            ("epoll_ctl: Cannot allocate memory", .peerError),
            ("does not read: 9 bytes queued, at most 8 (queueHardBytes)", .limit),
            ("the connection sent no hello within 5 ms (helloMs)", .limit),
            ("no hello came first", .protocolFault), ("hello was refused", .protocolFault),
        ]
        for (reason, kind) in rows {
            #expect(CloseKind(reason, wasOpen: true, hasStoreFault: false) == kind, "\(reason)")
            #expect(CloseKind(reason, wasOpen: false, hasStoreFault: false) == .refused)
        }
        #expect(CloseKind("the disk is full", wasOpen: true, hasStoreFault: true) == .store)
    }

    @Test("a reason that names a limit is of that limit, for each limit")
    func limits() {
        for row in Limits.table {
            #expect(CloseKind.limit(in: "over 7 ms (\(row.name))") == row.name)
            #expect(CloseKind.limit(in: "over 7 ms (\(row.name)s)") == nil)
        }
    }

    @Test("a name is cut at a whole character")
    func cut() {
        let cuts = (0...8).map { "äb👍x".cut(atBytes: $0) }
        #expect(cuts == ["", "", "ä", "äb", "äb", "äb", "äb", "äb👍", "äb👍x"])
    }
}
