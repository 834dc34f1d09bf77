import BridgeProtocol
import SDKCore

/// `restore_purchases` (ACT-32).
enum RestorePurchasesHandler {
    static func handle(_ context: RequestContext) throws(BridgeError) -> Reply {
        try context.start(.restorePurchases) { answer in
            guard case .profile(let profile) = answer else { return .mismatch(answer) }
            return .restorePurchases(
                with(RestorePurchasesReply()) { $0.profile = BridgeProtocol.Profile(profile) })
        }
    }
}
