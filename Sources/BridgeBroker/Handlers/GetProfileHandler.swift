import BridgeProtocol
import SDKCore

/// `get_profile` (ID-25).
enum GetProfileHandler {
    static func handle(_ context: RequestContext) throws(BridgeError) -> Reply {
        try context.start(.getProfile) { answer in
            guard case .profile(let profile) = answer else { return .mismatch(answer) }
            return .getProfile(
                with(GetProfileReply()) { $0.profile = BridgeProtocol.Profile(profile) })
        }
    }
}
