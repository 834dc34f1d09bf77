import BridgeProtocol
import SDKCore

/// `activate` (ID-1 to ID-10).
enum ActivateHandler {
    static func handle(_ request: ActivateRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let activation = Activation(
            apiKey: request.apiKey, customerUserID: request.customerUserId,
            appAccountToken: request.appAccountToken, activatesUI: request.activateUi ?? true,
            observerMode: request.observerMode)
        return try context.start(.activate(activation)) { _ in .activate(ActivateReply()) }
    }
}
