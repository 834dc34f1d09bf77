import BridgeProtocol
import SDKCore

/// `destroy_view` (VW-15).
enum DestroyViewHandler {
    static func handle(_ request: DestroyViewRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        try context.broker.drive(context.device()) { (core, now, outputs) throws(DeviceFault) in
            try core.destroyView(request.viewId, at: now, outputs: &outputs)
        }
        return .now(.destroyView(DestroyViewReply()))
    }
}
