import FlowEngine

/// What a device tells the service, as the log keeps it: the usual ones by their parts, which the
/// documents hold anyway; their properties are made when somebody asks.
enum ServiceEvent: Sendable {
    /// A screen of a flow opened (NAV-16).
    case screenShowed(FlowDocument, instanceID: String, order: Int32, isLast: Bool)
    /// A content was taken (PL-30).
    case assigned(PlacementType, audienceVersionID: String)
    /// An event of a flow's own (NAV-15).
    case own(FlowDocument, BackendEvent)
    /// With all but the variation.
    case other(BackendEvent)
    /// As it was shown and stored before the broker was started anew.
    case stored(BackendEvent)

    /// As `list_backend_events` shows it.
    func event(variationID: String) -> BackendEvent {
        switch self {
        case .screenShowed(let document, let instanceID, let order, let isLast):
            return .flowEvent(
                "flow_screen_showed",
                params: [
                    "instanceId": .string(instanceID), "screen_order": .integer(Int64(order)),
                    "is_last_screen": .bool(isLast),
                ], of: document, variationID: variationID)
        case .own(let document, let event):
            return .flowEvent(
                event.name, params: event.properties, of: document, variationID: variationID)
        case .assigned(let type, let audienceVersionID):
            let name =
                type == .flow ? "flow_variation_assigned" : "onboarding_variation_assigned"
            return BackendEvent(
                name: name,
                properties: [
                    "variation_id": .string(variationID),
                    "placement_audience_version_id": .string(audienceVersionID),
                ])
        case .stored(let event): return event
        case .other(let event):
            var named = event
            named.properties["variation_id"] = .string(variationID)
            return named
        }
    }
}
