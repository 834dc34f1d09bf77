import BridgeClient
import BridgeProtocol

/// `monitor`: the events of a device as they come.
enum MonitorVerb: Verb {
    static let name = "monitor"
    static let summary = "print the events of a device, one line of JSON each"
    static let details = """
        Prints each event as line mode does, until it is interrupted, or after --count events. With
        --from the record comes first, and then what is new, with no gap and no double. An event
        `lagged` stands for events that this program was too slow for; they stay in the record.

        What users typed and chose, and attributes of profiles, are shown as "<redacted string>" and
        the like; --show-values shows them. --timeout holds for the beginning only.
        """
    static let examples = [
        "bridgectl monitor",
        "bridgectl monitor --from 1 --kind did_receive_analytic_event -n 5 | jq .sequence",
        "bridgectl monitor --device test --show-values --json=pretty",
        "echo '{\"id\":1,\"subscribe\":{}}' | nc -U \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["device", "kind", "view", "from", "count", "show-values"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        try checkKinds(arguments.kinds)
        if arguments.count == 0 { return }
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        do throws(BridgeError) {
            try await print(try await subscribe(client, arguments), arguments, output)
        } catch {
            throw .answered("monitor", error)
        }
    }

    /// Subscribes to a device as it is, a closed one too; one that was never opened is opened.
    private static func subscribe(
        _ client: BridgeClient, _ arguments: Arguments
    ) async throws(BridgeError) -> EventStream {
        let device = arguments.device
        do throws(BridgeError) {
            return try await stream(client, arguments)
        } catch {
            guard error.code == .notFound, error.field == "device" else { throw error }
            try await client.openDevice(with(OpenDeviceRequest()) { $0.device = device })
            return try await stream(client, arguments)
        }
    }

    private static func stream(
        _ client: BridgeClient, _ arguments: Arguments
    ) async throws(BridgeError) -> EventStream {
        try await client.subscribe(
            device: arguments.device, kinds: arguments.kinds, view: arguments.view,
            fromSequence: arguments.fromSequence)
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
