/// Hides what users typed and chose, and attributes of profiles (GEN-7). Keys and types stay.
public enum Redaction {
    /// The event as line mode prints it, with the values hidden.
    public static func text(of event: Event) -> String {
        var event = event
        event.kind = event.kind.map(hidingPayloads)
        let kind = event.kind?.name ?? ""
        let params = analyticParams(event)
        return JSONText.redacted(FrameJSON.member(of: .event(event))) { path, type in
            type != .null && isHidden(path, kind, params)
        }
    }

    /// Params of an analytic event that tell no value of a user.
    private static let plainParams: Set<String> = [
        "name", "instanceId", "isBackendEvent", "isCustomerEvent", "element_id", "element_type",
    ]

    /// Members of an onboarding's JSON that tell no value of a user, in both spellings.
    private static let plainMembers: Set<String> = [
        "element_id", "elementId", "element_type", "elementType", "type", "name", "action_id",
        "actionId",
    ]

    /// The params of an event that may be shown; nil: all.
    static func analyticParams(_ event: Event) -> Set<String>? {
        guard case .didReceiveAnalyticEvent(let analytic) = event.kind,
            analytic.name != "flow_screen_showed"
        else { return nil }
        return plainParams
    }

    static func isHidden(
        _ path: JSONText.Path, _ kind: String, _ params: Set<String>?
    ) -> Bool {
        if path.contains("customAttributes") { return path.last != "customAttributes" }
        if path.last == "customerUserId" { return true }
        guard path.count > 1 else { return false }
        switch kind {
        case "did_receive_analytic_event":
            guard let params, path.count > 2, path[1] == "params" else { return false }
            return !params.contains(path[2])
        case "on_state_updated_action":
            return ["select", "multiSelect", "input", "datePicker"].contains(path[1])
        case "on_analytics_event":
            return path[1] == "reply"
        default:
            return false
        }
    }

    static func hidingPayloads(_ kind: Event.Kind) -> Event.Kind {
        switch kind {
        case .didReceiveAnalyticEvent(var event) where event.name != "flow_screen_showed":
            event.payloadJson = JSONText.redacted(event.payloadJson) { path, _ in
                path.first.map { !plainParams.contains($0) } ?? true
            }
            return .didReceiveAnalyticEvent(event)
        case .onStateUpdatedAction(var action):
            action.payloadJson = hidingMembers(action.payloadJson)
            action.payloadJsonOther = hidingMembers(action.payloadJsonOther)
            return .onStateUpdatedAction(action)
        case .onAnalyticsEvent(var event):
            event.payloadJson = hidingMembers(event.payloadJson)
            event.payloadJsonOther = hidingMembers(event.payloadJsonOther)
            return .onAnalyticsEvent(event)
        default:
            return kind
        }
    }

    private static func hidingMembers(_ json: String) -> String {
        JSONText.redacted(json) { path, _ in
            guard let last = path.last, path.first != "meta" else { return path.isEmpty }
            // Ids of options are values too: an id counts as plain outside of them only.
            return !(plainMembers.contains(last) && path.count <= 2)
        }
    }
}
