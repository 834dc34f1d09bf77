import BridgeProtocol
import SDKCore

/// `post_onboarding_message`: a message as the web view of an onboarding posts it (OB-52 to OB-54).
enum PostOnboardingMessageHandler {
    /// A message that is dropped is no error: the reply says so, and the log why (OB-14).
    ///
    /// - Throws: NOT_FOUND, INVALID_ARGUMENT, WRONG_STATE or LIMIT_EXCEEDED where nothing can be
    ///   posted.
    static func handle(_ request: PostOnboardingMessageRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let device = try context.device()
        let dropped = try context.broker.drive(device) {
            (core, now, outputs) throws(DeviceFault) in
            try core.postOnboardingMessage(
                request.json, to: request.viewId, at: now, outputs: &outputs)
        }
        if let dropped {
            context.broker.log(
                .notice, "onboarding_message_dropped",
                [("device", device.name), ("view", request.viewId), ("reason", dropped)])
        }
        return .now(
            .postOnboardingMessage(
                with(PostOnboardingMessageReply()) { $0.delivered = dropped == nil }))
    }
}
