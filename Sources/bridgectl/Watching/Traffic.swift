import BridgeClient
import BridgeProtocol

/// The stream of watched frames.
enum Traffic {
    /// Begins to watch; frames come until the connection ends.
    static func watch(
        _ arguments: Arguments, raw: Bool = false
    ) async throws(Exit) -> RawConnection {
        let connection = try await RawConnection.open(arguments)
        let request = with(MonitorRequest()) {
            $0.matches = arguments.matches
            $0.showValues = arguments.showsValues
            $0.headersOnly = arguments.hasHeadersOnly
            $0.sizeMax = UInt32(clamping: arguments.sizeMax ?? 0)
            $0.raw = raw
        }
        _ = try connection.call(.monitor(request), id: 2)
        return connection
    }

    /// The next watched frame; nil when the broker has ended the connection.
    static func next(_ connection: RawConnection) throws(Exit) -> MonitoredFrame? {
        while let frame = try connection.next() {
            if case .monitored(let seen) = frame.body { return seen }
            if case .error(let error) = frame.body { throw .answered("monitor", error.bridgeError) }
        }
        return nil
    }
}
