import BridgeProtocol
import BridgeTransport

/// Why connections end, by kind; the text of the reason says the rest.
enum CloseKind: String, CaseIterable {
    /// The peer closed its side, and had all its answers.
    case peerClosed = "peer_closed"
    /// The peer hung up.
    case peerGone = "peer_gone"
    /// A system call on it failed.
    case peerError = "peer_error"
    /// It sent what is no frame, or no `hello`.
    case protocolFault = "protocol"
    /// A limit ended it.
    case limit
    /// What was asked could not be saved.
    case store
    /// It was not let in.
    case refused
    /// The broker stopped.
    case stopped

    /// Sorts a reason. Texts that come of a limit name it; `CloseReason` has the others.
    init(_ reason: String, wasOpen: Bool, hasStoreFault: Bool) {
        self =
            switch reason {
            case _ where !wasOpen: .refused
            case CloseReason.peerClosed: .peerClosed
            case CloseReason.peerGone: .peerGone
            case CloseReason.stopped: .stopped
            case _ where CloseKind.limit(in: reason) != nil: .limit
            case _ where CloseReason.isFailedCall(reason): .peerError
            case _ where hasStoreFault: .store
            default: .protocolFault
            }
    }

    /// The limit that a reason names, `(queueHardBytes)`; nil: none.
    static func limit(in reason: String) -> String? {
        let words = reason.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        for word in words.reversed() where limitNames.contains(String(word)) { return String(word) }
        return nil
    }

    private static let limitNames = Set(Limits.table.map(\.name))
}
