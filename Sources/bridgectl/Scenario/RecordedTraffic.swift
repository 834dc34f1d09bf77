import BridgeProtocol

/// Turns what passes through a broker into a scenario: the requests of other clients to one device,
/// their answers, and the events of the device between them.
struct RecordedTraffic {
    /// Methods that change nothing and that a scenario does not need.
    private static let passedOver: Set<String> = [
        "hello", "cancel", "ping", "describe", "status", "open_device", "list_devices",
        "list_views",
        "list_placements", "get_screen", "get_events", "subscribe", "unsubscribe", "monitor",
    ]

    /// A request without its answer.
    private struct Pending {
        let step: Int
        let method: MethodInfo
        /// Requests that came behind it.
        var isOvertaken = false
    }

    let draft: ScenarioDraft
    private var pending: [String: Pending] = [:]
    /// Events that belong to the request that is answered next.
    private var events: [Event] = []
    private var lastSequence: UInt64 = 0
    private var count = 0

    init(draft: ScenarioDraft) {
        self.draft = draft
    }

    /// Takes a frame, in the order in which the broker had them. True: the device was closed, and the recording is over.
    mutating func take(_ frame: MonitoredFrame) throws(Exit) -> Bool {
        if frame.dropped > 0 {
            throw .failure(
                "\(frame.dropped) frames came faster than they were read; the recording would have "
                    + "gaps")
        }
        guard !frame.text.isEmpty, frame.text.utf8.count == Int(frame.textSize) else {
            if frame.text.isEmpty { return false }
            throw .failure("a frame of \(frame.textSize) bytes is more than the broker shows")
        }
        let key = "\(frame.connectionId) \(frame.id)"
        switch frame.kind {
        case "request": return try begin(frame, key)
        case "answer", "error": return end(frame, key)
        case "event": hear(frame.text)
        default: break
        }
        return false
    }

    /// Takes an event, once: every subscriber gets a copy.
    private mutating func hear(_ text: String) {
        let bytes = Array(text.utf8)
        let frame = try? bytes.withUnsafeBytes { try WireCoder().decodeServerFrame(line: $0) }
        guard case .event(let event)? = frame?.body, event.sequence > lastSequence else { return }
        lastSequence = event.sequence
        events.append(event)
    }

    /// What is left when the recording ends belongs to the last step.
    mutating func finish() { give(to: draft.count - 1) }

    private mutating func give(to step: Int) {
        for event in events { draft.hear(event, at: step) }
        events = []
    }

    private mutating func begin(_ frame: MonitoredFrame, _ key: String) throws(Exit) -> Bool {
        guard let method = MethodTable.named(frame.name), !Self.passedOver.contains(method.name),
            let request = try? JSONTreeReader.read(frame.text)[method.jsonName]
        else { return false }
        for other in pending.keys { pending[other]?.isOvertaken = true }
        if case .perform(let gesture) = try WireJSON.request(method, request.compact),
            let step = gesture.gesture?.step
        {
            draft.add(step, view: gesture.viewId)
        } else {
            let readable = MessageTree(keepsDefaults: false).tree(
                request.compact, of: method.request)
            draft.add(call: method, readable.compact)
        }
        pending[key] = Pending(step: draft.count - 1, method: method)
        return false
    }

    private mutating func end(_ frame: MonitoredFrame, _ key: String) -> Bool {
        guard let waited = pending.removeValue(forKey: key),
            let answer = try? JSONTreeReader.read(frame.text)
        else { return false }
        var step = waited.step
        if waited.isOvertaken, draft.canWait(step) {
            // What came meanwhile came of the request that ended the waiting.
            count += 1
            step = draft.addAwait(of: step, name: "\(waited.method.name)_\(count)")
        } else {
            give(to: step)
        }
        if let error = answer["error"] {
            draft.fail(Generalizing.error(Self.readable(error)), at: step)
        } else if let reply = answer[waited.method.jsonName] {
            draft.capture(reply, of: waited.method, at: step)
        }
        return waited.method.name == "close_device"
    }

    /// An error of line mode with the members by which a scenario knows it.
    private static func readable(_ error: JSONNode) -> JSONNode {
        if let code = error["sdk"]?["code"] { return .object([("sdk", code)]) }
        return .object([("bridge", error["bridge"] ?? .string("INTERNAL"))])
    }
}
