import BridgeClient
import BridgeProtocol

/// `top`: what the broker does at present, again and again.
enum TopVerb: Verb {
    static let name = "top"
    static let summary = "show who does what at present, refreshed"
    static let details = """
        On a terminal a table that is drawn anew every --interval (1s without): requests, bytes and
        events a second, the busiest connections and methods; q ends it. In a pipe one line of JSON
        a sample. --count ends it after so many.
        """
    static let examples = [
        "bridgectl top -n 2 -i 100ms", "bridgectl top -n 1 -i 100ms -j | jq .requestsPerSecond",
        "echo '{\"id\":1,\"status\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\" | jq .status.counters",
    ]
    static let options = ["count", "interval"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let span = arguments.isGiven("interval") ? arguments.interval : .seconds(1)
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let isDrawn = !output.prefersJSON && Terminal.isUsable
        let terminal = isDrawn ? try Terminal() : nil
        let quit = terminal.map(QuitKey.init)
        var left = arguments.count ?? .max
        var before = try await StatusVerb.status(client)
        while left > 0, try await pause(span, quit) {
            let now = try await StatusVerb.status(client)
            let sample = TopSample(before, now)
            if let terminal {
                Terminal.write(sample.screen(terminal.size))
            } else if output.prefersJSON {
                output.print(output.isPretty ? JSONText.pretty(sample.json) : sample.json)
            } else {
                output.print(sample.lines(100).joined(separator: "\n"))
            }
            before = now
            left -= 1
        }
    }

    /// False when the person wants to end.
    private static func pause(_ span: Duration, _ quit: QuitKey?) async throws(Exit) -> Bool {
        let step = Duration.milliseconds(50)
        var left = span
        while left > .zero {
            if quit?.wasPressed == true { return false }
            do {
                try await Task.sleep(for: min(step, left))
            } catch {
                throw .failure("interrupted")
            }
            left -= step
        }
        return quit?.wasPressed != true
    }
}
