import FlowEngine

/// Whether the SDK was activated on a device, and by whom.
enum ActivationState: Sendable, Equatable {
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
    /// Kept with the profile, apart from the backend's copy (PRO-7).
    var isAnalyticsDisabled = false
    /// What the update under way replaced; updates run one after the other (PRO-24).
    var wasAnalyticsDisabled = false
    /// While the profile is being created or identified at the backend (ID-30).
    var creation: ProfileCreation?

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

/// The attempts to create or identify the profile at the backend (ID-20, ID-30).
struct ProfileCreation: Sendable, Equatable {
    /// Empty: an anonymous profile.
    let customerUserID: String
    var phase: Phase

    enum Phase: Sendable, Equatable {
        /// The backend was asked; its answer comes then.
        case asking(until: Instant, succeeds: Bool)
        /// The next attempt comes then.
        case pausing(until: Instant)
    }

    /// When something happens by itself; nil: no attempt can succeed before the conditions change.
    func due(alwaysFails: Bool) -> Instant? {
        switch phase {
        case .asking(let until, _): until
        case .pausing(let until): alwaysFails ? nil : until
        }
    }
}
