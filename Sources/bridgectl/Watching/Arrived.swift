import BridgeClient
import BridgeProtocol

extension BridgeClient {
    /// The events that have come by now, also what a program that stood still finds in its socket.
    ///
    /// The answer to a ping comes behind them. A broker that gives none costs its deadline, and
    /// what came is there all the same.
    func arrived(_ events: EventStream) async -> [Event] {
        do throws(BridgeError) {
            try await ping(deadline: .milliseconds(50))
        } catch {
            return events.buffered()
        }
        return events.buffered()
    }
}
