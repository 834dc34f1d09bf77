import BridgeClient
import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("bridgectl: traffic", .shared)
struct TrafficTests {
    private let broker = LiveBroker()

    private let frame = with(MonitoredFrame()) {
        $0.number = 7
        $0.dropped = 2
        $0.realtimeNs = 1_750_000_000_123_456_789
        $0.monotonicNs = 987_654_321
        $0.direction = .toBroker
        $0.connectionId = 3
        $0.pid = 711
        $0.uid = 1_000
        $0.clientName = "my app \"x\""
        $0.mode = "binary"
        $0.device = "phone"
        $0.kind = "request"
        $0.name = "ping"
        $0.id = 9_007_199_254_740_993
        $0.size = 12
        $0.text = #"{"id":"9007199254740993","ping":{"payload":""}}"#
        $0.textSize = 47
    }

    /// The words of a line as names and values, quotes taken away.
    private func words(_ line: String) throws -> [String: String] {
        var words: [String: String] = [:]
        let matches = line.matches(of: /([a-zA-Z]+)=(\{.*\}$|"(?:[^"\\]|\\.)*"|[^ ]*)/)
        for match in matches {
            let value = String(match.2)
            let isText = value.hasPrefix("\"")
            words[String(match.1)] =
                isText ? try JSONDecoder().decode(String.self, from: Data(value.utf8)) : value
        }
        return words
    }

    private func members(_ json: String) throws -> [String: String] {
        let members = try JSONTreeReader.read(json).members.map { member in
            let value = member.value
            return (member.name, value.isObject ? "{}" : value.text ?? value.compact)
        }
        return Dictionary(uniqueKeysWithValues: members)
    }

    @Test("the line for people and the one for programs hold the same, whole or cut")
    func sameData() throws {
        let cut = with(frame) { $0.text = String(frame.text.prefix(9)) }
        let left = with(MonitoredFrame()) { $0.dropped = 5 }
        for frame in [frame, cut, left] {
            let line = FrameLine(frame)
            var words = try words(line.text)
            if words["frame"] != nil {
                #expect(words["frame"] == frame.text)
                words["frame"] = "{}"
            }
            #expect(words == (try members(line.json)))
            #expect(try members(line.json) == members(JSONText.pretty(line.json)))
        }
        #expect(try words(FrameLine(cut).text)["cut"] == "{\"id\":\"90")
        #expect(try members(FrameLine(frame).json)["id"] == "9007199254740993")
        #expect(try members(FrameLine(frame).json).count == 18)
    }

    @Test("monitor --traffic shows requests and answers of others, filtered by the broker")
    func program() async throws {
        let client = try await broker.client()
        async let run = Bridgectl.run(
            ["monitor", "-t", "--match", "name=ping", "-n", "4"], socket: broker.path)
        try await watched(client)
        var isOver = false
        while !isOver {
            try await client.ping(with(PingRequest()) { $0.payload = [1] })
            isOver = try await client.status().connectionsOpen == 1
        }
        let lines = try await run.lines()
        #expect(lines.map { $0["kind"] as? String } == ["request", "answer", "request", "answer"])
        #expect(
            lines.allSatisfy {
                $0["name"] as? String == "ping" && $0["client"] as? String == "test"
            })
        #expect(lines.allSatisfy { $0["frame"] is [String: Any] })
        #expect(try await run.code == 0)
    }

    /// Waits until somebody watches.
    private func watched(_ client: BridgeClient) async throws {
        while true {
            let methods = try await client.status().counters?.methods ?? []
            if methods.contains(where: { $0.method == "monitor" }) { return }
        }
    }

    @Test("monitor --match filters the events of a device in the broker")
    func events() async throws {
        let client = try await broker.client()
        try await client.openManualDevice("phone")
        _ = try await client.showFlow()
        let run = try await Bridgectl.run(
            [
                "monitor", "--match", "device=phone,name=flow_screen_showed", "--from", "1", "-n",
                "1",
            ],
            socket: broker.path)
        let lines = try run.lines()
        #expect(lines.count == 1)
        let event = lines.first?["didReceiveAnalyticEvent"] as? [String: Any]
        #expect(event?["name"] as? String == "flow_screen_showed")
    }

    @Test(
        "a wrong filter is exit code 2 and one line that says what to try",
        arguments: [
            (["monitor", "-m", "kind"], "\"kind\" is no key=value"),
            (["monitor", "-m", "knd=x"], "did you mean kind?"),
            (["monitor", "-m", "kind=flow_did_apear"], "did you mean flow_did_appear?"),
            (["monitor", "-t", "-m", "kind=requst"], "did you mean request?"),
            (["monitor", "-m", "conn=x"], "as in status"),
            (["monitor", "-m", "conn=3"], "add --traffic"),
            (["monitor", "--headers-only"], "add --traffic"),
            (["monitor", "--size", "3"], "add --traffic"),
            (["monitor", "-t", "--kind", "flow_did_appear"], "write --match kind="),
            (["monitor", "-m", "device=a", "-m", "device=b"], "one device at a time"),
        ])
    func usage(words: [String], text: String) async throws {
        let run = try await Bridgectl.run(words, socket: broker.path)
        #expect(run.code == 2)
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }
}
