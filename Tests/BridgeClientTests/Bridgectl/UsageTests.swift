import BridgeProtocol
import Foundation
import Testing

@testable import bridgectl

@Suite("bridgectl: usage", .shared)
struct UsageTests {
    private static let verbs = Program.verbs.map { $0.name }

    @Test(
        "the help of every verb ends with examples, the plain socket line among them",
        arguments: verbs)
    func examples(verb: String) async throws {
        for words in [["help", verb], [verb, "--help"], ["-h", verb]] {
            let run = try await Bridgectl.run(words)
            #expect(run.code == 0)
            let examples = try #require(run.output.components(separatedBy: "Examples:\n").last)
            #expect(examples.contains("  bridgectl "))
            if try Program.named(verb).needsBroker { #expect(examples.contains("nc -U")) }
        }
    }

    @Test("the help of the program names every verb, every exit code and how to go on")
    func overview() async throws {
        let run = try await Bridgectl.run(["help"])
        for verb in Self.verbs { #expect(run.output.contains("\n  \(verb) ")) }
        #expect(run.output.contains("nc -U -N"))
        #expect(try await Bridgectl.run(["--help"]).output == run.output)
    }

    @Test("every option of a verb is in its help", arguments: verbs)
    func options(verb: String) throws {
        let type = try Program.named(verb)
        let text = Help.text(of: type)
        for name in type.options { #expect(text.contains("--\(name)")) }
    }

    @Test("help fits 100 columns", arguments: verbs)
    func width(verb: String) throws {
        let lines = Help.text(of: try Program.named(verb)).split(separator: "\n")
        #expect(lines.filter { $0.count > 100 }.isEmpty)
    }

    @Test(
        "a wrong command line is exit code 2 and one line that says what to try",
        arguments: [
            ([], "no verb given"),
            (["calll"], "did you mean call?"),
            (["get_flow"], "that is a method: bridgectl call get_flow"),
            (["call"], "call needs METHOD [JSON|-|@FILE]"),
            (["call", "get_flw"], "did you mean get_flow?"),
            (["call", "zzzzzzzz"], "bridgectl list shows all"),
            (["call", "ping", "{}", "x"], "here \"x\" follows"),
            (["call", "get_flow", "{\"placementId\":3}"], "getFlow.placementId"),
            (["call", "get_flow", "{\"placement\":\"x\"}"], "there are placementId"),
            (["call", "get_flow", "{\"placementId\":"], "not JSON at line 1, column 15"),
            (["call", "get_flow", "[]"], "one JSON object"),
            (["call", "get_flow", "{},\"ping\":{}"], "not JSON at line 1, column 3"),
            (["monitor", "--kind", "flow_did_apear"], "did you mean flow_did_appear?"),
            (["monitor", "--from", "x"], "--from x: a whole number"),
            (["status", "--sokcet", "x"], "did you mean --socket?"),
            (["status", "-x"], "unknown option -x"),
            (["status", "--socket"], "--socket needs a value"),
            (["status", "-n", "3"], "status takes no --count"),
            (["ping", "-n", "0"], "at least one ping"),
            (["ping", "--timeout", "5x"], "--timeout 5x"),
            (["ping", "--timeout", "0s"], "--timeout 0s"),
            (["ping", "--json=table"], "pretty or short"),
            (["help", "moniter"], "did you mean monitor?"),
            (["introspect", "getflow2"], "did you mean get_flow?"),
        ])
    func wrong(words: [String], text: String) async throws {
        let run = try await Bridgectl.run(words, socket: "/nowhere")
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(text))
        #expect(run.errors.hasPrefix("bridgectl: "))
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test("-q leaves the exit code alone to tell")
    func quiet() async throws {
        let run = try await Bridgectl.run(["-q", "ping"], socket: "/nowhere")
        #expect(run.code == 3)
        #expect(run.output + run.errors == "")
    }

    @Test("a file that is not there is exit code 1 with its path")
    func missingFile() async throws {
        let run = try await Bridgectl.run(["call", "ping", "@/nowhere.json"])
        #expect(run.code == 1)
        #expect(run.errors.contains("/nowhere.json: No such file or directory"))
    }

    @Test("version names program, protocol and schema, and needs no broker")
    func version() async throws {
        for words in [["version"], ["--version"], ["-V"]] {
            let run = try await Bridgectl.run(words, socket: "/nowhere")
            #expect(run.code == 0)
            #expect(run.output.hasPrefix("bridgectl \(Program.version), protocol 1.1, schema "))
        }
        let object = try await Bridgectl.run(["version", "-j"]).object()
        #expect(object["schemaSha256"] as? String == Schema.sha256)
    }

    @Test("an output that nobody reads ends the program without a word")
    func brokenPipe() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\"$0\" introspect perform | true", Bridgectl.path]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }
}
