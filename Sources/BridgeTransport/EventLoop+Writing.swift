import BridgeProtocol
import CLinux
import Glibc

/// From queues to the kernel, and the end of a connection.
extension EventLoop {
    func willWrite(_ connection: Connection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
    }

    func flush() {
        while !dirty.isEmpty {
            swap(&dirty, &flushing)
            for connection in flushing {
                connection.isDirty = false
                guard connection.isOpen else { continue }
                write(connection)
                settle(connection)
            }
            flushing.removeAll(keepingCapacity: true)
        }
    }

    /// Sends what the kernel takes; the rest waits for room.
    func write(_ connection: Connection) {
        let result = send(connection)
        if result < 0 { remove(connection, CloseReason.failed(.write, result)) }
    }

    /// Sends what the kernel takes before the wake-up ends. A failure is met again by `flush`:
    /// nothing is removed while its frames are read or an event is on its way.
    func offer(_ connection: Connection) {
        guard connection.isOpen, !connection.isWaitingForWrite else { return }
        if send(connection) == 0, connection.sendableBytes > 0 { setWaiting(connection, true) }
    }

    /// Returns 0, or -errno for a connection that can send no more.
    private func send(_ connection: Connection) -> Int32 {
        guard let output = connection.output else { return 0 }
        connection.noteQueue(output.readable.count)
        defer { if output.readable.isEmpty { connection.releaseOutput() } }
        while case let count = connection.sendableBytes, count > 0 {
            let sent = fb_send(connection.fd, output.readable.baseAddress, count)
            if sent < 0 { return sent == -Int(EAGAIN) ? 0 : Int32(sent) }
            output.consume(sent)
            connection.sentBytes += UInt64(sent)
            if sent < count { return 0 }
        }
        return 0
    }

    /// Decides what becomes of a connection after its output was offered to the kernel.
    func settle(_ connection: Connection) {
        guard connection.isOpen else { return }
        account(connection)
        let heldBytes = connection.heldBytes + connection.postponedBytes
        setPaused(connection, heldBytes > Int(limits.heldBytesMax))
        if connection.queuedBytes == 0 {
            connection.overSoftSinceNs = nil
            setWaiting(connection, false)
            if let reason = connection.closeReason {
                remove(connection, reason)
            } else if connection.hasEndedInput, !handler.hasPendingRequests(connection) {
                remove(connection, CloseReason.peerClosed)
            }
            return
        }
        guard connection.sendableBytes > 0 else {
            setWaiting(connection, false)
            connection.overSoftSinceNs = nil
            return
        }
        setWaiting(connection, true)
        startSweeping()
        enforceQueueLimits(connection)
        enforceUserLimit(of: connection.peer.uid)
        if connection.isClosing, connection.stage != .closing {
            arm(connection, .closing, limits.unfinishedFrameMs)
        }
    }

    func setWaiting(_ connection: Connection, _ waits: Bool) {
        guard connection.isWaitingForWrite != waits else { return }
        connection.isWaitingForWrite = waits
        watchAgain(connection)
    }

    /// Reads no more while answers are held: their number is bounded by what was read.
    private func setPaused(_ connection: Connection, _ isPaused: Bool) {
        guard connection.isPaused != isPaused else { return }
        connection.isPaused = isPaused
        watchAgain(connection)
    }

    /// Tells the kernel what the connection waits for now. One of which that cannot be told would
    /// wait for ever, so it ends, as soon as nobody is at work with it.
    func watchAgain(_ connection: Connection) {
        let reads = !connection.hasEndedInput && !connection.isPaused
        let result = fb_poll_change(
            poll, connection.fd, connection.fd,
            (reads ? Poll.input : 0) | (connection.isWaitingForWrite ? Poll.output : 0))
        guard result < 0 else { return }
        timers.schedule(atNs: nowNs) { [unowned self, weak connection] in
            if let connection { remove(connection, CloseReason.failed(.watch, result)) }
        }
    }

    func enforceQueueLimits(_ connection: Connection) {
        let queued = UInt64(connection.sendableBytes)
        if queued > limits.queueHardBytes {
            remove(connection, overfull(connection))
        } else if queued <= limits.queueSoftBytes {
            connection.overSoftSinceNs = nil
        } else if connection.overSoftSinceNs == nil {
            connection.overSoftSinceNs = nowNs
        }
    }

    /// Why a connection over the hard limit is cut.
    func overfull(_ connection: Connection) -> String {
        "does not read: \(connection.queuedBytes) bytes queued, at most "
            + "\(limits.queueHardBytes) (queueHardBytes)"
    }

    func remove(_ connection: Connection, _ reason: String) {
        guard connection.isOpen else { return }
        connection.isOpen = false
        connections[connection.fd] = nil
        byDescriptor[Int(connection.fd)] = nil
        perUid[connection.peer.uid, default: 1] -= 1
        if perUid[connection.peer.uid] == 0 { perUid[connection.peer.uid] = nil }
        if !connection.hasSentFrame { ungreeted -= 1 }
        fb_poll_remove(poll, connection.fd)
        toClose.append(connection.fd)
        connection.splitter.drop(pool)
        connection.queuedAtEnd = connection.queuedBytes
        connection.releaseOutput()
        account(connection)
        handler.connectionClosed(connection, reason: connection.closeReason ?? reason)
        connection.session = nil
    }

    /// Descriptors close at the end of a wake-up, so that none is reused within it.
    func closeDescriptors() {
        for fd in toClose { fb_close(fd) }
        toClose.removeAll(keepingCapacity: true)
    }

    /// Ends what has nothing more to do; requests that were sent before are served first.
    func endIdleConnections() {
        for connection in Array(connections.values)
        where connection.queuedBytes == 0 && !handler.hasPendingRequests(connection)
            && !hasUnread(connection) && !mayBegin(connection)
        {
            remove(connection, CloseReason.stopped)
        }
    }

    /// Whether a connection was let in so shortly before the stop that its first frame may be on
    /// its way. With a socket that outlives this process nobody is turned away.
    private func mayBegin(_ connection: Connection) -> Bool {
        !connection.hasSentFrame && !connection.hasEndedInput && nowNs < firstFrameUntilNs
    }

    private func hasUnread(_ connection: Connection) -> Bool {
        guard !connection.hasEndedInput else { return false }
        return fb_wait_readable(connection.fd, 0) == 1
    }
}
