import BridgeClient
import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("bridgectl: capture, decode, encode", .shared)
struct CaptureTests {
    private let broker = LiveBroker()
    private let folder = PrivateFolder()

    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../proto/golden")

    private func frame(_ change: (inout MonitoredFrame) -> Void = { _ in }) -> MonitoredFrame {
        with(
            with(MonitoredFrame()) {
                $0.number = 3
                $0.realtimeNs = 1_750_000_000_123_456_789
                $0.monotonicNs = 77
                $0.direction = .toBroker
                $0.connectionId = 9
                $0.pid = 711
                $0.uid = 1_000
                $0.clientName = "app"
                $0.mode = "line"
                $0.device = "phone"
                $0.kind = "request"
                $0.name = "ping"
                $0.id = 7
                $0.size = 40
                $0.text = #"{"id":"7","deadlineMs":0,"ping":{"payload":""}}"#
                $0.textSize = 47
                $0.redacted = true
            }, change)
    }

    /// Plays a client while something captures; returns when all its frames were seen.
    private func play(_ work: (BridgeClient) async throws -> Void) async throws {
        let client = try await broker.client()
        while try await client.status().counters?.methods.contains(where: {
            $0.method == "monitor"
        }) != true {}
        try await work(client)
        client.close()
    }

    @Test("a pcapng file gives back what went in, whole or cut, text or bytes")
    func roundTrip() throws {
        let raw = Array(#"{"id":7,"ping":{}}"#.utf8)
        let frames = [
            frame(), frame { $0.text = String($0.text.prefix(11)) },
            frame {
                $0.raw = raw
                $0.text = ""
                $0.textSize = 0
                $0.size = UInt32(raw.count)
                $0.redacted = false
                $0.dropped = 5
            },
            frame {
                $0.text = ""
                $0.textSize = 0
            },
        ]
        let bytes = frames.reduce(Pcapng.beginning(version: "1")) { $0 + Pcapng.packet($1) }
        let records = try PcapngReader.read(bytes, "test")
        #expect(records.count == 4)
        for (record, frame) in zip(records, frames) {
            let headers = FrameLine(with(frame) { $0.text = "" }).json
            #expect(JSONNode(.object(record.headers)).compact == headers)
        }
        #expect(records[0].frame?.compact == frames[0].text)
        #expect(records[1].frame == nil && records[1].cut == frames[1].text)
        #expect(records[2].frame?.compact == frames[0].text)
        #expect(records[3].frame == nil && records[3].cut == nil)
        #expect(records[0].isFromClient && records[0].connection == 9 && records[0].id == 7)
    }

    @Test("every truncation of a pcapng file is told, or ends between two packets")
    func truncated() throws {
        let begin = Pcapng.beginning(version: "1")
        let bytes = begin + Pcapng.packet(frame()) + Pcapng.packet(frame())
        var whole: [Int] = []
        for count in 1..<bytes.count {
            do throws(Exit) {
                whole.append(try PcapngReader.read(Array(bytes[..<count]), "test").count)
            } catch {
                #expect(error.code == 1 && error.message.hasPrefix("test: "))
            }
        }
        // Behind the section, the interface and the first packet.
        #expect(whole == [0, 0, 1])
    }

    @Test("both forms of a capture hold the same, and are for their owner only")
    func bothForms() async throws {
        let files = ["a.pcapng", "a.ndjson"].map { folder.file($0) }
        async let first = Bridgectl.run(
            ["capture", files[0], "--show-values", "-m", "name=get_flow", "-n", "2"],
            socket: broker.path)
        async let second = Bridgectl.run(
            ["capture", files[1], "--show-values", "-m", "name=get_flow", "-n", "2"],
            socket: broker.path)
        try await play { client in
            while try await client.status().counters?.methods.first(where: {
                $0.method == "monitor"
            })?.requests != 2 {}
            _ = try await client.getFlow(placementId: "onboarding")
        }
        #expect(try await [first.code, second.code] == [0, 0])
        var decoded: [[CaptureRecord]] = []
        for file in files {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
            decoded.append(try CaptureReader.read(bytes, file, nil))
        }
        let same = decoded.map { records in
            records.map {
                "\($0.kind) \($0.name) \($0.id) \($0.connection) \($0.frame?.compact ?? "")"
            }
        }
        #expect(same[0] == same[1])
        #expect(decoded[0].map(\.kind) == ["request", "answer"])
        let run = try await Bridgectl.run(["decode", files[0]])
        #expect(try run.lines().count == 2)
        #expect(try run.lines().allSatisfy { $0["frame"] is [String: Any] })
    }

    @Test("encode makes the golden bytes of clients and decode reads them back")
    func goldenFrames() async throws {
        let client = Self.golden.appendingPathComponent("client")
        let names = try FileManager.default.contentsOfDirectory(atPath: client.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        #expect(names.count > 30)
        let lines = try names.map {
            try String(contentsOf: client.appendingPathComponent($0), encoding: .utf8)
        }
        let encoded = try await Bridgectl.run(["encode", "--hex"], input: lines.joined())
        #expect(encoded.code == 0, "\(encoded.errors)")
        let hex = encoded.output.split(separator: "\n")
        #expect(hex.count == names.count)
        for (line, name) in zip(hex, names) {
            let file = client.appendingPathComponent(name.replacing(".json", with: ".hex"))
            let wanted = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .flatMap { $0.prefix { $0 != "#" }.filter(\.isHexDigit) }
            #expect(String(line) == String(wanted), "\(name)")
        }
        let decoded = try await Bridgectl.run(
            ["decode", "--as", "client"], input: encoded.output)
        let frames = decoded.output.split(separator: "\n").map {
            String($0.dropFirst(#"{"direction":"in","frame":"#.count).dropLast())
        }
        #expect(
            frames.map(JSONText.pretty)
                == lines.map { JSONText.pretty($0.trimmingCharacters(in: .newlines)) })
    }

    @Test("decode reads what the broker sends, in both modes")
    func brokerFrames() async throws {
        let server = Self.golden.appendingPathComponent("server")
        let names = try FileManager.default.contentsOfDirectory(atPath: server.path)
            .filter { $0.hasSuffix(".hex") }.sorted()
        for name in names {
            let hex = try String(contentsOf: server.appendingPathComponent(name), encoding: .utf8)
            let line = try String(
                contentsOf: server.appendingPathComponent(name.replacing(".hex", with: ".json")),
                encoding: .utf8)
            let both = try [hex, line].map {
                try CaptureReader.read(Array($0.utf8), name, .broker).map { $0.frame?.compact }
            }
            #expect(both[0] == both[1] && both[0].count == 1, "\(name)")
        }
    }

    @Test(
        "what is no frame is exit code 1 and one line with the place",
        arguments: [
            ("zz", "neither pcapng, nor JSON"), ("00 00 00 0", "half a byte"),
            ("00 00 00 09 08", "a frame of 9 bytes, and 1 are left"),
            ("00 00 00 01 ff", "byte 0: no frame of a client"),
            ("{\"id\":1,\"ping\":{}}\n{\"id\":", "line 2, column 7"),
            ("{\"id\":1,\"pig\":{}}", "line 1: no frame of a client"),
        ])
    func faults(input: String, text: String) async throws {
        let run = try await Bridgectl.run(["decode", "--as", "client"], input: input)
        #expect(run.code == 1)
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test("the dissector for Wireshark knows every method by its number")
    func dissector() throws {
        let file = Self.golden.appendingPathComponent("../../examples/wireshark/flowbridge.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        let listed = text.matches(of: /\[(\d+)\] = "([a-z_]+)"/).map { "\($0.1) \($0.2)" }
        let wanted = MethodTable.all.map { "\($0.number) \($0.name)" }
        #expect(listed == ["2 error", "3 event", "4 monitored"] + wanted)
    }
}

@Suite("bridgectl: replay", .shared)
struct ReplayVerbTests {
    private let folder = PrivateFolder()

    /// A capture of one client that shows a flow and taps.
    private func capture() async throws -> String {
        let broker = LiveBroker()
        let file = folder.file("run.ndjson")
        async let run = Bridgectl.run(
            ["capture", file, "--show-values", "-m", "client=test", "-n", "40"],
            socket: broker.path)
        let waiting = try await broker.client { $0.clientName = "waiting" }
        while try await waiting.status().counters?.methods.contains(where: {
            $0.method == "monitor"
        }) != true {}
        let client = try await broker.client()
        try await client.openManualDevice("phone")
        let events = try await client.subscribe(device: "phone")
        defer { withExtendedLifetime(events) {} }
        let view = try await client.showFlow()
        _ = try? await client.getScreen(with(GetScreenRequest()) { $0.viewId = "x" })
        _ = try await client.getScreen(with(GetScreenRequest()) { $0.viewId = view })
        var isOver = false
        while !isOver {
            try await client.ping()
            isOver = try await waiting.status().connectionsOpen == 2
        }
        #expect(try await run.code == 0)
        return file
    }

    @Test("a capture plays the same against a new broker, and its drawn ids are followed")
    func same() async throws {
        let file = try await capture()
        let broker = LiveBroker()
        let run = try await Bridgectl.run(["replay", file], socket: broker.path)
        #expect(run.code == 0, "\(run.errors)")
        let object = try run.object()
        #expect(object["same"] as? Bool == true)
        #expect(object["requests"] as? Int ?? 0 >= 7)
        #expect(object["events"] as? Int ?? 0 >= 1)
    }

    @Test("the first difference is told with its frame and place")
    func difference() async throws {
        let file = try await capture()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let changes = [
            (
                #""bridge":"NOT_FOUND""#, #""bridge":"WRONG_STATE""#,
                "error.bridge: \"WRONG_STATE\" then, \"NOT_FOUND\" now"
            ),
            (
                #""name":"flow_screen_showed","params""#, #""name":"other","params""#,
                "didReceiveAnalyticEvent.name"
            ),
        ]
        for (old, new, place) in changes {
            #expect(text.contains(old), "\(old)")
            let changed = folder.file("changed.ndjson")
            try text.replacing(old, with: new, maxReplacements: 1)
                .write(toFile: changed, atomically: true, encoding: .utf8)
            let broker = LiveBroker()
            let run = try await Bridgectl.run(["replay", changed], socket: broker.path)
            #expect(run.code == 1)
            #expect(run.errors.contains(place), "\(run.errors)")
            #expect(run.errors.contains("bridgectl: frame "))
            #expect(try run.object()["same"] as? Bool == false)
        }
    }

    @Test("a capture with hidden or cut frames says what to do")
    func hidden() async throws {
        let broker = LiveBroker()
        let file = folder.file("hidden.ndjson")
        let line =
            #"{"number":"1","direction":"in","conn":"1","kind":"request","name":"ping","id":"1""#
        for rest in [
            #","redacted":true,"frame":{"id":1,"ping":{}}}"#, #","redacted":false,"cut":"{"}"#,
        ] {
            try (line + rest).write(toFile: file, atomically: true, encoding: .utf8)
            let run = try await Bridgectl.run(["replay", file], socket: broker.path)
            #expect(run.code == 1)
            #expect(run.errors.contains("capture with --show-values"), "\(run.errors)")
        }
    }
}
