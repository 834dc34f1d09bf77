import BridgeClient
import BridgeProtocol
import CLinux
import Glibc

/// `run`: plays scenario files and says what was not as expected.
enum RunVerb: Verb {
    static let name = "run"
    static let operands = "FILE|FOLDER…"
    static let operandCount = 1...4_096
    static let summary = "play scenario files and compare the callbacks"
    static let details = """
        A scenario is a JSON file with steps on a device and the callbacks that each has to bring
        (docs/scenarios.md). Every .json file of a folder is one. Each scenario has a device of its
        own, with a clock that stands still, on a broker that is started for the run and keeps
        nothing: one for each catalog, of the program named by --broker, or beside this one, or on
        PATH. With --socket a running broker serves instead.

        --accept writes what came into the files, where it is not what was expected: write the steps,
        accept, read what came. What is drawn anew each time becomes "$any".

        A step that takes longer than --timeout fails and is named. Exit code 0: all passed; 1: a
        scenario failed; 2: a file is wrong, and nothing was played.
        """
    static let examples = [
        "bridgectl run examples/scenarios",
        "bridgectl run registration.json --jobs 1 --timeout 30s",
        "bridgectl run new.json --accept && bridgectl run new.json",
        "bridgectl run examples/scenarios --report junit=report.xml --report tap",
        "bridgectl run examples/scenarios/errors.json -s \"$FLOWBRIDGE_SOCKET\"",
        "echo '{\"id\":1,\"getScreen\":{\"viewId\":\"…\"}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["accept", "broker", "jobs", "report"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let reports = try RunReports(arguments.reports)
        let scenarios = try scenarios(arguments.operands)
        let fleet = try fleet(arguments)
        let runner = ScenarioRunner(arguments: arguments, fleet: fleet)
        let progress = RunProgress(total: scenarios.count, output: output)
        let outcomes = await runner.play(scenarios, progress) { outcome in
            guard !reports.ownStandardOutput else { return }
            output.print(
                output.isJSONAsked
                    ? RunReport.json(outcome).compact : RunReport.text(outcome, output))
        }
        progress.end()
        await fleet?.stop()
        try reports.write(outcomes, output)
        if !reports.ownStandardOutput, !output.isJSONAsked {
            output.print(RunReport.summary(outcomes))
        }
        if outcomes.contains(where: { $0.failure != nil }) { throw Exit(code: 1, message: "") }
    }

    /// With --socket a running broker serves; FLOWBRIDGE_SOCKET alone does not ask for that.
    private static func fleet(_ arguments: Arguments) throws(Exit) -> BrokerFleet? {
        guard arguments.socket == nil else { return nil }
        return BrokerFleet(
            program: try ChildBroker.program(arguments.broker),
            timeout: max(arguments.timeout, .seconds(5)))
    }

    /// Every file, read and checked; all faults are told before the first is played.
    private static func scenarios(_ paths: [String]) throws(Exit) -> [Scenario] {
        var scenarios: [Scenario] = []
        var faults: [String] = []
        for file in try files(paths) {
            let text = try FilePath.text(file)
            do throws(ScenarioFault) {
                scenarios.append(try ScenarioReader.read(text, file: file))
            } catch {
                faults.append(error.text(file))
            }
        }
        guard faults.isEmpty else { throw .usage(faults.joined(separator: "\nbridgectl: ")) }
        return scenarios
    }

    private static func files(_ paths: [String]) throws(Exit) -> [String] {
        var files: [String] = []
        for path in paths {
            guard let names = try FilePath.names(in: path) else {
                files.append(path)
                continue
            }
            let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
            let found = names.filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
            guard !found.isEmpty else { throw .failure("\(path): no .json file in this folder") }
            files += found
        }
        return files
    }
}

/// `--report tap|junit[=FILE]`, as often as it came.
struct RunReports {
    private let wanted: [(form: String, path: String?)]

    init(_ words: [String]) throws(Exit) {
        var wanted: [(form: String, path: String?)] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard ["tap", "junit"].contains(parts.first), parts.count == 2 || !word.contains("=")
            else { throw .usage("--report \(word): tap, junit, tap=FILE or junit=FILE is wanted") }
            wanted.append((parts[0], parts.count == 2 ? parts[1] : nil))
        }
        if wanted.count(where: { $0.path == nil }) > 1 {
            throw .usage(
                "--report: only one report can go to standard output; give the others =FILE")
        }
        self.wanted = wanted
    }

    /// One of them takes the place of the text for people.
    var ownStandardOutput: Bool { wanted.contains { $0.path == nil } }

    func write(_ outcomes: [ScenarioOutcome], _ output: Output) throws(Exit) {
        for report in wanted {
            let text = report.form == "tap" ? RunReport.tap(outcomes) : RunReport.junit(outcomes)
            if let path = report.path {
                try FilePath.write(text, to: path)
            } else {
                output.print(text)
            }
        }
    }
}
