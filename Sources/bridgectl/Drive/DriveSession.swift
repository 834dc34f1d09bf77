import BridgeClient
import BridgeProtocol
import CLinux
import Glibc

/// A device that is driven: does what keys and commands ask for, and looks at what came of it.
final class DriveSession {
    let client: BridgeClient
    let device: DeviceInfo
    let events: EventStream
    /// What is driven becomes a scenario; nil: nothing is recorded.
    let draft: ScenarioDraft?
    var model = DriveModel()

    /// Of the device when the last event came.
    private var timeMs: Int64
    /// The view to look at; empty: the one on top.
    private var chosenView = ""
    private let timeout: Duration

    /// Opens the device, activates it if it is new, and listens to it.
    ///
    /// - Parameter opening: `open_device`.
    init(
        _ client: BridgeClient, opening: OpenDeviceRequest, draft: ScenarioDraft?, timeout: Duration
    ) async throws(BridgeError) {
        self.client = client
        self.draft = draft
        self.timeout = timeout
        let opened = try await client.openDevice(opening)
        guard let info = opened.info else {
            throw BridgeError(.internal, "open_device left out the device")
        }
        if draft != nil, !opened.created {
            throw BridgeError(
                .wrongState,
                "the device \"\(info.device)\" was there before; a recording begins with a new one: "
                    + "name another with --device, or none")
        }
        device = info
        timeMs = info.timeMs
        LocalTime.use(info.timeZone)
        if !info.activated {
            try await client.activate(with(ActivateRequest()) { $0.apiKey = "public_live_drive" })
        }
        events = try await client.subscribe()
        model.device = info.device
        model.placements = try await client.listPlacements().placements
        try await look()
    }

    /// Does one thing. What goes wrong is told in the model; false: the end was asked for.
    func act(_ action: DriveAction) async -> Bool {
        do throws(BridgeError) {
            switch action {
            case .perform(let gestures): try await perform(gestures)
            case .show(let placement): try await show(placement)
            case .answer(let question, let answer): try await reply(question, answer)
            case .call(let method, let json): try await call(method, json)
            case .lookAt(let number): try await look(at: number)
            case .redraw: break
            case .quit: return false
            }
            try await look()
        } catch {
            fail(error)
        }
        return true
    }

    /// Takes an event that came, caused by this session or by others.
    func hear(_ event: Event) {
        timeMs = event.timeMs
        let line = EventLine(event, instant: LocalTime.text)
        note(.came, line.details.isEmpty ? line.name : "\(line.name)  \(line.details)")
        draft?.hear(event)
        if let question = event.question { ask(event, question) }
        if case .questionSettled(let settled) = event.kind {
            model.questions.removeAll { $0.id == settled.questionId }
            if case .question? = model.dialog { model.dialog = nil }
        }
    }

    /// Takes the events that are there.
    func hearBuffered() {
        for event in events.buffered() { hear(event) }
    }

    /// Looks at the device anew.
    func look() async throws(BridgeError) {
        hearBuffered()
        let views = try await client.listViews().views
        let shown = views.filter { $0.state == .onTop || $0.state == .covered }
        let top = shown.first { $0.viewId == chosenView } ?? shown.first { $0.state == .onTop }
        model.viewCount = shown.count
        model.time = LocalTime.clock(now)
        guard let top else {
            model.show([], of: nil)
            return
        }
        do throws(BridgeError) {
            let screen = try await client.getScreen(viewId: top.viewId)
            model.show(screen.screens, of: top)
            model.locale = screen.locale
            showInstants()
        } catch {
            // It went between the two requests.
            if error.code != .notFound, error.code != .wrongState { throw error }
            model.show([], of: nil)
        }
    }

    /// Values of pickers are instants: they are shown in the zone of the device.
    private func showInstants() {
        model.instants = [:]
        for (place, element) in model.elements.enumerated() {
            guard case .int64(let ms)? = element.value?.kind else { continue }
            model.instants[place] = LocalTime.text(ms, element.kind)
        }
    }

    private func fail(_ error: BridgeError) {
        model.fault = error.line
        note(.failed, error.line)
        draft?.fail(error)
        if case .picker? = model.dialog { model.dialog = nil }
        model.editing = nil
    }

    private func note(_ kind: DriveModel.LogLine.Kind, _ text: String) {
        let time = kind == .came ? timeMs : now
        model.note(.init(kind: kind, time: LocalTime.clock(time), text: text))
    }

    /// On the device's clock; one that runs by itself is the host's.
    private var now: Int64 { device.clock == .manual ? timeMs : fb_wall_ms() }
}

extension DriveSession {
    private func perform(_ gestures: [PerformRequest.Gesture]) async throws(BridgeError) {
        guard let view = model.view?.viewId else {
            throw BridgeError(.wrongState, "nothing is on screen; show PLACEMENT shows a flow")
        }
        for gesture in gestures {
            note(.done, gesture.words)
            draft?.add(gesture.step, view: view)
            try await client.perform(gesture, on: view, deadline: timeout)
            hearBuffered()
        }
    }

    private func show(_ placement: String) async throws(BridgeError) {
        let type = model.placements.first { $0.placementId == placement }?.type ?? "flow"
        note(.done, "show \(placement)")
        draft?.add([("show_\(type)", .string(placement))], view: "")
        let view: String
        if type == "flow" {
            let flow = try await client.getFlow(placementId: placement)
            let configuration = try await client.getFlowConfiguration(of: flow)
            view = try await client.createFlowController(
                configurationId: configuration.configurationId)
        } else {
            let onboarding = try await client.getOnboarding(placementId: placement)
            let configuration = try await client.getOnboardingConfiguration(of: onboarding)
            view = try await client.createOnboardingController(
                configurationId: configuration.configurationId)
        }
        draft?.name(view, placement)
        chosenView = ""
        try await client.present(viewId: view)
    }

    private func reply(
        _ question: String, _ answer: AnswerRequest.Answer
    ) async throws(BridgeError) {
        note(.done, "answer \(answer.words)")
        draft?.add([("answer", answer.step)], view: "")
        try await client.answer(
            with(AnswerRequest()) {
                $0.questionId = question
                $0.answer = answer
            })
    }

    private func call(_ method: String, _ json: String) async throws(BridgeError) {
        let body: ClientFrame.Body
        let info: MethodInfo
        do throws(Exit) {
            info = try Session.method(method)
            body = RequestPaths.absolute(try WireJSON.request(info, json))
        } catch {
            throw BridgeError(.invalidArgument, error.message)
        }
        note(.done, json == "{}" ? info.name : "\(info.name) \(json)")
        draft?.add(call: info, json)
        let answer = try await client.call(body, deadline: timeout)
        if case .advanceClock(let reply) = answer { timeMs = reply.timeMs }
        let text = MessageTree(keepsDefaults: false).tree(of: answer, message: info.replyMessage)
            .spaced
        if text != "{}" { note(.told, text) }
    }

    private func look(at number: Int) async throws(BridgeError) {
        let views = try await client.listViews().views
        let shown = views.filter { $0.state == .onTop || $0.state == .covered }
        guard shown.indices.contains(number - 1) else {
            throw BridgeError(.notFound, "no view \(number): \(shown.count) are on screen")
        }
        chosenView = shown[number - 1].viewId
    }

    private func ask(_ event: Event, _ question: Question) {
        let (title, answers) = event.choices
        model.questions.append(
            .init(
                id: question.questionId, title: title, standard: question.defaultAnswer,
                answers: answers))
        if model.dialog == nil, model.command == nil, model.editing == nil {
            model.dialog = .question(chosen: 0)
        }
    }
}

extension Event {
    /// What a question says, and the answers that it takes.
    fileprivate var choices: (String, [(title: String, answer: AnswerRequest.Answer)]) {
        func permission(_ status: PermissionAnswer.Status) -> AnswerRequest.Answer {
            .permission(with(PermissionAnswer()) { $0.status = status })
        }
        func observer(_ step: ObserverAnswer.Step) -> AnswerRequest.Answer {
            .observer(with(ObserverAnswer()) { $0.step = step })
        }
        let observing = [("started", observer(.started)), ("finished", observer(.finished))]
        switch kind {
        case .didFailLoadingProducts:
            return (
                "Products were not loaded. Again?", [("yes", .retry(true)), ("no", .retry(false))]
            )
        case .permissionRequested(let event):
            return (
                "The flow asks for: \(event.permission)",
                [
                    ("granted", permission(.granted)), ("denied", permission(.denied)),
                    ("unavailable", permission(.unavailable)),
                ]
            )
        case .alertShown(let event):
            let title = [event.title, event.message].filter { !$0.isEmpty }.joined(separator: " · ")
            return (title, event.actions.map { ($0.title, .alertActionId($0.actionId)) })
        case .observerPurchaseRequested(let event):
            return ("The app buys \(event.product?.vendorProductId ?? "")", observing)
        case .observerRestoreRequested: return ("The app restores", observing)
        default: return ("", [])
        }
    }
}

extension AnswerRequest.Answer {
    /// As a scenario has it.
    var step: JSONNode {
        switch self {
        case .retry(let flag): .object([("retry", .bool(flag))])
        case .permission(let answer):
            .object(
                [("permission", .string(answer.status.word))]
                    + (answer.detail.isEmpty ? [] : [("detail", .string(answer.detail))]))
        case .alertActionId(let id): .object([("alert", .string(id))])
        case .observer(let answer):
            .object([("observer", .string(answer.step == .started ? "started" : "finished"))])
        }
    }

    fileprivate var words: String {
        step.members.map { "\($0.name) \($0.value.text ?? $0.value.compact)" }.joined(
            separator: " ")
    }
}

extension PermissionAnswer.Status {
    fileprivate var word: String {
        self == .granted ? "granted" : self == .denied ? "denied" : "unavailable"
    }
}
