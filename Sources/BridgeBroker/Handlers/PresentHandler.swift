import BridgeProtocol
import SDKCore

/// `present` (VW-3 to VW-7, VW-25).
enum PresentHandler {
    static func handle(_ request: PresentRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        try context.broker.drive(context.device()) { (core, now, outputs) throws(DeviceFault) in
            try core.present(request.viewId, at: now, outputs: &outputs)
        }
        return .now(.present(PresentReply()))
    }
}
