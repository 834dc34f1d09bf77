import BridgeClient
import BridgeProtocol

/// `monitor`: the events of a device as they come.
enum MonitorVerb: Verb {
    static let name = "monitor"
    static let summary = "print the events of a device, or the frames of all connections"
    static let details = """
        Prints each event as line mode does, one line each, until it is interrupted, or after
        --count events. With --from the record comes first, and then what is new, with no gap and
        no double. An event `lagged` stands for events that this program was too slow for; they
        stay in the record.

        With --traffic each frame of every other connection is a line, requests and answers too:
        when it passed (realtimeNs, monotonicNs), direction, connection, process and name of the
        client, device, kind (request, answer, error, event, fault), name, id, size, and the frame.
        For the broker's own user and root. Frames of connections that watch are never shown. What
        this program is too slow for is left out and counted in `dropped`. A line of words on
        a terminal, JSON in a pipe or with -j; both hold the same.

        --match filters in the broker: --match kind=did_receive_analytic_event,element=email, with
        --traffic also --match kind=request,name=get_flow and --match conn=3.

        What users typed and chose, and attributes of profiles, are shown as "<redacted string>" and
        the like; --show-values shows them. --timeout holds for the beginning only.
        """
    static let examples = [
        "bridgectl monitor",
        "bridgectl monitor --from 1 --kind did_receive_analytic_event -n 5 | jq .sequence",
        "bridgectl monitor --device test --show-values --json=pretty",
        "bridgectl monitor --match name=user_input,element=email",
        "bridgectl monitor --traffic -n 20 --headers-only",
        "bridgectl monitor --traffic --match kind=error --match name=get_flow",
        "echo '{\"id\":1,\"subscribe\":{}}' | nc -U \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = [
        "device", "kind", "view", "from", "count", "show-values", "match", "traffic",
        "headers-only", "size",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        try checkKinds(arguments.kinds)
        try MatchOption.check(arguments.matches, framesToo: arguments.showsTraffic)
        if arguments.count == 0 { return }
        if arguments.showsTraffic { return try await printTraffic(arguments, output) }
        if arguments.hasHeadersOnly || arguments.sizeMax != nil {
            throw .usage("--headers-only and --size are of frames; add --traffic")
        }
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let events = try await events(client, arguments)
        do throws(BridgeError) {
            try await print(events, arguments, output)
        } catch {
            throw .answered("monitor", error)
        }
    }

    /// The events that the options ask for.
    static func events(
        _ client: BridgeClient, _ arguments: Arguments
    ) async throws(Exit) -> EventStream {
        try checkKinds(arguments.kinds)
        var arguments = arguments
        let (device, matches) = try MatchOption.events(
            arguments.matches, device: arguments.device)
        arguments.device = device
        do throws(BridgeError) {
            return try await subscribe(client, arguments, matches)
        } catch {
            throw .answered("monitor", error)
        }
    }

    /// Subscribes to a device as it is, a closed one too; one that was never opened is opened.
    private static func subscribe(
        _ client: BridgeClient, _ arguments: Arguments, _ matches: [EventMatch]
    ) async throws(BridgeError) -> EventStream {
        let device = arguments.device
        do throws(BridgeError) {
            return try await stream(client, arguments, matches)
        } catch {
            guard error.code == .notFound, error.field == "device" else { throw error }
            try await client.openDevice(with(OpenDeviceRequest()) { $0.device = device })
            return try await stream(client, arguments, matches)
        }
    }

    private static func stream(
        _ client: BridgeClient, _ arguments: Arguments, _ matches: [EventMatch]
    ) async throws(BridgeError) -> EventStream {
        try await client.subscribe(
            with(SubscribeRequest()) {
                $0.device = arguments.device
                $0.kinds = arguments.kinds
                $0.view = arguments.view
                $0.fromSequence = arguments.fromSequence
                $0.matches = matches
            })
    }

    private static func printTraffic(
        _ arguments: Arguments, _ output: Output
    ) async throws(Exit) {
        for (name, isGiven) in [
            ("device", !arguments.device.isEmpty), ("kind", !arguments.kinds.isEmpty),
            ("view", !arguments.view.isEmpty), ("from", arguments.fromSequence != nil),
        ] where isGiven {
            throw .usage("--\(name) is of events; with --traffic write --match \(name)=…")
        }
        let connection = try await Traffic.watch(arguments)
        var left = arguments.count ?? .max
        while left > 0 {
            guard let frame = try Traffic.next(connection) else { throw .lost(connection.path) }
            let line = FrameLine(frame)
            if output.prefersJSON {
                output.print(
                    arguments.json == .pretty ? JSONText.pretty(line.json) : line.json)
            } else {
                output.print(line.text)
            }
            if frame.direction != .none { left -= 1 }
        }
    }

    private static func print(
        _ events: EventStream, _ arguments: Arguments, _ output: Output
    ) async throws(BridgeError) {
        var left = arguments.count ?? .max
        let iterator = events.makeAsyncIterator()
        while left > 0, let event = try await iterator.next() {
            let text =
                arguments.showsValues
                ? WireJSON.text(of: .event(event)) : Redaction.text(of: event)
            output.print(arguments.json == .pretty ? JSONText.pretty(text) : text)
            left -= 1
        }
    }

    private static func checkKinds(_ kinds: [String]) throws(Exit) {
        for kind in kinds where EventKindTable.index(of: kind) == nil {
            let close = nearest(to: kind, in: EventKindTable.names)
            let hint =
                close.map { "did you mean \($0)?" }
                ?? "there are \(EventKindTable.names.joined(separator: ", "))"
            throw .usage("no event kind \"\(kind)\"; \(hint)")
        }
    }
}
