import BridgeProtocol
import FlowEngine
import SDKCore

/// `perform`: one movement of the finger (GEN-6).
enum PerformHandler {
    /// - Throws: INVALID_ARGUMENT without a gesture; NOT_FOUND, WRONG_STATE, INVALID_ARGUMENT or
    ///   LIMIT_EXCEEDED for an impossible one, which changed nothing.
    static func handle(
        _ request: consuming PerformRequest, _ context: RequestContext
    ) throws(BridgeError) -> Reply {
        let viewID = request.viewId
        guard let asked = request.gesture.take() else {
            throw BridgeError(.invalidArgument, "perform has no gesture", field: "perform.gesture")
        }
        let device = try context.device()
        guard let gesture = Gesture(asked) else {
            try context.broker.drive(device) { (core, now, outputs) throws(DeviceFault) in
                try core.dismissBySystem(viewID, at: now, outputs: &outputs)
            }
            return .now(.perform(PerformReply()))
        }
        let view = device.touchedView.id(of: viewID)
        try context.broker.drive(device) { (core, now, outputs) throws(DeviceFault) in
            if let view {
                try core.perform(gesture, on: view, at: now, outputs: &outputs)
            } else {
                try core.perform(gesture, on: viewID, at: now, outputs: &outputs)
            }
        }
        return .now(.perform(PerformReply()))
    }
}
