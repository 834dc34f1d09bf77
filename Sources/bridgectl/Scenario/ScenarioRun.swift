import BridgeClient
import BridgeProtocol

/// How a scenario went.
struct ScenarioOutcome: Sendable {
    /// The first step that was not as expected.
    struct Failure: Sendable {
        /// From 1; 0: before the first step.
        let step: Int
        let line: Int
        let title: String
        let lines: [FailureLine]
    }

    let file: String
    let name: String
    let steps: Int
    let ms: Int
    let failure: Failure?
}

/// Plays one scenario on a connection and a device of its own, up to the first surprise.
struct ScenarioRun {
    /// What stops a step.
    struct Stop: Error {
        let lines: [FailureLine]

        init(_ text: String) { lines = [FailureLine(kind: .text, text: text)] }
        init(_ lines: [FailureLine]) { self.lines = lines }
    }

    /// What a step brought instead of what it expects.
    struct Learned: Sendable {
        /// nil: the callbacks are as expected.
        var callbacks: [JSONNode]?
        var error: JSONNode?
    }

    let scenario: Scenario
    let client: BridgeClient
    /// Takes what comes for what is wanted.
    let isLearning: Bool
    /// By the place of the step.
    private(set) var learned: [Int: Learned] = [:]
    /// For the scenarios that name none.
    let timeout: Duration
    /// Told with each step that begins.
    let progress: @Sendable (Int) -> Void

    private var current = 0
    private var events: EventStream
    var captures: [String: JSONNode] = [:]
    var questions: [(id: String, kind: String)] = []
    var putOff: [String: Task<ServerFrame.Body?, Never>] = [:]
    var putOffMethods: [String: MethodInfo] = [:]

    var span: Duration { scenario.timeout ?? timeout }

    /// Opens the device, activates the SDK and sets the conditions.
    init(
        _ scenario: Scenario, on client: BridgeClient, device: String, timeout: Duration,
        isLearning: Bool = false, progress: @escaping @Sendable (Int) -> Void
    ) async throws(Stop) {
        self.scenario = scenario
        self.client = client
        self.timeout = timeout
        self.isLearning = isLearning
        self.progress = progress
        let name = scenario.device["device"]?.text ?? device
        captures["device"] = .string(name)
        let span = scenario.timeout ?? timeout
        let given = scenario.device.members.filter { $0.name != "device" }
        let opening = JSONNode.object(
            [("device", .string(name))] + given.map { ($0.name, $0.value) })
        _ = try await Self.prepare("open_device", opening, client, span)
        if let activation = scenario.activation {
            _ = try await Self.prepare("activate", activation, client, span)
        }
        if let conditions = scenario.conditions {
            _ = try await Self.prepare("set_conditions", conditions, client, span)
        }
        do throws(BridgeError) {
            events = try await client.subscribe(deadline: span)
        } catch {
            throw Stop("subscribe: \(error.line)")
        }
    }

    private static func prepare(
        _ method: String, _ request: JSONNode, _ client: BridgeClient, _ span: Duration
    ) async throws(Stop) -> ServerFrame.Body {
        guard let info = MethodTable.named(method) else { throw Stop("no method \(method)") }
        let answer = try await exchange(info, try body(info, request), client, span)
        if case .error(let error) = answer { throw Stop("\(method): \(error.bridgeError.line)") }
        return answer
    }

    /// Plays the steps; returns the failure of the first that is not as expected.
    mutating func play() async -> ScenarioOutcome.Failure? {
        for (index, step) in scenario.steps.enumerated() {
            progress(index)
            current = index
            do throws(Stop) {
                try await play(step)
            } catch {
                for task in putOff.values { task.cancel() }
                return ScenarioOutcome.Failure(
                    step: index + 1, line: step.line, title: step.title, lines: error.lines)
            }
        }
        return await playEnd()
    }

    /// Nothing may wait or have come behind the last step.
    private mutating func playEnd() async -> ScenarioOutcome.Failure? {
        var lines: [FailureLine] = []
        for name in putOff.keys.sorted() {
            putOff[name]?.cancel()
            lines.append(
                FailureLine(kind: .text, text: "the call put off as \"\(name)\" has no await"))
        }
        do throws(Stop) {
            try await check(callbacks: [])
        } catch {
            lines += error.lines
        }
        guard !lines.isEmpty else { return nil }
        return ScenarioOutcome.Failure(
            step: scenario.steps.count, line: scenario.steps.last?.line ?? 0,
            title: "after the last step", lines: lines)
    }

    private mutating func play(_ step: Step) async throws(Stop) {
        let answer = try await act(step)
        try check(answer, step)
        if let pattern = step.screen {
            let seen = SeenTree.screen(try await look("get_screen", step))
            try match(pattern, seen, "the screen")
        }
        if let pattern = step.profile {
            let seen = SeenTree.profile(try await look("get_profile", step))
            try match(pattern, seen, "the profile")
        }
        try await check(callbacks: step.callbacks)
    }

    private func look(_ method: String, _ step: Step) async throws(Stop) -> ServerFrame.Body {
        let view = method == "get_screen" ? [("view_id", try viewId(step))] : []
        return try await Self.prepare(method, .object(view), client, span)
    }

    private mutating func check(_ answer: ServerFrame.Body?, _ step: Step) throws(Stop) {
        guard case .error(let error)? = answer else {
            if step.error != nil {
                if isLearning { return learned[current, default: Learned()].error = nil }
                throw Stop("an error is expected, and the step went well")
            }
            guard let pattern = step.reply, let answer else { return }
            let seen = SeenTree.reply(answer, message: replyMessage(step))
            return try match(pattern, seen, "the reply")
        }
        if isLearning {
            let form = Generalizing.error(SeenTree.error(error.bridgeError))
            return learned[current, default: Learned()].error = form
        }
        guard let pattern = step.error else {
            throw Stop("no error is expected, the answer is \(error.bridgeError.line)")
        }
        try match(pattern, SeenTree.error(error.bridgeError), "the error")
    }

    private func replyMessage(_ step: Step) -> String {
        switch step.action {
        case .call(let method, _, _): method.replyMessage
        case .await(let name): putOffMethods[name]?.replyMessage ?? ""
        default: ""
        }
    }

    private mutating func match(
        _ pattern: Pattern, _ seen: JSONNode, _ what: String
    ) throws(Stop) {
        var matcher = Matcher(captures: captures)
        matcher.compare(pattern, seen)
        guard matcher.differences.isEmpty else {
            let head = FailureLine(kind: .text, text: "\(what) is not as expected:")
            throw Stop(
                [head]
                    + matcher.differences.map { difference in
                        let path = difference.path.isEmpty ? "" : difference.path + ": "
                        return FailureLine(kind: .both, text: path + difference.text)
                    })
        }
        captures = matcher.captures
    }

    private mutating func check(callbacks: [ExpectedCallback]?) async throws(Stop) {
        let seen = await takeEvents(atLeast: callbacks?.count ?? 0)
        for event in seen { note(event) }
        guard let callbacks else { return }
        let comparison = CallbackComparison(
            expected: callbacks,
            seen: seen.filter { event in
                !scenario.ignoredKinds.contains(event.kind?.name ?? "")
            }, captures: captures)
        guard let found = comparison.captured() else {
            if isLearning {
                let names = captureNames
                return learned[current, default: Learned()].callbacks = comparison.seen.map {
                    Generalizing.form(CallbackForm.of($0), names)
                }
            }
            let head =
                "callbacks: \(callbacks.count) expected (-), \(comparison.seen.count) seen (+)"
            throw Stop([FailureLine(kind: .text, text: head)] + comparison.lines())
        }
        captures = found
    }

    /// The names of captured texts; a view's own name comes before `view`.
    private var captureNames: [String: String] {
        var names: [String: String] = [:]
        for (name, value) in captures.sorted(by: { $0.key < $1.key }) {
            guard let text = value.text, names[text] == nil || names[text] == "view" else {
                continue
            }
            names[text] = name
        }
        return names
    }

    /// What has come. On a clock that runs by itself, what is expected may come a little later.
    private func takeEvents(atLeast count: Int) async -> [Event] {
        let seen = events.buffered()
        guard seen.count < count, scenario.hasRealClock else { return seen }
        let (client, events, missing) = (client, events, count - seen.count)
        let late = await bounded(span) {
            var late: [Event] = []
            let iterator = events.makeAsyncIterator()
            while late.count < missing, let event = try? await iterator.next() {
                late.append(event)
            }
            return late
        }
        let isShort = late.value.count < missing
        return seen + late.value + (isShort ? await client.arrived(events) : [])
    }

    /// Keeps an eye on questions.
    private mutating func note(_ event: Event) {
        if case .questionSettled(let settled) = event.kind {
            questions.removeAll { $0.id == settled.questionId }
        } else if let question = event.question {
            questions.append((question.questionId, event.kind?.name ?? ""))
        }
    }
}

extension Scenario {
    fileprivate var hasRealClock: Bool {
        let kind = device["clock"]?["kind"]
        return kind?.text == "REAL" || kind.map { $0.compact == "0" } ?? true
    }
}
