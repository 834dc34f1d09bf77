import BridgeProtocol

extension TestClient {
    /// Takes the events that have come, each as one comparable line.
    func takeStory() -> [String] {
        takeEvents().map(\.story)
    }

    func inspectProfile() throws -> InspectProfileReply {
        let reply = try call(.inspectProfile(InspectProfileRequest()))
        guard case .inspectProfile(let record) = reply else { throw Unexpected(reply) }
        return record
    }
}

extension Event {
    /// The kind, and what tells one event of it from another.
    var story: String {
        guard let kind else { return "nothing" }
        switch kind {
        case .didReceiveAnalyticEvent(let event): return "\(event.name) \(event.payloadJson)"
        case .didPerformAction(let action):
            switch action.kind {
            case .close: return "did_perform_action close"
            case .openUrl: return "did_perform_action open_url \(action.url)"
            default: return "did_perform_action custom \(action.customId)"
            }
        case .didFinishLoading(let event): return "did_finish_loading \(event.payloadJson)"
        case .onCloseAction(let event): return "on_close_action \(event.payloadJson)"
        case .onPaywallAction(let event): return "on_paywall_action \(event.payloadJson)"
        case .onCustomAction(let event): return "on_custom_action \(event.payloadJson)"
        case .onStateUpdatedAction(let event):
            return "on_state_updated_action \(event.payloadJson)"
        case .onAnalyticsEvent(let event): return "on_analytics_event \(event.payloadJson)"
        default: return kind.name
        }
    }
}
