import BridgeProtocol
import SDKCore

/// `enter_background` and `enter_foreground`: the app leaves the screen and comes back.
enum BackgroundHandler {
    static func enterBackground(_ context: RequestContext) throws(BridgeError) -> Reply {
        try context.broker.drive(context.device()) { (core, now, outputs) throws(DeviceFault) in
            try core.enterBackground(at: now, outputs: &outputs)
        }
        return .now(.enterBackground(EnterBackgroundReply()))
    }

    static func enterForeground(_ context: RequestContext) throws(BridgeError) -> Reply {
        try context.broker.drive(context.device()) { (core, now, outputs) throws(DeviceFault) in
            try core.enterForeground(at: now, outputs: &outputs)
        }
        return .now(.enterForeground(EnterForegroundReply()))
    }
}
