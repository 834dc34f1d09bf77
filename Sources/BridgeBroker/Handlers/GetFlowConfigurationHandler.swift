import BridgeProtocol
import FlowEngine
import SDKCore

/// `get_flow_configuration` (FC-1 to FC-14, FC-22).
enum GetFlowConfigurationHandler {
    static func handle(_ request: GetFlowConfigurationRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let call = ConfigurationRequest(
            variationID: request.variationId, locale: request.locale,
            tags: Dictionary(
                request.tags.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last }),
            timers: Dictionary(
                request.timers.map { ($0.key, Instant(ms: $0.value)) },
                uniquingKeysWith: { _, last in last }),
            products: request.products?.vendorProductIds, loadTimeoutMs: request.loadTimeoutMs)
        return try context.start(.getFlowConfiguration(call)) { answer in
            guard case .flowConfiguration(let id, let versionID, let locale) = answer else {
                return .mismatch(answer)
            }
            return .getFlowConfiguration(
                with(GetFlowConfigurationReply()) {
                    $0.configurationId = id
                    $0.id = versionID
                    $0.locale = locale.id
                    $0.isRightToLeft = locale.isRightToLeft
                })
        }
    }
}
