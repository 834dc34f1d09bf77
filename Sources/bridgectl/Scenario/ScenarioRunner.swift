import BridgeClient
import BridgeProtocol
import CLinux
import Glibc
import Synchronization

/// Plays many scenarios, some at a time.
struct ScenarioRunner {
    let arguments: Arguments
    /// nil: the broker of `--socket` serves all of them.
    let fleet: BrokerFleet?

    /// One on each core, unless `--jobs` says otherwise.
    private var jobs: Int { max(1, arguments.jobs ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Plays all; tells each outcome in the order of the scenarios, as soon as it may.
    func play(
        _ scenarios: [Scenario], _ progress: RunProgress, _ tell: (ScenarioOutcome) -> Void
    ) async -> [ScenarioOutcome] {
        var outcomes = [ScenarioOutcome?](repeating: nil, count: scenarios.count)
        var told = 0
        await withTaskGroup(of: (Int, ScenarioOutcome).self) { group in
            var next = 0
            func add() {
                guard next < scenarios.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await play(scenarios[index], index, progress)) }
            }
            for _ in 0..<jobs { add() }
            for await (index, outcome) in group {
                outcomes[index] = outcome
                while told < outcomes.count, let outcome = outcomes[told] {
                    progress.clear()
                    tell(outcome)
                    told += 1
                }
                progress.ended(index)
                add()
            }
        }
        return outcomes.compactMap { $0 }
    }

    private func play(
        _ scenario: Scenario, _ index: Int, _ progress: RunProgress
    ) async -> ScenarioOutcome {
        let start = fb_monotonic_ns()
        let failure = await failure(of: scenario, index, progress)
        return ScenarioOutcome(
            file: scenario.file, name: scenario.name, steps: scenario.steps.count,
            ms: Int((fb_monotonic_ns() - start) / 1_000_000), failure: failure)
    }

    private func failure(
        of scenario: Scenario, _ index: Int, _ progress: RunProgress
    ) async -> ScenarioOutcome.Failure? {
        do throws(ScenarioRun.Stop) {
            let client = try await connect(scenario)
            defer { client.close() }
            var run = try await ScenarioRun(
                scenario, on: client, device: device(index), timeout: arguments.timeout,
                isLearning: arguments.accepts
            ) { step in progress.began(index, scenario.name, step, scenario.steps.count) }
            let failure = await run.play()
            if failure == nil, !run.learned.isEmpty { try accept(run) }
            await close(run, client)
            return failure
        } catch {
            return .init(step: 0, line: 1, title: "getting ready", lines: error.lines)
        }
    }

    /// Writes what came into the file.
    private func accept(_ run: ScenarioRun) throws(ScenarioRun.Stop) {
        let file = run.scenario.file
        do throws(Exit) {
            let text = try FilePath.text(file)
            // It was read before the run began.
            guard let node = try? JSONTreeReader.read(text) else { return }
            try FilePath.write(
                Generalizing.updated(node, run.learned).laidOut() + "\n", to: file)
        } catch {
            throw ScenarioRun.Stop(error.message)
        }
    }

    /// A name that no other scenario has, in this run or another.
    private func device(_ index: Int) -> String { "scenario-\(getpid())-\(index + 1)" }

    /// A running broker is left as it was, but for the record of the device.
    private func close(_ run: ScenarioRun, _ client: BridgeClient) async {
        guard fleet == nil, run.scenario.device["device"] == nil else { return }
        let device = run.captures["device"]?.text ?? ""
        _ = try? await client.closeDevice(
            with(CloseDeviceRequest()) { $0.device = device }, deadline: arguments.timeout)
    }

    private func connect(
        _ scenario: Scenario
    ) async throws(ScenarioRun.Stop) -> BridgeClient {
        do throws(Exit) {
            var arguments = arguments
            if let fleet { arguments.socket = try await fleet.socket(for: scenario) }
            let client = try await Session.open(
                arguments, Output(isQuiet: true), bufferedEventsMax: 1 << 16, deadline: nil)
            if fleet == nil { try await check(scenario, client) }
            return client
        } catch {
            throw ScenarioRun.Stop(error.message)
        }
    }

    /// The catalog of a running broker is everybody's: it is looked at, and not changed.
    private func check(_ scenario: Scenario, _ client: BridgeClient) async throws(Exit) {
        do throws(BridgeError) {
            let served = try await client.status(deadline: arguments.timeout).catalog
            let wanted = scenario.catalog ?? "sample"
            guard served == wanted || FilePath.real(served) == wanted else {
                throw BridgeError(
                    .wrongState,
                    "the broker serves the catalog \(served), the scenario wants \(wanted); without "
                        + "--socket a broker is started with it")
            }
        } catch {
            throw .answered("catalog", error)
        }
    }
}

/// A line on a terminal that tells how far a run has come.
final class RunProgress: Sendable {
    private struct State {
        var done = 0
        var running: [Int: String] = [:]
        var isShown = false
    }

    private static let barWidth = 24

    private let state = Mutex(State())
    private let total: Int
    private let isOn: Bool

    init(total: Int, output: Output) {
        self.total = total
        isOn = isatty(2) == 1 && !output.isQuiet && total > 0
    }

    func began(_ index: Int, _ name: String, _ step: Int, _ steps: Int) {
        change { $0.running[index] = "\(name) \(step + 1)/\(steps)" }
    }

    func ended(_ index: Int) {
        change {
            $0.running[index] = nil
            $0.done += 1
        }
    }

    /// Takes the line away, for other lines.
    func clear() {
        guard isOn else { return }
        state.withLock { state in
            if state.isShown { Self.write("\r\u{1B}[K") }
            state.isShown = false
        }
    }

    func end() { clear() }

    private func change(_ change: (inout State) -> Void) {
        guard isOn else { return }
        state.withLock { state in
            change(&state)
            Self.write("\r" + line(state) + "\u{1B}[K")
            state.isShown = true
        }
    }

    private func line(_ state: State) -> String {
        let filled = Self.barWidth * state.done / total
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: Self.barWidth - filled)
        let first = state.running.min { $0.key < $1.key }?.value ?? ""
        return "[\(bar)] \(state.done)/\(total) \(first.controlFree.prefix(40))"
    }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = Glibc.write(2, bytes.baseAddress, bytes.count) }
    }
}
