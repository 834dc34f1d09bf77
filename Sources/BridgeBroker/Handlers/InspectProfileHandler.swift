import BridgeProtocol
import FlowEngine
import SDKCore

/// `inspect_profile`: the backend's copy of a profile, with what the SDK does not give back
/// (PRO-28).
enum InspectProfileHandler {
    /// - Throws: NOT_FOUND for an unknown profile, and when the device has none yet.
    static func handle(_ request: InspectProfileRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let record = try record(request.profileId, context)
        return .now(.inspectProfile(InspectProfileReply(record)))
    }

    private static func record(
        _ profileID: String, _ context: RequestContext
    ) throws(BridgeError) -> ProfileRecord {
        let broker = context.broker
        if !profileID.isEmpty {
            let now = context.session.device.map { broker.now(of: $0) }
            let record = broker.backend.profileRecord(
                profileID, at: now ?? Instant(ms: broker.wallMs()))
            if let record { return record }
            throw BridgeError(
                .notFound, "the backend has no profile \"\(profileID)\"",
                field: "inspect_profile.profile_id")
        }
        let device = try context.device()
        if let record = device.core.profileRecord(at: broker.now(of: device)) { return record }
        throw BridgeError(
            .notFound, "device \(device.name) has no profile yet; activate it first",
            field: "inspect_profile.profile_id")
    }
}
