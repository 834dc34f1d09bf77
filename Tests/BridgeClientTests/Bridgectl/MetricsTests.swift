import BridgeClient
import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("bridgectl: metrics", .shared)
struct MetricsTests {
    private let broker = LiveBroker()

    private func status() -> StatusReply {
        with(StatusReply()) {
            $0.uptimeMs = 61_005
            $0.counters = with(Counters()) {
                $0.errors = [
                    with(ErrorCount()) {
                        $0.space = "sdk"
                        $0.code = 2_002
                        $0.name = "a \"quote\", a \\ and a \n line"
                        $0.count = 3
                    }
                ]
                $0.methods = [
                    with(MethodCount()) {
                        $0.method = "ping"
                        $0.requests = 2
                        $0.totalNs = 1_000_000_007
                    }
                ]
            }
        }
    }

    @Test("what the program prints is sound, and knows what was done")
    func program() async throws {
        let client = try await broker.client()
        try await client.ping()
        _ = try? await client.getScreen(with(GetScreenRequest()) { $0.viewId = "x" })
        let run = try await Bridgectl.run(["metrics"], socket: broker.path)
        #expect(run.code == 0)
        let read = try Exposition(run.output)
        #expect(read.value("flowbridge_requests_total", ["method": "ping"]) == 1)
        #expect(
            read.value(
                "flowbridge_errors_total",
                ["space": "bridge", "code": "4", "name": "NOT_FOUND"]) == 1)
        #expect(read.value("flowbridge_connections") == 2)
        #expect(read.value("flowbridge_limit", ["name": "pageMax", "unit": "entries"]) == 1_000)
    }

    @Test("label values are escaped, times are seconds with all their digits")
    func escaped() throws {
        let read = try Exposition(MetricTable(status()).text + "\n")
        #expect(
            read.value(
                "flowbridge_errors_total",
                ["space": "sdk", "code": "2002", "name": "a \"quote\", a \\ and a \n line"]) == 3)
        #expect(MetricTable(status()).text.contains("flowbridge_uptime_seconds 61.005\n"))
        #expect(
            MetricTable(status()).text.contains(
                "flowbridge_request_seconds_total{method=\"ping\"} 1.000000007\n"))
    }

    @Test("docs/metrics.md lists each name with its type and labels, and nothing else")
    func documented() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../docs/metrics.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `flowbridge_") }
        let listed = rows.map { row in
            row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: [" ", "`"]) }
        }
        let full = with(status()) {
            let count = with(ReasonCount()) { $0.reason = "x" }
            $0.counters?.connectionsRefused = [count]
            $0.counters?.connectionsClosed = [count]
            $0.limits = [with(Limit()) { $0.name = "x" }]
        }
        let metrics = MetricTable(full).metrics
        #expect(listed == metrics.map { [$0.name, $0.kind.rawValue] })
        for (row, metric) in zip(rows, metrics) {
            for label in metric.samples.first?.labels ?? [] {
                #expect(row.contains("`\(label.name)`"), "\(row)")
            }
            #expect(!metric.samples.isEmpty)
        }
    }

    @Test("promtool finds nothing to say, where it is installed", .enabled(if: Promtool.isThere))
    func promtool() throws {
        let (code, text) = try Promtool.check(MetricTable(status()).text + "\n")
        #expect(code == 0, "\(text)")
    }

    @Test(
        "the reader of these tests refuses what is not sound",
        arguments: [
            "x 1\n", "# TYPE x counter\n# TYPE x counter\nx 1\n", "# HELP x y\n# TYPE x foo\nx 1\n",
            "# HELP x_total y\n# TYPE x_total counter\nx_total one\n",
            "# HELP x y\n# TYPE x counter\nx 1\n", "# HELP x y\n# TYPE x gauge\nx{a=\"b\" 1\n",
            "# HELP x y\n# TYPE x gauge\nx{a=\"b\"} 1\nx{a=\"b\"} 2\n",
            "# HELP x y\n# TYPE x gauge\nx 1",
        ])
    func control(text: String) {
        #expect(throws: Exposition.Unsound.self) { try Exposition(text) }
    }
}

/// The text format, read strictly: each metric has HELP, TYPE and then its samples.
private struct Exposition {
    struct Unsound: Error {
        let line: String
    }

    private var samples: [String: Double] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Unsound(line: "no line end") }
        var metric = ""
        var help = ""
        var seen: Set<String> = []
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                help = words[2]
            } else if line.hasPrefix("# TYPE ") {
                metric = words[2]
                let isCounter = words.last == "counter"
                guard help == metric, seen.insert(metric).inserted,
                    isCounter || words.last == "gauge", isCounter == metric.hasSuffix("_total"),
                    metric.allSatisfy({ $0.isLowercase && $0.isASCII || $0 == "_" })
                else { throw Unsound(line: String(line)) }
            } else {
                try sample(String(line), of: metric)
            }
        }
    }

    private mutating func sample(_ line: String, of metric: String) throws {
        guard let space = line.lastIndex(of: " "),
            let value = Double(line[line.index(after: space)...]), !metric.isEmpty
        else { throw Unsound(line: line) }
        let key = String(line[..<space])
        guard key == metric || key.hasPrefix(metric + "{") && key.hasSuffix("\"}"),
            samples.updateValue(value, forKey: key) == nil
        else { throw Unsound(line: line) }
    }

    func value(_ name: String, _ labels: KeyValuePairs<String, String> = [:]) -> Double? {
        let list = labels.map { key, value in
            let text = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n")
            return "\(key)=\"\(text)\""
        }
        return samples[list.isEmpty ? name : "\(name){\(list.joined(separator: ","))}"]
    }
}

/// `promtool check metrics`.
private enum Promtool {
    static let path = "/usr/bin/promtool"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    static func check(_ text: String) throws -> (Int32, String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }
}
