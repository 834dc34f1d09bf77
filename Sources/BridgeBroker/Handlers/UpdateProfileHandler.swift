import BridgeProtocol
import SDKCore

/// `update_profile` (PRO).
enum UpdateProfileHandler {
    static func handle(_ request: UpdateProfileRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        try context.start(.updateProfile(ProfileUpdate(request))) { _ in
            .updateProfile(UpdateProfileReply())
        }
    }
}
