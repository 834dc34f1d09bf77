import BridgeProtocol
import SDKCore

/// `dismiss` (VW-9 to VW-14).
enum DismissHandler {
    static func handle(_ request: DismissRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let closed = try context.broker.drive(context.device()) {
            (core, now, outputs) throws(DeviceFault) in
            try core.dismiss(
                request.viewId, destroy: request.destroy, at: now, outputs: &outputs)
        }
        return .now(
            .dismiss(with(DismissReply()) { $0.closedViewId = closed?.description ?? "" }))
    }
}
