import BridgeProtocol
import SDKCore

/// `get_onboarding_configuration` (OB-57).
enum GetOnboardingConfigurationHandler {
    static func handle(_ request: GetOnboardingConfigurationRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let call = SDKCall.getOnboardingConfiguration(
            variationID: request.variationId,
            opensExternalBrowser: request.externalUrlsPresentation == .externalBrowser)
        return try context.start(call) { answer in
            guard case .onboardingConfiguration(let id, let onboardingID) = answer else {
                return .mismatch(answer)
            }
            return .getOnboardingConfiguration(
                with(GetOnboardingConfigurationReply()) {
                    $0.configurationId = id
                    $0.id = onboardingID
                })
        }
    }
}
