import BridgeProtocol
import CLinux
import Glibc

/// New connections: who is let in, and what happens when the host runs out of descriptors.
extension EventLoop {
    func closeListeners() {
        for fd in listeners.keys { fb_poll_remove(poll, fd) }
        listeners = [:]
    }

    func acceptAll(_ listening: Int32) {
        for _ in 0..<64 {
            let fd = fb_socket_accept(listening)
            if fd >= 0 {
                acceptBackoff.succeeded()
                admit(fd)
            } else if fd == -EAGAIN {
                return
            } else if fd != -ECONNABORTED && fd != -EINTR {
                backOff(listening)
                return
            }
        }
    }

    /// Out of descriptors or memory: the listener stays, and tries again a little later.
    func backOff(_ listening: Int32) {
        let waitMs = acceptBackoff.failed(limits)
        fb_poll_remove(poll, listening)
        timers.schedule(atNs: nowNs + waitMs * 1_000_000) { [unowned self] in
            guard listeners[listening] != nil else { return }
            if fb_poll_add(poll, listening, listening, Poll.input) < 0 { backOff(listening) }
        }
    }

    func admit(_ fd: Int32) {
        var peer = PeerCredentials(pid: 0, uid: UInt32.max)
        _ = fb_socket_peer(fd, &peer.pid, &peer.uid)
        connectionsMade += 1
        let connection = Connection(
            id: connectionsMade, peer: peer, openedAtNs: nowNs, fd: fd,
            frameBytesMax: Int(limits.frameBytesMax), transport: self)
        guard fb_poll_add(poll, fd, fd, Poll.input) >= 0 else {
            fb_close(fd)
            return
        }
        while byDescriptor.count <= Int(fd) { byDescriptor.append(nil) }
        byDescriptor[Int(fd)] = connection
        connections[fd] = connection
        perUid[peer.uid, default: 0] += 1
        ungreeted += 1
        guard let refusal = refusal(of: peer) ?? shortage(fd) else {
            arm(connection, .firstByte, limits.firstByteMs)
            handler.connectionOpened(connection)
            return
        }
        handler.connection(connection, refused: refusal)
        connection.close(reason: refusal.message)
    }

    func refusal(of peer: PeerCredentials) -> BridgeError? {
        guard access.admits(uid: peer.uid) else {
            return BridgeError(
                .permissionDenied,
                "uid \(peer.uid) may not talk to this broker; start it with --allow-uid \(peer.uid)"
            )
        }
        let counts = [
            ("connectionsMax", UInt64(connections.count), limits.connectionsMax),
            ("connectionsPerUidMax", UInt64(perUid[peer.uid] ?? 0), limits.connectionsPerUidMax),
            ("ungreetedConnectionsMax", UInt64(ungreeted), limits.ungreetedConnectionsMax),
        ]
        for (name, count, limit) in counts where count > limit {
            return BridgeError(
                .limitExceeded,
                "\(name): \(limit) connections are open already; close some, or raise "
                    + "it with --limit \(name)=…", isRetryable: true)
        }
        return nil
    }

    /// Why a connection with that descriptor is one too many for the host. Descriptors are given
    /// lowest first, so a high one means that few are left; those are for the broker's own files.
    func shortage(_ fd: Int32) -> BridgeError? {
        guard let most = descriptorsMax, Int64(fd) >= most - Int64(limits.reservedDescriptors)
        else { return nil }
        return BridgeError(
            .limitExceeded,
            "reservedDescriptors: the host gives this broker \(most) descriptors and the last "
                + "\(limits.reservedDescriptors) are for its own files; close connections, or raise "
                + "its limit of open files (ulimit -n, LimitNOFILE=)", isRetryable: true)
    }
}
