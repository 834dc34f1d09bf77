import Foundation
import TestSupport
import Testing

@testable import bridgectl

/// `run` as a person uses it: with brokers that it starts beside itself.
@Suite("bridgectl: run", .shared)
struct RunVerbTests {
    private static let examples: String = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder.path + "/examples/scenarios"
    }()

    private let folder = PrivateFolder()

    private func write(_ name: String, _ steps: String, _ more: String = "") throws -> String {
        let path = folder.file(name)
        try "{\"name\": \"\(name)\",\n\(more)\"steps\": [\n\(steps)\n]}".write(
            toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("the example scenarios pass, in parallel and one by one, and leave no broker behind")
    func examples() async throws {
        for jobs in ["1", "4"] {
            let run = try await Bridgectl.run(
                ["run", Self.examples, "--jobs", jobs, "--timeout", "20s"],
                environment: ["TMPDIR": folder.path])
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: Self.examples)
            #expect(run.output.hasSuffix("\n\(names.count) passed, 0 failed\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("a scenario that fails is exit code 1, with step, line and difference")
    func failing() async throws {
        let file = try write(
            "f.json",
            """
            {"show_flow": "onboarding", "expect": "any"},
            {"tap": "next", "expect": [
              {"analytic": "flow_screen_showed", "params": {"instanceId": "scr_other"}}]}
            """)
        let run = try await Bridgectl.run(["run", file])
        #expect(run.code == 1)
        #expect(run.output.contains("FAIL  \(file)  f.json\n  step 2, \(file):4: tap \"next\"\n"))
        #expect(run.output.contains("callbacks: 1 expected (-), 1 seen (+)"))
        #expect(
            run.output.contains("params.instanceId: expected \"scr_other\", seen \"scr_quiz\""))
        #expect(run.output.hasSuffix("\n0 passed, 1 failed\n"))
    }

    @Test(
        "each kind of surprise is told",
        arguments: [
            (#"{"call": "get_flow", "with": {"placement_id": "no"}}"#, "no error is expected"),
            (#"{"call": "get_profile", "error": {"sdk": 2002}}"#, "the step went well"),
            (
                #"{"call": "get_flow", "with": {"placement_id": "no"}, "error": {"sdk": 2002}}"#,
                "sdk: expected 2002, seen 2003"
            ),
            (
                #"{"call": "get_profile", "reply": {"profile": {"customer_user_id": "x"}}}"#,
                #"profile.customer_user_id: expected "x", seen """#
            ),
            (#"{"tap": "next"}"#, "no view was shown yet"),
            (#"{"answer": {"retry": true}}"#, "no question is open"),
            (
                #"{"show_flow": "onboarding", "expect": "any", "screen": {"elements": {"gone": {}}}}"#,
                "elements.gone: expected an object, it is not there"
            ),
            (
                #"{"show_flow": "onboarding", "expect": "any", "screen": {"elements": {"next": null}}}"#,
                "elements.next: nothing expected"
            ),
            (
                #"{"call": "get_profile", "profile": {"custom_attributes": {"a": 1}}}"#,
                "custom_attributes.a"
            ),
        ])
    func surprises(step: String, text: String) async throws {
        let run = try await Bridgectl.run(["run", try write("s.json", step)])
        #expect(run.code == 1)
        #expect(run.output.contains(text), "\(run.output)")
    }

    @Test("a step that hangs is named after its time, on a clock that stands still too")
    func hanging() async throws {
        let slow =
            "\"conditions\": {\"calls\": [{\"method\": \"get_flow\", \"latency_ms\": 60000}]},\n"
        let call = #"{"call": "get_flow", "with": {"placement_id": "onboarding"}"#
        let file = try write("h.json", call + "}", slow)
        let run = try await Bridgectl.run(["run", file, "--timeout", "1s"])
        #expect(run.code == 1)
        #expect(run.output.contains("get_flow hangs: no answer within 1 s"))
        #expect(run.output.contains("step 1, \(file):4"))
        let later = try write(
            "l.json", call + #", "later": "f"}, {"await": "f"}"#, slow + "\"timeout\": \"1s\",\n"
        )
        let waiting = try await Bridgectl.run(["run", later])
        #expect(waiting.output.contains("put off as \"f\" still waits after 1 s"))
        let forgotten = try await Bridgectl.run(
            ["run", try write("n.json", call + #", "later": "f"}"#, slow)])
        #expect(forgotten.output.contains("put off as \"f\" has no await"))
    }

    @Test("wrong files are exit code 2 before anything is played, each with its line")
    func wrongFiles() async throws {
        let good = try write("a.json", #"{"advance": 1}"#)
        let bad = try write("b.json", #"{"tapp": "x"}"#)
        let worse = try write("c.json", #"{"advance": }"#)
        let run = try await Bridgectl.run(["run", good, bad, worse])
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("bridgectl: \(bad):3: steps[0].tapp: there is no \"tapp\""))
        #expect(run.errors.contains("bridgectl: \(worse):3: not JSON at column 13"))
        let missing = try await Bridgectl.run(["run", "/nowhere.json"])
        #expect(missing.code == 1)
        #expect(missing.errors.contains("/nowhere.json: No such file or directory"))
        let empty = try await Bridgectl.run(["run", "/proc/self/task"])
        #expect(empty.errors.contains("no .json file in this folder"))
    }

    @Test("a catalog with faults fails its scenarios, with the faults")
    func faultyCatalog() async throws {
        let file = try write("f.json", #"{"advance": 1}"#, "\"catalog\": \"nowhere\",\n")
        let run = try await Bridgectl.run(["run", file])
        #expect(run.code == 1)
        #expect(run.output.contains("did not start"))
        #expect(run.output.contains("before the first step"))
    }

    @Test("--accept writes what came, and the file passes from then on, also as it was laid out")
    func accepting() async throws {
        let file = try write(
            "n.json",
            #"{"show_flow": "onboarding", "as": "f"}, {"tap": "nothing"}, {"tap": "next"}"#)
        #expect(try await Bridgectl.run(["run", file]).code == 1)
        #expect(try await Bridgectl.run(["run", file, "--accept"]).code == 0)
        let written = try String(contentsOfFile: file, encoding: .utf8)
        #expect(written.contains("\"flow_did_appear\""))
        #expect(written.contains("{\"tap\": \"nothing\", \"error\": {\"bridge\": \"NOT_FOUND\"}}"))
        #expect(try await Bridgectl.run(["run", file]).code == 0)
        #expect(try await Bridgectl.run(["run", file, "--accept"]).code == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == written)
    }

    @Test("reports go to files, or one of them to standard output alone")
    func reports() async throws {
        let file = try write("a.json", #"{"advance": 1}"#)
        let xml = folder.file("r.xml")
        let run = try await Bridgectl.run(
            ["run", file, "--report", "junit=\(xml)", "--report", "tap"])
        #expect(run.code == 0)
        #expect(run.output == "TAP version 13\n1..1\nok 1 - \(file) a.json\n")
        #expect(
            try String(contentsOfFile: xml, encoding: .utf8).contains("tests=\"1\" failures=\"0\""))
        let lines = try await Bridgectl.run(["run", file, "-j"]).lines()
        #expect(lines.first?["passed"] as? Bool == true)
        let wrong = try await Bridgectl.run(["run", file, "--report", "html"])
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("junit=FILE"))
    }

    @Test("a running broker serves with --socket, if it has the catalog")
    func runningBroker() async throws {
        let broker = try ChildBroker.start(
            try ChildBroker.program(nil), catalog: nil, timeout: .seconds(20))
        defer { broker.stop() }
        let run = try await Bridgectl.run(
            ["run", Self.examples + "/registration.json", "-s", broker.socket])
        #expect(run.code == 0, "\(run.output)")
        let other = try await Bridgectl.run(
            ["run", Self.examples + "/onboarding.json", "-s", broker.socket])
        #expect(other.code == 1)
        #expect(other.output.contains("the broker serves the catalog sample"))
    }

    @Test("without a flowbridged, and with one that is none, the line says what to do")
    func noBroker() async throws {
        let file = try write("a.json", #"{"advance": 1}"#)
        let wrong = try await Bridgectl.run(["run", file, "--broker", "/nowhere/flowbridged"])
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("--broker /nowhere/flowbridged: No such file or directory"))
        let other = try await Bridgectl.run(["run", file, "--broker", "/bin/true"])
        #expect(other.code == 1)
        #expect(other.output.contains("/bin/true did not start"))
    }
}
