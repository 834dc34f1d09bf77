import BridgeClient
import BridgeProtocol
import CLinux

/// `wait`: until the broker answers, or until an event comes.
enum WaitVerb: Verb {
    static let name = "wait"
    static let summary = "wait for the broker, or for an event of a device"
    static let details = """
        Without a filter it waits until a broker answers at the socket. With --kind, --view or
        --match it waits for such an event of the device, from now on, or with --from in the record
        too, and prints it as `monitor` does. Ends with 124 when --timeout is over.
        """
    static let examples = [
        "bridgectl wait --timeout 10s && echo up",
        "bridgectl wait --kind device_opened --from 1",
        "bridgectl wait -m name=flow_screen_showed --timeout 50ms || echo none",
        "until echo '{\"id\":1,\"ping\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"; do sleep 1; done",
    ]
    static let options = ["device", "from", "kind", "match", "show-values", "view"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        try MatchOption.check(arguments.matches, framesToo: false)
        var arguments = arguments
        arguments.watching.waitsForSocket = true
        let end = fb_monotonic_ns() + UInt64(arguments.timeout.wholeMs) * 1_000_000
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let wantsEvent =
            !arguments.kinds.isEmpty || !arguments.matches.isEmpty || !arguments.view.isEmpty
            || arguments.fromSequence != nil
        guard wantsEvent else { return }
        let now = fb_monotonic_ns()
        let left = Duration.nanoseconds(Int64(end > now ? end - now : 1))
        guard let event = try await event(client, arguments, within: left) else {
            throw Exit(code: ExitCode.timeout, message: "no such event came in time")
        }
        output.print(
            arguments.showsValues ? WireJSON.text(of: .event(event)) : Redaction.text(of: event))
    }

    /// The first event that fits; nil when the time is over.
    private static func event(
        _ client: BridgeClient, _ arguments: Arguments, within span: Duration
    ) async throws(Exit) -> Event? {
        let events = try await MonitorVerb.events(client, arguments)
        do {
            return try await withThrowingTaskGroup(of: Event?.self) { group in
                group.addTask { try await events.makeAsyncIterator().next() }
                group.addTask {
                    try await Task.sleep(for: span)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch let error as BridgeError {
            throw .answered("wait", error)
        } catch {
            return nil
        }
    }
}
