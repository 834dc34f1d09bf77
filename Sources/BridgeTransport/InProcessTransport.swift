import BridgeProtocol

/// Runs the same handler without a socket: bytes go in, bytes come out, on the caller's thread.
///
/// Frames are cut, limited and answered exactly as on a socket; there are no descriptors, no
/// waits and no deadlines of connections.
public final class InProcessTransport: ConnectionTransport {
    let pool = BufferPool()
    private let limits: Limits
    private unowned let handler: any ConnectionHandler
    private var connectionsMade: UInt64 = 0

    /// Makes a transport for a handler.
    public init(limits: Limits, handler: any ConnectionHandler) {
        self.limits = limits
        self.handler = handler
    }

    /// Opens a connection, as a peer with those credentials.
    public func connect(peer: PeerCredentials = PeerCredentials(pid: 0, uid: 0)) -> Connection {
        connectionsMade += 1
        let connection = Connection(
            id: connectionsMade, peer: peer, openedAtNs: 0, fd: -1,
            frameBytesMax: Int(limits.frameBytesMax), transport: self)
        handler.connectionOpened(connection)
        return connection
    }

    /// Gives bytes to the broker's side and returns what it sends back.
    public func exchange(_ bytes: [UInt8], on connection: Connection) -> [UInt8] {
        bytes.withUnsafeBytes { receive($0, connection) }
        return takeOutput(of: connection)
    }

    /// Ends the input, as a half-closed socket does, and returns what was still sent.
    public func endInput(of connection: Connection) -> [UInt8] {
        connection.hasEndedInput = true
        do {
            try connection.splitter.finish(pool: pool) { frame in
                deliver(frame, connection)
                return !connection.isClosing
            }
        } catch {
            fail(connection, error)
        }
        return takeOutput(of: connection)
    }

    /// What the broker has sent since the last call.
    public func takeOutput(of connection: Connection) -> [UInt8] {
        handler.wakeUpEnded()
        let bytes = takeSendable(of: connection)
        guard connection.queuedBytes == 0 else { return bytes }
        if let reason = connection.closeReason {
            close(connection, reason)
        } else if connection.hasEndedInput, !handler.hasPendingRequests(connection) {
            close(connection, CloseReason.peerClosed)
        }
        return bytes
    }

    private func takeSendable(of connection: Connection) -> [UInt8] {
        guard let output = connection.output else { return [] }
        connection.noteQueue(output.readable.count)
        let bytes = Array(output.readable.prefix(connection.sendableBytes))
        output.consume(bytes.count)
        connection.sentBytes += UInt64(bytes.count)
        if output.readable.isEmpty { connection.releaseOutput() }
        return bytes
    }

    func willWrite(_ connection: Connection) {}

    func offer(_ connection: Connection) {}

    private func receive(_ bytes: UnsafeRawBufferPointer, _ connection: Connection) {
        connection.receivedBytes += UInt64(bytes.count)
        guard !connection.isClosing else { return }
        do {
            try connection.splitter.feed(
                bytes, limits: limits, frameBytesMax: connection.frameBytesMax, pool: pool
            ) { frame in
                deliver(frame, connection)
                return !connection.isClosing
            }
        } catch {
            fail(connection, error)
        }
    }

    private func deliver(_ frame: UnsafeRawBufferPointer, _ connection: Connection) {
        connection.framesIn += 1
        handler.connection(connection, received: frame)
    }

    private func fail(_ connection: Connection, _ fault: FramingFault) {
        connection.splitter.drop(pool)
        handler.connection(connection, failed: fault)
        connection.close(reason: fault.message)
    }

    private func close(_ connection: Connection, _ reason: String) {
        guard connection.isOpen else { return }
        connection.isOpen = false
        connection.queuedAtEnd = connection.queuedBytes
        handler.connectionClosed(connection, reason: reason)
        connection.session = nil
    }
}
