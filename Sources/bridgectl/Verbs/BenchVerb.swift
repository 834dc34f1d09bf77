import BridgeProtocol
import CLinux

/// `bench`: how many round trips a second one connection makes.
enum BenchVerb: Verb {
    static let name = "bench"
    static let operands = "[METHOD [JSON]]"
    static let operandCount = 0...2
    static let summary = "measure round trips a second and their times"
    static let details = """
        Sends --count requests (10000 without) on one connection, --depth of them on their way at a
        time (1 without), and prints how many came back a second, and the time from sending one to
        its answer: the middle, 90 and 99 of a hundred, and the longest. METHOD is ping without; an
        answer that is an error counts, and is told.
        """
    static let examples = [
        "bridgectl bench -n 1000", "bridgectl bench -n 1000 --depth 64 -j | jq .perSecond",
        "bridgectl bench get_flow '{\"placementId\":\"onboarding\"}' -n 100",
        "time for i in 1 2 3; do echo '{\"id\":1,\"ping\":{}}'; done | "
            + "nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["count", "depth"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let count = arguments.count ?? 10_000
        let depth = arguments.watching.depth ?? 1
        guard count > 0 else { throw .usage("--count 0: at least one request is wanted") }
        guard (1...100).contains(depth) else {
            throw .usage("--depth \(depth): 1 to 100 is wanted")
        }
        let method = try Session.method(arguments.operands.first ?? "ping")
        let body = try WireJSON.request(
            method, arguments.operands.count > 1 ? arguments.operands[1] : "{}")
        let connection = try await RawConnection.open(arguments)
        let run = BenchRun(connection, body, count: count, depth: depth)
        let result = try run.measure(waitMs: arguments.timeout.wholeMs)
        output.print(text(of: result, method.name, depth, output))
    }

    private static func text(
        of result: BenchRun.Result, _ method: String, _ depth: Int, _ output: Output
    ) -> String {
        let perSecond = Double(result.times.count) / (Double(result.spanNs) / 1e9)
        let rows: [(String, UInt64)] = [
            ("p50", 50), ("p90", 90), ("p99", 99), ("max", 100),
        ].map { ($0.0, result.percentile($0.1)) }
        if output.prefersJSON {
            let times = rows.map { "\"\($0.0)Ns\":\($0.1)" }.joined(separator: ",")
            let json =
                "{\"method\":\"\(method)\",\"count\":\(result.times.count),\"depth\":\(depth),"
                + "\"spanNs\":\(result.spanNs),\"perSecond\":\(UInt64(perSecond)),\(times),"
                + "\"errors\":\(result.errors)}"
            return output.isPretty ? JSONText.pretty(json) : json
        }
        let times = rows.map { "\($0.0) \(CounterTable.time($0.1))" }.joined(separator: ", ")
        let errors = result.errors == 0 ? "" : ", \(result.errors) answers were errors"
        return "\(result.times.count) × \(method), depth \(depth): \(UInt64(perSecond)) a second, "
            + times + errors
    }
}

/// One measurement on one connection.
struct BenchRun {
    /// What came of it.
    struct Result {
        /// Sorted, in nanoseconds.
        var times: [UInt64] = []
        var spanNs: UInt64 = 0
        var errors = 0

        /// The time that so many of a hundred took at most.
        func percentile(_ hundredth: UInt64) -> UInt64 {
            guard !times.isEmpty else { return 0 }
            let index = (UInt64(times.count) * hundredth + 99) / 100
            return times[max(Int(index), 1) - 1]
        }
    }

    private let connection: RawConnection
    private let body: ClientFrame.Body
    private let count: Int
    private let depth: Int
    /// Ids of the greeting are below.
    private static let firstID: UInt64 = 10

    init(_ connection: RawConnection, _ body: ClientFrame.Body, count: Int, depth: Int) {
        self.connection = connection
        self.body = body
        self.count = count
        self.depth = depth
    }

    /// Sends and waits until all answers are there.
    func measure(waitMs: Int32) throws(Exit) -> Result {
        var result = Result()
        var sentNs = [UInt64](repeating: 0, count: count)
        var sent = 0
        let start = fb_monotonic_ns()
        while result.times.count < count {
            while sent < count, sent - result.times.count < depth {
                sentNs[sent] = fb_monotonic_ns()
                try connection.send(body, id: Self.firstID + UInt64(sent))
                sent += 1
            }
            guard let frame = try connection.next(waitMs: waitMs) else {
                throw .lost(connection.path)
            }
            guard frame.id >= Self.firstID, frame.id < Self.firstID + UInt64(count) else {
                continue
            }
            result.times.append(fb_monotonic_ns() - sentNs[Int(frame.id - Self.firstID)])
            if case .error = frame.body { result.errors += 1 }
        }
        result.spanNs = max(fb_monotonic_ns() - start, 1)
        result.times.sort()
        return result
    }
}
