import BridgeClient
import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("bridgectl: info, bench, top, wait, diagnose", .shared)
struct MeasureTests {
    private let broker = LiveBroker()

    private func run(_ words: String...) async throws -> Bridgectl.Run {
        try await Bridgectl.run(words, socket: broker.path)
    }

    @Test("info tells versions, socket and store")
    func info() async throws {
        let object = try await run("info").object()
        #expect(object["socket"] as? String == broker.path)
        #expect(object["schemaSha256"] as? String == Schema.sha256)
        #expect(object["store"] as? String == "memory")
    }

    @Test("bench counts its requests, at each depth, and errors too", arguments: [1, 7, 100])
    func bench(depth: Int) async throws {
        let object = try await run("bench", "-n", "300", "--depth", "\(depth)").object()
        #expect(object["count"] as? Int == 300)
        #expect(object["depth"] as? Int == depth)
        #expect(object["errors"] as? Int == 0)
        let times = ["p50Ns", "p90Ns", "p99Ns", "maxNs"].compactMap { object[$0] as? Int }
        #expect(times.count == 4 && times == times.sorted() && times[0] > 0)
        let faulty = try await run("bench", "get_screen", #"{"viewId":"x"}"#, "-n", "5").object()
        #expect(faulty["errors"] as? Int == 5)
    }

    @Test("percentiles are those of the sorted times")
    func percentiles() {
        let result = BenchRun.Result(times: Array(1...200), spanNs: 1)
        #expect([50, 90, 99, 100].map { result.percentile($0) } == [100, 180, 198, 200])
        #expect(BenchRun.Result(times: [7], spanNs: 1).percentile(50) == 7)
    }

    @Test("top prints one sample a line, with rates of the time between")
    func top() async throws {
        let lines = try await run("top", "-n", "2", "-i", "20ms").lines()
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0["connections"] as? Int == 1 })
        var (before, now) = (StatusReply(), StatusReply())
        before.uptimeMs = 1_000
        now.uptimeMs = 3_000
        func counters(_ requests: UInt64, _ ns: UInt64) -> Counters {
            with(Counters()) {
                $0.bytesIn = requests * 10
                $0.methods = [
                    with(MethodCount()) {
                        $0.method = "ping"
                        $0.requests = requests
                        $0.totalNs = ns
                    }
                ]
            }
        }
        before.counters = counters(100, 5_000)
        now.counters = counters(300, 25_000)
        let sample = TopSample(before, now)
        #expect(sample.json.contains(#""requestsPerSecond":100,"bytesInPerSecond":1000"#))
        #expect(sample.json.contains(#"{"method":"ping","perSecond":100,"eachNs":100}"#))
        let screen = sample.screen(TerminalSize(columns: 40, rows: 10))
        let rows = screen.components(separatedBy: "\r\n")
        #expect(rows.count <= 10)
        #expect(rows.allSatisfy { $0.replacing("\u{1B}[K", with: "").count <= 44 })
    }

    @Test("wait ends when the broker answers, and with 124 when it does not")
    func waitForBroker() async throws {
        #expect(try await run("wait").code == 0)
        let none = try await Bridgectl.run(
            ["wait", "--timeout", "60ms"], socket: "/nowhere/b.sock")
        #expect(none.code == 124)
        #expect(none.errors.contains("/nowhere/b.sock"))
        let other = try await Bridgectl.run(
            ["ping", "-n", "1", "-w", "--timeout", "60ms"], socket: "/nowhere/b.sock")
        #expect(other.code == 124)
    }

    @Test("--wait-socket connects to a broker that starts later")
    func waitSocket() async throws {
        let folder = PrivateFolder()
        let path = folder.file("late")
        async let run = Bridgectl.run(
            ["ping", "-n", "1", "--wait-socket", "--timeout", "20s"], socket: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: broker.path)
        #expect(try await run.code == 0)
    }

    @Test("wait prints the event that it waited for, from the record or new")
    func waitForEvent() async throws {
        let client = try await broker.client()
        try await client.openManualDevice("phone")
        let run = try await run("wait", "-d", "phone", "--from", "1", "--kind", "device_opened")
        #expect(run.code == 0)
        #expect(try run.lines().first?["deviceOpened"] != nil)
        async let late = self.run(
            "wait", "-m", "device=phone,name=flow_screen_showed", "--timeout", "20s")
        while try await client.status().subscriptions == 0 {}
        _ = try await client.showFlow()
        #expect(try await late.lines().first?["didReceiveAnalyticEvent"] != nil)
        let none = try await self.run(
            "wait", "-d", "phone", "--kind", "flow_did_disappear", "--timeout", "50ms")
        #expect(none.code == 124)
    }

    @Test("GEN-7 FLOWBRIDGE_DEBUG shows frames, and values of users only when asked for")
    func debug() async throws {
        for (level, shown) in [("", nil), ("0", nil), ("1", false), ("values", true)]
            as [(String, Bool?)]
        {
            let run = try await Bridgectl.run(
                ["call", "identify", #"{"customerUserId":"secret"}"#], socket: broker.path,
                environment: ["FLOWBRIDGE_DEBUG": level])
            #expect(run.errors.contains("flowbridge > {\"id\":\"2\"") == (shown != nil))
            #expect(run.errors.contains("flowbridge < {\"id\":\"2\"") == (shown != nil))
            #expect(run.errors.contains("secret") == (shown == true))
        }
    }

    @Test("diagnose finds nothing wrong with a broker that serves")
    func healthy() async throws {
        let run = try await run("diagnose")
        #expect(run.code == 0)
        let rows = try findings(run)
        #expect(rows.allSatisfy { $0["level"] == "ok" || $0["check"] == "folder" }, "\(rows)")
        #expect(
            rows.map { $0["check"] }.starts(with: ["path", "folder", "socket", "lock", "broker"]))
    }

    @Test("diagnose says what is wrong and what to do")
    func faults() async throws {
        let folder = PrivateFolder()
        try "x".write(toFile: folder.file("file"), atomically: true, encoding: .utf8)
        for (path, check, text) in [
            ("/nowhere/b.sock", "folder", "mkdir -m 700"),
            (folder.file("none"), "socket", "start flowbridged"),
            (folder.file("file"), "socket", "is no socket"),
            (folder.file("none"), "broker", "cannot connect"),
        ] {
            let run = try await Bridgectl.run(["diagnose"], socket: path)
            #expect(run.code == 1)
            let found = try findings(run).first { $0["check"] == check }
            #expect(found?["level"] == "fault")
            #expect(found?["text"]?.contains(text) == true, "\(String(describing: found))")
        }
    }

    private func findings(_ run: Bridgectl.Run) throws -> [[String: String]] {
        let rows = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return rows as? [[String: String]] ?? []
    }
}

@Suite("bridgectl: shell, completion, catalog, graceful errors", .shared)
struct ShellTests {
    private let broker = LiveBroker()

    @Test(
        "words of a line",
        arguments: [
            ("call ping", ["call", "ping"]),
            ("  a  'b c' \"d\\e\" f\\ g # x", ["a", "b c", "d\\e", "f g"]),
            (
                "call x {\"a\": {\"b\": \"} c\"}} -q",
                ["call", "x", "{\"a\": {\"b\": \"} c\"}}", "-q"]
            ),
            ("", []), ("# x", []), ("a '' b", ["a", "", "b"]),
        ] as [(String, [String])])
    func words(line: String, words: [String]) throws {
        #expect(try ShellWords.split(line) == words)
    }

    @Test("a shell goes on behind a fault and ends with the code of the last verb")
    func shell() async throws {
        let lines = [
            "ping {\"payload\":\"AQID\"}", "nope", "'", "call ping",
            "get_screen {\"viewId\":\"x\"}",
        ]
        let run = try await Bridgectl.run(
            ["shell"], socket: broker.path, input: lines.joined(separator: "\n"))
        #expect(run.code == 64 + 4)
        #expect(run.output == "{\"payload\":\"\"}\n")
        #expect(run.errors.contains("no verb \"nope\""))
        #expect(run.errors.contains("ends inside of quotes"))
        let ended = try await Bridgectl.run(
            ["shell"], socket: broker.path, input: "version\nexit\nnope\n")
        #expect(ended.code == 0)
    }

    @Test("completions of bash know verbs, methods, options and values")
    func bash() async throws {
        let script = """
            source <("$0" completion bash)
            try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bridgectl; echo "${COMPREPLY[*]}"; }
            try bridgectl mon
            try bridgectl call get_flow_c
            try bridgectl monitor --kind flow_did
            try bridgectl -q status --tim
            try bridgectl completion f
            """
        let run = try await Bridgectl.run(
            program: "/bin/bash", ["-c", script, Bridgectl.path], socket: broker.path)
        #expect(
            run.output.split(separator: "\n") == [
                "monitor", "get_flow_configuration", "flow_did_appear flow_did_disappear",
                "--timeout", "fish",
            ], "\(run.errors)")
    }

    @Test("each completion names each verb and option", arguments: ["bash", "zsh", "fish"])
    func complete(shell: String) async throws {
        let text = try await Bridgectl.run(["completion", shell]).output
        for verb in Program.verbs { #expect(text.contains(verb.name)) }
        for option in OptionRow.all where option.isCommon || !option.name.isEmpty {
            #expect(text.contains(option.name), "\(option.name)")
        }
    }

    @Test("--graceful makes an error a success, and no other")
    func graceful() async throws {
        let call = ["call", "get_screen", #"{"viewId":"x"}"#]
        for (words, code) in [
            (["--graceful", "NOT_FOUND"], 0), (["--graceful", "WRONG_STATE"], 68),
            (["--graceful", "WRONG_STATE", "--graceful", "NOT_FOUND"], 0),
        ] as [([String], Int32)] {
            let run = try await Bridgectl.run(call + words, socket: broker.path)
            #expect(run.code == code)
            #expect(run.errors.contains("NOT_FOUND"))
        }
        let sdk = ["call", "get_flow", #"{"placementId":"none"}"#]
        let error = try await Bridgectl.run(sdk + ["-j"], socket: broker.path).object()["error"]
        let inner = (error as? [String: Any])?["sdk"] as? [String: Any]
        let names = [inner?["name"] as? String, (inner?["code"] as? Int).map(String.init)]
        for name in names.compactMap({ $0 }) {
            let run = try await Bridgectl.run(sdk + ["--graceful", name], socket: broker.path)
            #expect(run.code == 0, "\(name): \(run.errors)")
        }
        #expect(names.compactMap { $0 }.count == 2)
    }

    @Test("catalog lists what the broker serves and checks a folder")
    func catalog() async throws {
        let list = try await Bridgectl.run(["catalog", "list"], socket: broker.path)
        let rows =
            try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]]
        #expect(rows?.contains { $0["placementId"] as? String == "onboarding" } == true)
        let folder = PrivateFolder()
        try #"{"placements":[7]}"#.write(
            toFile: folder.file("placements.json"), atomically: true, encoding: .utf8)
        let check = try await Bridgectl.run(["catalog", "check", folder.path])
        #expect(check.code == 65)
        #expect((check.output + check.errors).contains("placements.json#/placements/0"))
    }

    @Test(
        "a wrong word is exit code 2 and one line that says what to try",
        arguments: [
            (["bench", "--depth", "0"], "1 to 100"), (["bench", "-n", "0"], "at least one"),
            (["bench", "pign"], "did you mean ping?"),
            (["completion", "csh"], "bash, zsh or fish"),
            (["catalog", "chek"], "check DIR or list"), (["catalog", "check"], "needs a folder"),
            (["call", "ping", "--graceful", "NOT_FUND"], "did you mean NOT_FOUND?"),
            (["decode", "--as", "x"], "client or broker"), (["encode", "{}"], "line 1: "),
            (["capture", "x", "--format", "pcap"], "pcapng or ndjson"),
            (["wait", "--kind", "flow_did_apear"], "did you mean flow_did_appear?"),
            (["top", "--depth", "3"], "top takes no --depth"),
        ])
    func usage(words: [String], text: String) async throws {
        let run = try await Bridgectl.run(words, socket: broker.path)
        #expect(run.code == 2, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }
}
