import BridgeClient
import BridgeProtocol

/// `metrics`: what the broker counts, for Prometheus.
enum MetricsVerb: Verb {
    static let name = "metrics"
    static let summary = "print the counters in the text format of Prometheus"
    static let details = """
        Prints every counter and gauge of the broker in the text exposition format 0.0.4, with HELP
        and TYPE; names and labels are stable, docs/metrics.md lists them. Made for a textfile
        collector: write to a file beside it and rename.
        """
    static let examples = [
        "bridgectl metrics", "bridgectl metrics | grep -c '^# TYPE flowbridge_'",
        "bridgectl metrics > flowbridge.prom.new && mv flowbridge.prom.new flowbridge.prom",
        "echo '{\"id\":1,\"status\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\" | jq .status.counters",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        output.print(MetricTable(try await StatusVerb.status(client)).text)
    }
}
