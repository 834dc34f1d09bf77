import BridgeClient
import BridgeProtocol

extension ScenarioRun {
    /// Does what a step says; nil: it has no answer yet.
    mutating func act(_ step: Step) async throws(Stop) -> ServerFrame.Body? {
        switch step.action {
        case .look: return nil
        case .call(let method, let request, nil):
            return try await send(method, request.resolved(captures))
        case .call(let method, let request, let name?):
            putOff[name] = try start(method, request.resolved(captures))
            putOffMethods[name] = method
            return nil
        case .await(let name): return try await end(of: name)
        case .show(let kind, let placement, let locale, let actions, let name):
            return try await show(kind, placement, locale, actions, name)
        case .gestures(let gestures): return try await perform(gestures, step)
        case .advance(let ms):
            return try await send("advance_clock", .object([("by_ms", .int(ms))]))
        case .answer(let answer, let question): return try await reply(answer, question)
        }
    }

    private func send(_ method: String, _ request: JSONNode) async throws(Stop) -> ServerFrame.Body
    {
        guard let info = MethodTable.named(method) else { throw Stop("no method \(method)") }
        return try await send(info, request)
    }

    private func send(
        _ method: MethodInfo, _ request: JSONNode
    ) async throws(Stop) -> ServerFrame.Body {
        try await Self.exchange(method, try Self.body(method, request), client, span)
    }

    static func body(
        _ method: MethodInfo, _ request: JSONNode
    ) throws(Stop) -> ClientFrame.Body {
        do throws(Exit) {
            return RequestPaths.absolute(try WireJSON.request(method, request.compact))
        } catch {
            throw Stop(error.message)
        }
    }

    /// Sends without a deadline of the broker's, which would count on the device's clock; this side
    /// looks at the time.
    static func exchange(
        _ method: MethodInfo, _ body: ClientFrame.Body, _ client: BridgeClient, _ span: Duration
    ) async throws(Stop) -> ServerFrame.Body {
        let answer = await bounded(span) {
            do throws(BridgeError) {
                return Result<ServerFrame.Body, BridgeError>.success(
                    try await client.exchange(body))
            } catch {
                return .failure(error)
            }
        }
        let isStopped =
            switch answer.value {
            case .success(let body): body.isOfCancel
            case .failure(let error): error.code == .cancelled
            }
        if answer.isLate, isStopped {
            throw Stop("\(method.name) hangs: no answer within \(span.text)")
        }
        do throws(BridgeError) {
            return try answer.value.get()
        } catch {
            throw Stop("\(method.name): \(error.line)")
        }
    }

    /// Sends a call that may wait. Returns when it is on its way.
    private func start(
        _ method: MethodInfo, _ request: JSONNode
    ) throws(Stop) -> Task<ServerFrame.Body?, Never> {
        let (client, body) = (client, try Self.body(method, request))
        // At once, so that what the next step sends comes behind it.
        return Task.immediate { try? await client.exchange(body) }
    }

    private mutating func end(of name: String) async throws(Stop) -> ServerFrame.Body {
        guard let task = putOff.removeValue(forKey: name) else {
            throw Stop("the call put off as \"\(name)\" was awaited before")
        }
        let answer = await bounded(span) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
        guard let body = answer.value, !(answer.isLate && body.isOfCancel) else {
            throw Stop("the call put off as \"\(name)\" still waits after \(span.text)")
        }
        return body
    }

    private mutating func show(
        _ kind: ViewInfo.Kind, _ placement: String, _ locale: String, _ actions: String,
        _ name: String?
    ) async throws(Stop) -> ServerFrame.Body {
        let what = kind == .flow ? "flow" : "onboarding"
        let locales = locale.isEmpty ? [] : [("locale", JSONNode.string(locale))]
        let fetch = [("placement_id", JSONNode.string(placement))] + (kind == .flow ? [] : locales)
        let fetched = try await send("get_\(what)", .object(fetch))
        if case .error = fetched { return fetched }
        let replies = MessageTree(keepsDefaults: false)
        let reply = replies.tree(
            of: fetched, message: kind == .flow ? "GetFlowReply" : "GetOnboardingReply")
        let variation = reply[what]?["variation_id"] ?? .string("")
        let configure = [("variation_id", variation)] + (kind == .flow ? locales : [])
        let configured = try await send("get_\(what)_configuration", .object(configure))
        let made: ServerFrame.Body
        switch configured {
        case .getFlowConfiguration(let reply):
            made = try await send("create_flow_controller", making(reply.configurationId, actions))
        case .getOnboardingConfiguration(let reply):
            made = try await send(
                "create_onboarding_controller", making(reply.configurationId, actions))
        default: return configured
        }
        let view: String
        switch made {
        case .createFlowController(let reply): view = reply.viewId
        case .createOnboardingController(let reply): view = reply.viewId
        default: return made
        }
        captures["view"] = .string(view)
        if let name { captures[name] = .string(view) }
        return try await send("present", .object([("view_id", .string(view))]))
    }

    private func making(_ configuration: String, _ actions: String) -> JSONNode {
        .object([
            ("configuration_id", .string(configuration)), ("action_handling", .string(actions)),
        ])
    }

    private func perform(_ gestures: [JSONNode], _ step: Step) async throws(Stop) -> ServerFrame
        .Body?
    {
        var last: ServerFrame.Body?
        for gesture in gestures {
            let resolved = gesture.resolved(captures)
            let members = resolved.members.map { ($0.name, $0.value) }
            last = try await send("perform", .object([("view_id", try viewId(step))] + members))
            if case .error? = last { return last }
        }
        return last
    }

    func viewId(_ step: Step) throws(Stop) -> JSONNode {
        guard let view = captures[step.view ?? "view"] else {
            throw Stop("no view was shown yet; show_flow or show_onboarding shows one")
        }
        return view
    }

    private func reply(_ answer: JSONNode, _ question: String?) async throws(Stop)
        -> ServerFrame.Body
    {
        let named = question.map { JSONNode.string($0).resolved(captures) }
        guard let id = named ?? questions.first.map({ .string($0.id) }) else {
            throw Stop("no question is open")
        }
        let members = answer.members.map { ($0.name, $0.value) }
        return try await send("answer", .object([("question_id", id)] + members))
    }
}
