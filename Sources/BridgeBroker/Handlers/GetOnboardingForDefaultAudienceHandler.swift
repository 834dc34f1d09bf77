import BridgeProtocol
import SDKCore

/// `get_onboarding_for_default_audience` (PL-79).
enum GetOnboardingForDefaultAudienceHandler {
    static func handle(
        _ request: GetOnboardingForDefaultAudienceRequest, _ context: RequestContext
    ) throws(BridgeError) -> Reply {
        let fetch = FetchRequest(
            placementID: request.placementId, locale: request.locale, policy: request.fetchPolicy,
            maxAgeMs: request.maxAgeMs)
        return try context.start(.getOnboardingForDefaultAudience(fetch)) { answer in
            guard case .onboarding(let onboarding) = answer else { return .mismatch(answer) }
            return .getOnboardingForDefaultAudience(
                with(GetOnboardingForDefaultAudienceReply()) {
                    $0.onboarding = BridgeProtocol.Onboarding(onboarding)
                })
        }
    }
}
