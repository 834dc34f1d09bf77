import FlowEngine

/// Whether the SDK was activated on a device, and by whom.
public enum ActivationState: Sendable, Equatable, Codable {
    case none
    /// The device `default` did it by itself; one explicit `activate` may follow (ID-34).
    case automatic
    case explicit
}

/// Who a device is: its activation and the profile it stores (ID).
struct DeviceIdentity: Sendable {
    var activation = ActivationState.none
    var isUIActivated = false
    var isObserver = false
    /// nil: none was given yet; an empty one is a key too (ID-7).
    var apiKey: String?
    var appAccountToken = ""
    /// The device's copy, with what the app cannot read; nil: a fresh device (ID-27, PRO-31).
    var stored: ProfileRecord?
    /// Whether the backend has the stored profile.
    var isCreated = false
    /// Kept with the profile, apart from the backend's copy (PRO-7).
    var isAnalyticsDisabled = false
    /// What the update under way replaced; updates run one after the other (PRO-24).
    var wasAnalyticsDisabled = false
    /// While the profile is being created or identified at the backend (ID-30).
    @Boxed var creation: ProfileCreation?

    init() {}

    /// Takes over what the device stored; a creation under way goes on at once.
    init(_ state: StoredDeviceState, at now: Instant) {
        apiKey = state.apiKey
        appAccountToken = state.appAccountToken
        stored = state.profile
        isCreated = state.isProfileCreated
        isAnalyticsDisabled = state.isAnalyticsDisabled
        guard let process = state.process else { return }
        activation = process.activation
        isUIActivated = process.isUIActivated
        isObserver = process.isObserver
        creation = process.creation
        creation?.phase = .pausing(until: now)
    }

    /// Whether a creation is under way.
    var isCreating: Bool { !_creation.isEmpty }

    var profileID: String { stored?.profile.profileID ?? "" }

    /// Takes the backend's copy if it is of the same profile and not older (ID-27).
    ///
    /// - Returns: Whether the content changed.
    mutating func adopt(_ record: ProfileRecord) -> Bool {
        guard let old = stored, old.profile.profileID == record.profile.profileID,
            old.profile.versionMs <= record.profile.versionMs
        else { return false }
        stored = record
        return !record.hasSameContent(as: old)
    }
}
