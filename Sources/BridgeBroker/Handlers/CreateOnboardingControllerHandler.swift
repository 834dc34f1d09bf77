import BridgeProtocol
import SDKCore

/// `create_onboarding_controller` (VW-1, VW-2, OB-15, OB-16).
enum CreateOnboardingControllerHandler {
    static func handle(_ request: CreateOnboardingControllerRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let handling = try SDKCore.ActionHandling(request.actionHandling)
        let view = try context.broker.drive(context.device()) { (core, _, _) throws(DeviceFault) in
            try core.createOnboardingController(
                configurationID: request.configurationId, handling: handling)
        }
        return .now(
            .createOnboardingController(
                with(CreateOnboardingControllerReply()) { $0.viewId = view.description }))
    }
}
