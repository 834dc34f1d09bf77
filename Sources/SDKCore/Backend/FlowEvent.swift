import FlowEngine

extension BackendEvent {
    /// Params of an event that say where it goes and what it is; the rest is told as it stands.
    private static let reservedKeys = ["name", "instanceId", "isCustomerEvent", "isBackendEvent"]

    /// What the backend gets of a flow: one event for all, which says in `event_type` what it is
    /// and in `screen_id` where (NAV-16).
    static func flowEvent(
        _ type: String, params: [String: ParamValue], of document: FlowDocument,
        variationID: String
    ) -> BackendEvent {
        var properties = params
        for key in reservedKeys { properties[key] = nil }
        properties["event_type"] = .string(type)
        if properties["screen_id"] == nil, case .string(let screen)? = params["instanceId"] {
            properties["screen_id"] = .string(screen)
        }
        properties["variation_id"] = .string(variationID)
        properties["flow_version_id"] = .string(document.content.id)
        return BackendEvent(name: "flow_event", properties: properties)
    }
}
