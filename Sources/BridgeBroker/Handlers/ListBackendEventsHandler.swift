import BridgeProtocol
import FlowEngine
import SDKCore

/// `list_backend_events`: what the SDK of a device would have sent to its own service, in pages
/// (NAV-16, PL-30, OB-50).
enum ListBackendEventsHandler {
    /// The token of a page is the number of its first event.
    ///
    /// - Throws: NOT_FOUND for an unknown device, INVALID_ARGUMENT for a token that no answer gave.
    static func handle(_ request: ListBackendEventsRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let device = try context.deviceOpenOrClosed(named: request.device)
        let first = try firstNumber(request.pageToken)
        let size = Page.length(request.pageSize, context.broker.limits)
        // One more than the page tells whether there is another.
        let found = context.broker.backend.events(
            from: first, device: device.name, limit: size + 1)
        return .now(
            .listBackendEvents(
                with(ListBackendEventsReply()) {
                    $0.events = found.prefix(size).map { BridgeProtocol.BackendEvent($0) }
                    $0.nextPageToken = found.count > size ? String(found[size].number) : ""
                }))
    }

    private static func firstNumber(_ token: String) throws(BridgeError) -> UInt64 {
        if token.isEmpty { return 0 }
        guard let number = UInt64(token) else {
            throw Page.tokenFault(token, "list_backend_events")
        }
        return number
    }
}

extension BridgeProtocol.BackendEvent {
    /// The event as a message; properties in the order of their names (GEN-3).
    fileprivate init(_ recorded: RecordedBackendEvent) {
        self.init()
        name = recorded.event.name
        timeMs = recorded.time.ms
        device = recorded.device
        profileId = recorded.profileID
        properties = recorded.event.properties
            .sorted { $0.key.precedesInBytes($1.key) }
            .map { key, value in
                with(PropertiesEntry()) {
                    $0.key = key
                    $0.value.kind = Value.Kind(value)
                }
            }
    }
}
