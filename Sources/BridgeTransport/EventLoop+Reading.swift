import BridgeProtocol
import CLinux
import Glibc

/// From bytes to frames, and the end of a connection's input.
extension EventLoop {
    func read(_ connection: Connection) {
        guard !connection.hasEndedInput else { return }
        let count = fb_read(connection.fd, chunk.baseAddress, chunk.count)
        if count > 0 {
            connection.receivedBytes += UInt64(count)
            if connection.isClosing { return }
            receive(UnsafeRawBufferPointer(rebasing: chunk[..<count]), on: connection)
        } else if count == 0 {
            endInput(connection)
        } else if count != -Int(EAGAIN) {
            remove(connection, CloseReason.failed(.read, Int32(count)))
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        let wasUndecided = connection.mode == nil
        let framesBefore = connection.framesIn
        do {
            try connection.splitter.feed(
                bytes, limits: limits, frameBytesMax: connection.frameBytesMax, pool: pool
            ) { frame in
                deliver(frame, to: connection)
                return !connection.isClosing
            }
        } catch {
            fail(connection, error)
        }
        if wasUndecided, connection.stage == .firstByte { leaveFirstByte(connection) }
        watchUnfinished(connection, hasFinishedOne: connection.framesIn != framesBefore)
    }

    func deliver(_ frame: UnsafeRawBufferPointer, to connection: Connection) {
        connection.framesIn += 1
        if !connection.hasSentFrame {
            connection.hasSentFrame = true
            ungreeted -= 1
            if connection.mode == .line { connection.greeted() }
        }
        handler.connection(connection, received: frame)
        guard connection.queuedBytes > Int(limits.queueSoftBytes) / 4 else { return }
        offer(connection)
        if UInt64(connection.queuedBytes) > limits.queueHardBytes {
            connection.close(reason: overfull(connection))
        }
    }

    func endInput(_ connection: Connection) {
        connection.hasEndedInput = true
        watchAgain(connection)
        if !connection.isClosing {
            do {
                try connection.splitter.finish(pool: pool) { frame in
                    deliver(frame, to: connection)
                    return !connection.isClosing
                }
            } catch {
                fail(connection, error)
            }
        }
        willWrite(connection)
    }

    func fail(_ connection: Connection, _ fault: FramingFault) {
        connection.splitter.drop(pool)
        handler.connection(connection, failed: fault)
        connection.close(reason: fault.message)
    }

    /// The mode is known: what is waited for now is `hello`, or the end of the first line.
    private func leaveFirstByte(_ connection: Connection) {
        switch connection.mode {
        case .binary: arm(connection, .hello, limits.helloMs)
        case .line:
            connection.stage = .open
            connection.stageDeadlineNs = nil
        case nil: break
        }
    }

    /// Each unfinished frame has a deadline of its own.
    func watchUnfinished(_ connection: Connection, hasFinishedOne: Bool) {
        guard connection.stage == .open else { return }
        if hasFinishedOne || !connection.splitter.isInsideFrame {
            connection.stageDeadlineNs = nil
        }
        if connection.splitter.isInsideFrame, connection.stageDeadlineNs == nil {
            arm(connection, .open, limits.unfinishedFrameMs)
        }
    }
}
