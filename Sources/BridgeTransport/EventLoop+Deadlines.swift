import BridgeProtocol
import CLinux
import Glibc

/// Deadlines that connections have to keep.
extension EventLoop {
    func arm(_ connection: Connection, _ stage: ConnectionStage, _ spanMs: UInt64) {
        connection.stage = stage
        connection.stageDeadlineNs = nowNs + spanMs * 1_000_000
        startSweeping()
    }

    /// One coarse timer looks after the deadlines of all connections while any has one.
    func startSweeping() {
        guard !isSweeping else { return }
        isSweeping = true
        timers.schedule(atNs: nowNs + sweepStepNs) { [unowned self] in sweep() }
    }

    /// Moves the deadlines on by the time in which this loop stood still, as when the process was
    /// stopped or the machine slept: what peers sent then was not read, what they made room for was
    /// not written. Two steps of the sweep count in any case, so that a loop that is only slow does
    /// not keep them for ever.
    ///
    /// Called at the start of a wake-up, before anything of it is served, with the time of the one
    /// before it.
    func forgiveStandstill(sinceNs: UInt64) {
        let countedNs = 2 * sweepStepNs
        guard isSweeping, nowNs - sinceNs > countedNs else { return }
        let lostNs = nowNs - sinceNs - countedNs
        for connection in connections.values {
            if let deadline = connection.stageDeadlineNs {
                connection.stageDeadlineNs = deadline + lostNs
            }
            if let since = connection.overSoftSinceNs {
                connection.overSoftSinceNs = since + lostNs
            }
        }
    }

    func sweep() {
        isSweeping = false
        var isAnyArmed = false
        for connection in Array(connections.values) {
            if let since = connection.overSoftSinceNs,
                nowNs - since > limits.queueSoftMs * 1_000_000
            {
                remove(
                    connection,
                    "does not read: over \(limits.queueSoftBytes) bytes queued for \(limits.queueSoftMs) ms (queueSoftBytes, queueSoftMs)"
                )
                continue
            }
            isAnyArmed = isAnyArmed || connection.queuedBytes > 0
            guard let deadline = connection.stageDeadlineNs else { continue }
            if deadline > nowNs {
                isAnyArmed = true
            } else {
                expire(connection)
            }
        }
        if isAnyArmed { startSweeping() }
    }

    func expire(_ connection: Connection) {
        connection.stageDeadlineNs = nil
        if connection.stage == .closing {
            remove(connection, "does not read")
        } else if !connection.isClosing {
            fail(connection, FramingFault(expiry(of: connection)))
        }
    }

    func expiry(of connection: Connection) -> String {
        let (spanMs, name) =
            switch connection.stage {
            case .firstByte: (limits.firstByteMs, "firstByteMs")
            case .hello: (limits.helloMs, "helloMs")
            case .open, .closing: (limits.unfinishedFrameMs, "unfinishedFrameMs")
            }
        return "the connection \(connection.stage.expiry) within \(spanMs) ms (\(name))"
    }
}
