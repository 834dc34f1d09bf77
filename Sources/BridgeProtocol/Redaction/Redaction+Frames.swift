extension Redaction {
    /// A frame of the broker as line mode prints it, with the values hidden (GEN-7).
    public static func text(of frame: ServerFrame) -> String {
        if case .event(var event) = frame.body {
            event.kind = event.kind.map(hidingPayloads)
            let kind = event.kind?.name ?? ""
            let params = analyticParams(event)
            return JSONText.redacted(FrameJSON.line(of: with(frame) { $0.body = .event(event) })) {
                path, type in
                guard type != .null, path.first == "event" else { return false }
                return isHidden(Array(path.dropFirst()), kind, params)
            }
        }
        return JSONText.redacted(FrameJSON.line(of: frame)) { path, type in
            type != .null && isHiddenOfAnswer(path)
        }
    }

    /// A frame of a client as line mode prints it, with the values hidden (GEN-7).
    ///
    /// - Throws: INVALID_ARGUMENT when a string holds a NUL.
    public static func text(of frame: ClientFrame) throws(BridgeError) -> String {
        JSONText.redacted(try FrameJSON.line(of: frame)) { path, type in
            type != .null && isHiddenOfRequest(path)
        }
    }

    /// Requests that hold what users are, typed or chose, with the members of them that tell
    /// nothing of that.
    private static let personalRequests: [String: Set<String>] = [
        "perform": ["viewId", "elementId", "linkIndex", "tabId"],
        "updateProfile": [], "identify": [], "activate": ["activateUi", "observerMode"],
        "postOnboardingMessage": ["viewId"], "answer": ["questionId"],
    ]

    private static func isHiddenOfRequest(_ path: JSONText.Path) -> Bool {
        guard let method = path.first, let last = path.last else { return false }
        if isAttribute(path) { return true }
        guard let plain = personalRequests[method] else { return false }
        return path.count > 1 && !plain.contains(last)
    }

    /// Members of answers that hold such values; all below them is hidden.
    private static let personalMembers: [String: Set<String>] = [
        "getScreen": ["value", "selected"],
        "inspectProfile": [
            "firstName", "lastName", "email", "phoneNumber", "gender", "birthday", "attStatus",
            "age",
        ],
        "listBackendEvents": ["properties"],
    ]

    /// Events in a page of the record: their kinds are in the path.
    private static let personalEventMembers: Set<String> = [
        "params", "payloadJson", "payloadJsonOther", "select", "multiSelect", "input",
        "datePicker", "reply",
    ]

    private static func isHiddenOfAnswer(_ path: JSONText.Path) -> Bool {
        guard let method = path.first else { return false }
        if isAttribute(path) { return true }
        if method == "getEvents" {
            return path.dropFirst().contains { personalEventMembers.contains($0) }
        }
        guard let hidden = personalMembers[method] else { return false }
        return path.dropFirst().contains { hidden.contains($0) }
    }

    private static func isAttribute(_ path: JSONText.Path) -> Bool {
        if path.contains("customAttributes") { return path.last != "customAttributes" }
        return path.last == "customerUserId"
    }
}
