import BridgeProtocol

/// What waits for all connections of one user together.
extension EventLoop {
    /// Counts a connection's queue anew.
    func account(_ connection: Connection) {
        let now = connection.isOpen ? connection.queuedBytes : 0
        let change = now - connection.accountedBytes
        guard change != 0 else { return }
        connection.accountedBytes = now
        let total = (queuedPerUid[connection.peer.uid] ?? 0) + change
        queuedPerUid[connection.peer.uid] = total == 0 ? nil : total
    }

    /// Over the limit of a user the largest queues go, one after the other, until the rest is
    /// within it: whoever caused it goes first.
    func enforceUserLimit(of uid: UInt32) {
        while case let total = queuedPerUid[uid] ?? 0, total > Int(limits.queuePerUidBytes) {
            let largest = connections.values.filter { $0.peer.uid == uid }
                .max { $0.accountedBytes < $1.accountedBytes }
            guard let largest, largest.accountedBytes > 0 else { return }
            remove(
                largest,
                "does not read: \(total) bytes queued for uid \(uid), at most "
                    + "\(limits.queuePerUidBytes) (queuePerUidBytes); this is the largest queue")
        }
    }
}
