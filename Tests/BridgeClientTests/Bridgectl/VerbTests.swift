import BridgeClient
import BridgeProtocol
import CLinux
import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("bridgectl: verbs", .shared)
struct VerbTests {
    private let broker = LiveBroker()

    private func run(_ words: String..., input: String = "") async throws -> Bridgectl.Run {
        try await Bridgectl.run(words, socket: broker.path, input: input)
    }

    /// What line mode answers to one line, without LF.
    private func line(_ request: String) throws -> String {
        let fd = fb_socket_connect(broker.path)
        defer { fb_close(fd) }
        var text = Array((request + "\n").utf8)
        #expect(fb_send(fd, &text, text.count) == text.count)
        fb_socket_shutdown_write(fd)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let count = fb_read(fd, &chunk, chunk.count), count > 0 {
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    @Test("call prints exactly what line mode answers", arguments: ["get_flow", "getFlow"])
    func call(method: String) async throws {
        let run = try await run("call", method, "{\"placementId\":\"onboarding\"}")
        #expect(run.code == 0)
        #expect(run.errors.isEmpty)
        let wanted = try line("{\"id\":1,\"getFlow\":{\"placementId\":\"onboarding\"}}")
        #expect("{\"id\":\"1\",\"getFlow\":" + run.output == wanted.dropLast() + "\n")
    }

    @Test("call reads its request from a word, a file and standard input")
    func requests() async throws {
        let folder = PrivateFolder()
        try "{\n  \"payload\": \"AQID\"\n}\n".write(
            toFile: folder.file("ping.json"), atomically: true, encoding: .utf8)
        let word = try await run("call", "ping", "{\"payload\":\"AQID\"}")
        let file = try await run("call", "ping", "@" + folder.file("ping.json"))
        let input = try await run("call", "ping", "-", input: "{\"payload\":\"AQID\"}")
        for run in [word, file, input] { #expect(run.output == "{\"payload\":\"AQID\"}\n") }
        #expect(try await run("call", "ping").output == "{\"payload\":\"\"}\n")
    }

    @Test("a wrong request of several lines is told by line and column")
    func wrongRequest() async throws {
        let run = try await run("call", "ping", "-", input: "{\n  \"payload\": ,\n}")
        #expect(run.code == 2)
        #expect(run.errors.contains("line 2, column 14"))
    }

    @Test("--json=pretty breaks the same JSON into lines")
    func pretty() async throws {
        let run = try await run("call", "ping", "--json=pretty")
        #expect(run.output == "{\n  \"payload\": \"\"\n}\n")
    }

    @Test("call works on another device with --device")
    func device() async throws {
        let run = try await run("call", "list_devices", "--device", "other")
        let devices = try run.object()["devices"] as? [[String: Any]]
        #expect(devices?.contains { $0["device"] as? String == "other" } == true)
    }

    @Test("close_device and reset_device with --device open nothing, and monitor no closed device")
    func closedDevice() async throws {
        func names() async throws -> [String] {
            let devices = try await run("call", "list_devices").object()["devices"]
            return (devices as? [[String: Any]] ?? []).compactMap { $0["device"] as? String }
        }
        for method in ["close_device", "reset_device"] {
            let unknown = try await run("call", method, "--device", "nowhere")
            #expect(unknown.code == 64 + 4)
            #expect(unknown.errors.contains("nowhere"))
        }
        let watched = try await run("monitor", "--device", "other", "--from", "1", "-n", "1")
        #expect(watched.output.contains("deviceOpened"), "one that was never opened is opened")
        #expect(try await names().contains("other"))
        #expect(try await run("call", "close_device", "--device", "other").code == 0)
        #expect(try await run("call", "reset_device", "--device", "other").code == 0)
        let again = try await run("monitor", "--device", "other", "--from", "1", "-n", "1")
        #expect(again.output == watched.output)
        #expect(try await names().contains("other") == false)
    }

    @Test(
        "an error of the bridge is 64 plus its number, one line on standard error",
        arguments: [
            (["call", "get_screen", "{\"viewId\":\"x\"}"], 64 + 4, "get_screen: NOT_FOUND: "),
            (["call", "hello"], 64 + 5, "hello: WRONG_STATE: "),
            (["call", "perform"], 64 + 3, "perform: INVALID_ARGUMENT: "),
        ] as [([String], Int32, String)])
    func bridgeErrors(words: [String], code: Int32, text: String) async throws {
        let run = try await Bridgectl.run(words, socket: broker.path)
        #expect(run.code == code)
        #expect(run.errors.hasPrefix("bridgectl: " + text))
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
        #expect(run.output.isEmpty)
        let asked = try await Bridgectl.run(words + ["-j"], socket: broker.path)
        #expect(asked.code == code)
        let error = try asked.object()["error"] as? [String: Any]
        #expect(text.contains(error?["bridge"] as? String ?? "none"))
    }

    @Test("load_catalog prints each fault of a catalog that is refused")
    func faultyCatalog() async throws {
        let folder = PrivateFolder()
        try #"{"placements":[{"id":"main","type":"flwo"},7]}"#.write(
            toFile: folder.file("placements.json"), atomically: true, encoding: .utf8)
        let request = "{\"path\":\"\(folder.path)\"}"
        let run = try await run("call", "load_catalog", request, "-j")
        #expect(run.code == 64 + 3)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("bridgectl: placements.json#/placements/0/type: ") })
        #expect(lines.contains { $0.hasPrefix("bridgectl: placements.json#/placements/1: ") })
        #expect(lines.last?.hasPrefix("bridgectl: load_catalog: INVALID_ARGUMENT: ") == true)
        let error = try run.object()["error"] as? [String: Any]
        #expect((error?["catalogFaults"] as? [Any])?.count == lines.count - 1)
    }

    @Test("a path inside a request counts from the folder in which bridgectl runs")
    func relativePath() async throws {
        let run = try await run("call", "load_catalog", #"{"path":"no/such/folder"}"#)
        #expect(run.code == 64 + 3)
        let folder = FileManager.default.currentDirectoryPath
        #expect(run.errors.contains("\(folder)/no/such/folder"), "\(run.errors)")
        let empty = try await self.run("call", "load_catalog")
        #expect(empty.errors.contains("is not absolute"))
    }

    @Test("PL-73 set_fallback: a path counts from here, and the broker reads it")
    func fallback() async throws {
        let folder = PrivateFolder()
        try #"{"meta":{"version":10,"response_created_at":1}}"#.write(
            toFile: folder.file("f.json"), atomically: true, encoding: .utf8)
        let path = folder.file("f.json")
        let words = ["call", "set_fallback", "{\"path\":\"\(path)\"}"]
        let set = try await Bridgectl.run(words, socket: broker.path)
        #expect(set.code == 0)
        #expect(set.output == "{}\n")
        let missing = try await run("call", "set_fallback", #"{"path":"no/such.json"}"#)
        #expect(missing.code == 96)
        let here = FileManager.default.currentDirectoryPath
        #expect(missing.errors.contains("\(here)/no/such.json"), "\(missing.errors)")
        #expect(!missing.errors.contains("can be read from here"))
    }

    @Test("PL-73 a file that the broker cannot read, and bridgectl can, is told")
    func unreadableThere() async throws {
        let folder = PrivateFolder()
        let path = folder.file("f.json")
        try "{}".write(toFile: path, atomically: true, encoding: .utf8)
        let scripted = ScriptedBroker(script: { peer, frame in
            let sdk = BridgeError.SDK(
                code: 2006, name: "decodingFailed", message: "cannot read \"\(path)\": denied")
            peer.send(
                .error(ErrorReply(BridgeError(sdk: sdk, isRetryable: false))), id: frame.id)
        })
        for (method, request) in [
            ("set_fallback", "{\"path\":\"\(path)\"}"), ("load_catalog", "{\"path\":\"\(path)\"}"),
        ] {
            let run = try await Bridgectl.run(["call", method, request], socket: scripted.path)
            #expect(run.errors.contains("\(path) can be read from here, but not by the broker"))
        }
        let content = try await Bridgectl.run(
            ["call", "set_fallback", "{\"content\":\"e30=\"}"], socket: scripted.path)
        #expect(!content.errors.contains("can be read from here"))
    }

    @Test("PL-59 preload_flows prints each placement that failed")
    func preload() async throws {
        let run = try await run(
            "call", "preload_flows", #"{"placementIds":["onboarding","gone","none"]}"#, "-j")
        #expect(run.code == 96)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("bridgectl: gone: SDK error 2003 badRequest: ") == true)
        #expect(lines.last?.hasPrefix("bridgectl: preload_flows: SDK error 2005") == true)
        let error = try run.object()["error"] as? [String: Any]
        #expect((error?["preloadErrors"] as? [String: Any])?.count == 2)
    }

    @Test("an error of the SDK is 96 and names code and name")
    func sdkError() async throws {
        let run = try await run("call", "get_flow", "{\"placementId\":\"nothing\"}")
        #expect(run.code == 96)
        #expect(run.errors.hasPrefix("bridgectl: get_flow: SDK error "))
    }

    @Test("a call over its time is 124")
    func timeout() async throws {
        let client = try await broker.client()
        try await client.openManualDevice("slow")
        try await client.setConditions(
            with(SetConditionsRequest()) {
                $0.calls = [
                    with(CallCondition()) {
                        $0.method = "get_flow"
                        $0.latencyMs = 4_000
                    }
                ]
            })
        let run = try await run(
            "call", "get_flow", "{\"placementId\":\"onboarding\"}", "-d", "slow", "--timeout",
            "50ms")
        #expect(run.code == 124)
        #expect(run.errors.contains("DEADLINE_EXCEEDED"))
    }

    @Test(
        "no broker is 3, with path, reason and what to do",
        arguments: ["call ping", "monitor", "status", "ping", "list"])
    func unreachable(words: String) async throws {
        let run = try await Bridgectl.run(
            words.split(separator: " ").map(String.init), socket: "/nowhere/b.sock")
        #expect(run.code == 3)
        #expect(run.errors.contains("/nowhere/b.sock: No such file or directory"))
        #expect(run.errors.contains("start flowbridged"))
    }

    @Test(
        "-s names the socket before FLOWBRIDGE_SOCKET does; a long path is refused with its length")
    func socketOption() async throws {
        let run = try await Bridgectl.run(
            ["ping", "-n", "1", "-s", broker.path], socket: "/nowhere")
        #expect(run.code == 0)
        let long = try await Bridgectl.run(["ping", "-s", "/" + String(repeating: "x", count: 107)])
        #expect(long.code == 3)
        #expect(long.errors.contains("108 bytes, at most 107"))
    }

    @Test("without any other word the socket is found under XDG_RUNTIME_DIR")
    func standardPath() async throws {
        let folder = PrivateFolder()
        let run = try await Bridgectl.run(["ping"], environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(run.errors.contains(folder.path + "/flowbridge/bridge.sock"))
    }

    @Test("status in a pipe is the result of the method as line mode prints it")
    func status() async throws {
        let object = try await run("status").object()
        #expect(object["socketPath"] as? String == broker.path)
        #expect((object["limits"] as? [Any])?.count == Limits.table.count)
        let connections = try #require(object["connections"] as? [[String: Any]])
        #expect(connections.contains { $0["clientName"] as? String == "bridgectl" })
    }

    @Test("status for people names broker, connections, what waits, devices and every limit")
    func statusTable() async throws {
        let client = try await broker.client()
        try await client.openManualDevice("mine")
        var status = try await client.status()
        status.connections[0].pending = [
            with(PendingRequest()) {
                $0.id = 7
                $0.method = "get_flow"
                $0.ageMs = 1_500
            }
        ]
        let text = StatusTable(status, Output(isQuiet: false)).text
        for part in [
            "flowbridged ", broker.path, "sample", "mine", "manual",
            "waits for get_flow, id 7, 1.5 s",
        ] + Limits.table.map(\.name) {
            #expect(text.contains(part))
        }
    }

    @Test("ping prints how long round trips took")
    func ping() async throws {
        let run = try await run("ping", "-n", "3", "-i", "1ms")
        #expect(run.code == 0)
        let object = try run.object()
        #expect(object["count"] as? Int == 3)
        #expect(object["socket"] as? String == broker.path)
        let (least, median, most) = (
            object["minUs"] as? Int ?? -1, object["medianUs"] as? Int ?? -1,
            object["maxUs"] as? Int ?? -1
        )
        #expect(0 <= least && least <= median && median <= most)
    }

    @Test("list names every method, its meaning, and whether the broker has it")
    func list() async throws {
        let run = try await run("list")
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        #expect(rows.map { $0["method"] as? String } == MethodTable.all.map(\.name))
        let client = try await broker.client()
        for row in rows {
            let method = try #require(row["method"] as? String)
            let isBuilt = !client.welcome.features.contains("unbuilt:\(method)")
            #expect(row["isBuilt"] as? Bool == isBuilt)
        }
    }

    @Test("GEN-7 monitor prints the record as lines, hides values, and shows them when asked")
    func monitor() async throws {
        let client = try await broker.client()
        let view = try await client.showFlow()
        try await client.perform(.focus(with(FocusGesture()) { $0.elementId = "email" }), on: view)
        try await client.perform(
            .enterText(with(EnterTextGesture()) { $0.text = "jane@secret.example" }), on: view)
        try await client.perform(.blur(BlurGesture()), on: view)
        let last = try await client.getEvents(fromSequence: 1).events.count
        let hidden = try await run("monitor", "--from", "1", "-n", "\(last)")
        #expect(hidden.code == 0)
        let lines = try hidden.lines()
        #expect(lines.map { $0["sequence"] as? String } == (1...last).map { String($0) })
        #expect(!hidden.output.contains("secret"))
        #expect(hidden.output.contains("<redacted string>"))
        let shown = try await run("monitor", "--from", "1", "-n", "\(last)", "--show-values")
        #expect(shown.output.contains("jane@secret.example"))
        let page = try line("{\"id\":1,\"getEvents\":{\"fromSequence\":\(last)}}")
        let own = try #require(shown.output.split(separator: "\n").last)
        let body = own.replacing(/"subscriptionId":\d+/, with: "\"subscriptionId\":0")
        #expect(page.contains(body))
    }

    @Test("monitor filters by kind and view at the broker, and ends after --count")
    func filters() async throws {
        let client = try await broker.client()
        let view = try await client.showFlow()
        let words = [
            "monitor", "--from", "1", "-n", "1", "--kind", "flow_did_appear", "--kind",
            "flow_did_disappear", "--view", view, "--json=pretty",
        ]
        let run = try await Bridgectl.run(words, socket: broker.path)
        #expect(run.code == 0)
        #expect(try run.object()["viewId"] as? String == view)
        #expect(try run.object()["flowDidAppear"] != nil)
        let none = try await Bridgectl.run(
            ["monitor", "--view", "nothing"], socket: broker.path)
        #expect(none.code == 64 + 4)
    }

    @Test("monitor ends with UNAVAILABLE when the broker does")
    func monitorOfStoppedBroker() async throws {
        let client = try await broker.client()
        let view = try await client.showFlow()
        async let run = run("monitor", "--kind", "flow_did_disappear")
        while try await client.status().connections.reduce(0, { $0 + $1.subscriptions }) == 0 {}
        try await client.dismiss(viewId: view)
        broker.stop()
        #expect(try await run.code == 64 + 9)
        #expect(try await run.errors.contains(broker.path))
        #expect(try await run.lines().count == 1)
    }

    @Test("Ctrl-C ends monitor without a word")
    func interrupted() async throws {
        let client = try await broker.client()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Bridgectl.path)
        process.arguments = ["monitor", "-s", broker.path]
        let outputs = Pipe()
        process.standardOutput = outputs
        process.standardError = outputs
        try process.run()
        while try await client.status().connections.reduce(0, { $0 + $1.subscriptions }) == 0 {}
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGINT)
        #expect(outputs.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }
}
