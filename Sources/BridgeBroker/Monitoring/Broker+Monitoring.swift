import BridgeProtocol
import BridgeTransport
import CLinux
import Glibc

/// What passes, for those who watch. While nobody does, each frame costs one look at an empty list.
extension Broker {
    /// Shows a request to the monitors.
    func see(
        request bytes: UnsafeRawBufferPointer, id: UInt64, methodIndex: Int?,
        _ session: ClientSession
    ) {
        if monitors.isEmpty { return }
        show(bytes, methodIndex == nil ? .fault : .request, methodIndex, id: id, session)
    }

    /// Shows an answer that was appended to a connection's output to the monitors.
    func see(
        answer body: ServerFrame.Body, from start: Int, of output: ByteBuffer, id: UInt64,
        methodIndex: Int, _ session: ClientSession
    ) {
        if monitors.isEmpty { return }
        var kind = SeenFrame.Kind.answer
        if case .error = body { kind = .error }
        see(kind, from: start, of: output, id: id, methodIndex: methodIndex, session)
    }

    /// Shows what was appended to a connection's output to the monitors.
    ///
    /// - Parameter start: bytes of output before it was appended.
    func see(
        _ kind: SeenFrame.Kind, from start: Int, of output: ByteBuffer, id: UInt64,
        methodIndex: Int?, _ session: ClientSession
    ) {
        if monitors.isEmpty { return }
        let whole = output.readable[start...]
        guard whole.count > 4, let mode = session.connection.mode else { return }
        let bytes = mode == .binary ? whole.dropFirst(4) : whole.dropLast()
        show(UnsafeRawBufferPointer(rebasing: bytes), kind, methodIndex, id: id, session)
    }

    private func show(
        _ bytes: UnsafeRawBufferPointer, _ kind: SeenFrame.Kind, _ methodIndex: Int?, id: UInt64,
        _ session: ClientSession
    ) {
        // Who watches is not watched: two of them would feed each other for ever.
        guard !session.isMonitor, let mode = session.connection.mode else { return }
        var frame: SeenFrame?
        for monitor in monitors where monitor.renderer.filter.mayPass(kind: kind, session) {
            let seen =
                frame
                ?? SeenFrame(
                    kind: kind, methodIndex: methodIndex, mode: mode,
                    connection: session.connection.id, pid: session.connection.peer.pid,
                    uid: session.connection.peer.uid, clientName: session.clientName,
                    device: session.device?.name ?? Self.defaultDeviceName, id: id,
                    realtimeNs: Self.realtimeNs(), monotonicNs: fb_monotonic_ns(),
                    bytes: Array(bytes))
            frame = seen
            monitor.add(seen)
        }
    }

    private static func realtimeNs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Sends what waits for monitors with room.
    func feedMonitors() {
        if monitors.isEmpty { return }
        for monitor in monitors where monitor.canFeed { monitor.feed(worker, coder) }
    }

    /// Ends the watching of a connection that has ended.
    func endMonitor(of session: ClientSession) {
        guard session.isMonitor else { return }
        monitors.removeAll { monitor in
            if monitor.session !== session { return false }
            monitor.end()
            return true
        }
    }
}
