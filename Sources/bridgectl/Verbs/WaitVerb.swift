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
        let events = try await MonitorVerb.events(client, arguments)
        guard let event = try await first(of: events, client, within: left) else {
            throw Exit(code: ExitCode.timeout, message: "no such event came in time")
        }
        output.print(
            arguments.showsValues ? WireJSON.text(of: .event(event)) : Redaction.text(of: event))
    }

    /// The first event; nil when the time is over and none has come by then.
    static func first(
        of events: EventStream, _ client: BridgeClient, within span: Duration
    ) async throws(Exit) -> Event? {
        do {
            let event = try await withThrowingTaskGroup(of: Event?.self) { group -> Event? in
                group.addTask { try await events.makeAsyncIterator().next() }
                group.addTask {
                    try await Task.sleep(for: span)
                    return nil
                }
                // Both: the event may come while the other ends.
                for try await event in group {
                    group.cancelAll()
                    if let event { return event }
                }
                return nil
            }
            if let event { return event }
        } catch let error as BridgeError {
            throw .answered("wait", error)
        } catch {
            return nil
        }
        return await client.arrived(events).first
    }
}
