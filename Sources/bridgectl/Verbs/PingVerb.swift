import BridgeClient
import BridgeProtocol
import CLinux

/// `ping`: round trips and their times.
enum PingVerb: Verb {
    static let name = "ping"
    static let summary = "measure round trips to the broker"
    static let details = """
        Sends --count pings (5 without) of no payload, one after another with --interval between
        them, and prints the shortest, the middle and the longest time. As JSON the times are whole
        microseconds.
        """
    static let examples = [
        "bridgectl ping", "bridgectl ping -n 1000 -i 1ms", "bridgectl ping -n 1 -q && echo up",
        "echo '{\"id\":1,\"ping\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["count", "interval"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let count = arguments.count ?? 5
        guard count > 0 else { throw .usage("--count 0: at least one ping is wanted") }
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        var times: [UInt64] = []
        for number in 1...count {
            if number > 1 { try await pause(arguments.interval) }
            let ns = try await roundTrip(client)
            times.append(ns)
            if !output.prefersJSON { output.print("\(number): \(microseconds(ns))") }
        }
        output.print(summary(times.sorted(), client.path, output))
    }

    private static func roundTrip(_ client: BridgeClient) async throws(Exit) -> UInt64 {
        let start = fb_monotonic_ns()
        do throws(BridgeError) {
            try await client.ping()
        } catch {
            throw .answered("ping", error)
        }
        return fb_monotonic_ns() - start
    }

    private static func pause(_ span: Duration) async throws(Exit) {
        do {
            try await Task.sleep(for: span)
        } catch {
            throw .failure("interrupted")
        }
    }

    private static func summary(_ sorted: [UInt64], _ path: String, _ output: Output) -> String {
        let (least, median, most) = (sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1])
        guard output.prefersJSON else {
            return "\(sorted.count) round trips to \(path): min \(microseconds(least)), "
                + "median \(microseconds(median)), max \(microseconds(most))"
        }
        let text =
            "{\"socket\":\(JSONText.quoted(path)),\"count\":\(sorted.count),\"minUs\":\(least / 1_000)"
            + ",\"medianUs\":\(median / 1_000),\"maxUs\":\(most / 1_000)}"
        return output.isPretty ? JSONText.pretty(text) : text
    }

    private static func microseconds(_ ns: UInt64) -> String { "\(ns / 1_000) µs" }
}
