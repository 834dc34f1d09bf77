import BridgeProtocol
import SDKCore

/// `get_onboarding` (PL-6, PL-80).
enum GetOnboardingHandler {
    static func handle(_ request: GetOnboardingRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let fetch = FetchRequest(
            placementID: request.placementId, locale: request.locale, policy: request.fetchPolicy,
            maxAgeMs: request.maxAgeMs, loadTimeoutMs: request.loadTimeoutMs)
        return try context.start(.getOnboarding(fetch)) { answer in
            guard case .onboarding(let onboarding) = answer else { return .mismatch(answer) }
            return .getOnboarding(
                with(GetOnboardingReply()) {
                    $0.onboarding = BridgeProtocol.Onboarding(onboarding)
                })
        }
    }
}
