import BridgeClient
import BridgeProtocol
import CSystemFaults
import Synchronization

/// What a program does with the client library while a system call of it fails: it connects, drives
/// the sample flow, hears the events, has calls wait and cancels one, unsubscribes and closes; then
/// it connects again and goes on from the last event that it has seen.
final class ClientTalk: Sendable {
    /// What came of it.
    struct Outcome: Sendable {
        /// The name of the call that failed; nil: it was not reached.
        var met: String?
        /// What the program was told, by the function that threw it.
        var errors: [String] = []
        /// What did not happen as it has to.
        var faults: [String] = []
        /// Sequences of the events that came, in the order in which they came.
        var seen: [UInt64] = []
    }

    /// What is taken away, for the controls.
    struct Guards: Sendable {
        var system = FB_GUARD_NONE
        /// Room for events that wait for their reader; nil: as much as there is.
        var bufferedEventsMax: Int?
        /// After so long without anything a run hangs.
        var hangSeconds = 20
    }

    private let path: String
    private let device: String
    private let times: UInt64
    private let guards: Guards
    private let executor = TurnedExecutor()
    private let outcome = Mutex(Outcome())

    private init(_ path: String, _ device: String, _ times: UInt64, _ guards: Guards) {
        (self.path, self.device, self.times, self.guards) = (path, device, times, guards)
    }

    /// Has it on the calling thread while the n-th call that can fail in this way fails, and the
    /// `times` - 1 behind it.
    static func run(
        _ kind: fb_fault_kind, _ n: UInt64, times: UInt64 = 1, at path: String,
        guards: Guards = Guards()
    ) -> Outcome {
        let talk = ClientTalk(path, "phone \(kind.name) \(n)", times, guards)
        fb_faults_begin(kind, n, times)
        defer { fb_faults_end() }
        fb_faults_without(guards.system)
        let isDone = talk.executor.run(seconds: guards.hangSeconds) { () -> Bool in
            await talk.go()
            return true
        }
        var outcome = talk.outcome.withLock { $0 }
        outcome.met = fb_faults_met().map { String(cString: $0) }
        if isDone == nil {
            outcome.faults.append("it hangs")
            return outcome
        }
        if fb_faults_wait_for_threads(Int32(guards.hangSeconds)) == 0 {
            outcome.faults.append("a thread goes on")
        }
        let left = fb_faults_descriptors()
        if left != 0 { outcome.faults.append("\(left) descriptors are left open") }
        return outcome
    }

    private func go() async {
        if let client = await attempt("connect", self.connect) {
            let isWhole = await live(with: client)
            client.close()
            await expectClosed(client)
            if isWhole, outcome.withLock({ $0.seen.isEmpty }) { fault("nothing was heard") }
        }
        // Whatever happened: a new client works, unless it is its turn to meet the fault.
        for _ in 0...times {
            if await checkRecord() { return }
        }
        fault("a new client does not work")
    }

    private func connect() async throws(BridgeError) -> BridgeClient {
        var options = ClientOptions(clientName: "sweep", deadline: .seconds(10))
        if let events = guards.bufferedEventsMax { options.bufferedEventsMax = events }
        return try await BridgeClient.connect(path: path, options: options)
    }

    // MARK: What may go wrong

    /// Runs a call; an error is one of a lost connection, with the path and the reason.
    private func attempt<Value>(
        _ name: String, _ work: () async throws(BridgeError) -> Value
    ) async -> Value? {
        do throws(BridgeError) {
            return try await work()
        } catch {
            told(name, error)
            return nil
        }
    }

    private func told(_ name: String, _ error: BridgeError) {
        outcome.withLock { $0.errors.append("\(name): \(error.message)") }
        if error.code != .unavailable { fault("\(name): \(error.code.name) \(error.message)") }
        if !error.message.contains(path) { fault("\(name): without the path: \(error.message)") }
        // What cannot help is not advised.
        let isShort = ["Too many open files", "Cannot allocate memory", "No buffer space"]
            .contains { error.message.contains($0) }
        if isShort && error.message.contains("start flowbridged") {
            fault("\(name): the advice is wrong: \(error.message)")
        }
    }

    private func fault(_ text: String) { outcome.withLock { $0.faults.append(text) } }

    // MARK: A whole life

    /// True when everything went as if there had been no fault.
    private func live(with client: BridgeClient) async -> Bool {
        guard let (events, view) = await show(on: client) else { return false }
        let isDriven = await drive(view, client)
        hear(events)
        guard isDriven, await wait(client), await end(events, client) else {
            await hearOut(events)
            return false
        }
        return true
    }

    private func show(on client: BridgeClient) async -> (EventStream, String)? {
        let subscribed = await attempt("subscribe") { () async throws(BridgeError) in
            _ = try await client.openDevice(phone)
            return try await client.subscribe()
        }
        guard let events = subscribed else { return nil }
        let view = await attempt("show") { () async throws(BridgeError) -> String in
            try await client.activate(with(ActivateRequest()) { $0.apiKey = "public_live_test" })
            let flow = try await client.getFlow(placementId: "onboarding")
            let made = try await client.getFlowConfiguration(of: flow)
            let view = try await client.createFlowController(configurationId: made.configurationId)
            try await client.present(viewId: view)
            return view
        }
        guard let view else {
            await hearOut(events)
            return nil
        }
        // What a call has caused is there when it returns.
        let isThere = hear(events).contains {
            if case .flowDidAppear = $0.kind { true } else { false }
        }
        if !isThere { fault("present has returned without its event") }
        return (events, view)
    }

    private var phone: OpenDeviceRequest {
        with(OpenDeviceRequest()) {
            $0.device = device
            $0.clock = with(DeviceClock()) {
                $0.kind = .manual
                $0.startMs = 5
            }
        }
    }

    private func drive(_ view: String, _ client: BridgeClient) async -> Bool {
        let isDriven: Void? = await attempt("perform") { () async throws(BridgeError) in
            try await client.perform(
                .focus(with(FocusGesture()) { $0.elementId = "name" }), on: view)
            try await client.perform(
                .enterText(with(EnterTextGesture()) { $0.text = "Jo" }), on: view)
            try await client.perform(.blur(BlurGesture()), on: view)
        }
        return isDriven != nil
    }

    /// More at a time than a socket holds, and a call that waits until it is cancelled.
    private func wait(_ client: BridgeClient) async -> Bool {
        async let small = ping(client, bytes: 10)
        async let large = ping(client, bytes: 600_000)
        let areAnswered = await (small, large)
        guard areAnswered.0, areAnswered.1 else { return false }
        let isSlow: Void? = await attempt("set_conditions") { () async throws(BridgeError) in
            _ = try await client.setConditions(
                with(SetConditionsRequest()) {
                    $0.calls = [with(CallCondition()) { $0.latencyMs = 4_000 }]
                })
        }
        guard isSlow != nil else { return false }
        let waiting = Task(executorPreference: executor) { () -> BridgeError? in
            do throws(BridgeError) {
                _ = try await client.getFlow(placementId: "onboarding")
                return nil
            } catch {
                return error
            }
        }
        let isAlive = await ping(client, bytes: 1)
        waiting.cancel()
        let error = await waiting.value
        let isCancelled = error?.sdk?.code == 9000 || error?.code == .cancelled
        if let error, !isCancelled { told("get_flow", error) }
        if error == nil { fault("get_flow has an answer") }
        return isAlive && isCancelled
    }

    private func ping(_ client: BridgeClient, bytes: Int) async -> Bool {
        let payload = [UInt8](repeating: 7, count: bytes)
        let reply = await attempt("ping") { () async throws(BridgeError) in
            try await client.ping(with(PingRequest()) { $0.payload = .init(payload) })
        }
        if let reply, Array(reply.payload) != payload { fault("the ping came back changed") }
        return reply != nil
    }

    private func end(_ events: EventStream, _ client: BridgeClient) async -> Bool {
        let isEnded: Void? = await attempt("unsubscribe") { () async throws(BridgeError) in
            try await client.unsubscribe(events)
        }
        guard isEnded != nil else { return false }
        await hearOut(events)
        return true
    }

    // MARK: Events

    @discardableResult
    private func hear(_ events: EventStream) -> [Event] {
        let new = events.buffered()
        outcome.withLock { $0.seen += new.map(\.sequence) }
        return new
    }

    /// Takes what is there until the stream ends, which it has to, by itself.
    private func hearOut(_ events: EventStream) async {
        let iterator = events.makeAsyncIterator()
        do throws(BridgeError) {
            while let event = try await iterator.next() {
                outcome.withLock { $0.seen.append(event.sequence) }
            }
        } catch {
            told("events", error)
        }
    }

    private func expectClosed(_ client: BridgeClient) async {
        do throws(BridgeError) {
            try await client.ping()
            fault("a closed client answers")
        } catch {
            if error.code != .unavailable { fault("closed: \(error.code.name)") }
        }
    }

    /// What was heard, and what a new client hears from there on, is the record: no gap, no double.
    private func checkRecord() async -> Bool {
        let isChecked: Void? = await attempt("again") { () async throws(BridgeError) in
            let client = try await connect()
            defer { client.close() }
            _ = try await client.openDevice(phone)
            let seen = outcome.withLock { $0.seen }
            let events = try await client.subscribe(fromSequence: (seen.last ?? 0) + 1)
            try await client.ping()
            let record = try await client.getEvents(fromSequence: seen.first ?? 1)
            hear(events)
            let (heard, expected) = (outcome.withLock { $0.seen }, record.events.map(\.sequence))
            if heard != expected { fault("heard \(heard), recorded \(expected)") }
        }
        return isChecked != nil
    }
}
