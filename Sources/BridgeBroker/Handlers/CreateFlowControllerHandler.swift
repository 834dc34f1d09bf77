import BridgeProtocol
import SDKCore

/// `create_flow_controller` (VW-1, VW-2, ACT-2).
enum CreateFlowControllerHandler {
    static func handle(_ request: CreateFlowControllerRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let handling = try SDKCore.ActionHandling(request.actionHandling)
        let view = try context.broker.drive(context.device()) { (core, _, _) throws(DeviceFault) in
            try core.createFlowController(
                configurationID: request.configurationId, handling: handling)
        }
        return .now(
            .createFlowController(
                with(CreateFlowControllerReply()) { $0.viewId = view.description }))
    }
}
