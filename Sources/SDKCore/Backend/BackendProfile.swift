/// A profile as the backend keeps it: a plain value, out of which it is made again.
public struct BackendProfile: Sendable, Equatable, Codable {
    /// The backend's copy (PRO-28).
    public var record: ProfileRecord
    /// The variations that were recorded for it (PL-28).
    public var variations: [RecordedVariation]
    /// Where it stands with cross-placement tests (PL-32).
    public var crossPlacement: CrossPlacementState

    /// A drawn variation.
    public struct RecordedVariation: Sendable, Equatable, Codable {
        /// Of which audience.
        public var audienceVersionID: String
        /// What was drawn.
        public var variationID: String
    }
}

/// The profiles that were written since they were last taken: each once.
///
/// Bounds: as many as there are profiles.
final class ChangedProfiles {
    private var profiles: [StoredProfile] = []

    var isEmpty: Bool { profiles.isEmpty }

    func note(_ profile: StoredProfile) {
        if profile.isChanged { return }
        profile.isChanged = true
        profiles.append(profile)
    }

    func take() -> [StoredProfile] {
        defer { profiles = [] }
        for profile in profiles { profile.isChanged = false }
        return profiles
    }
}

extension Backend {
    /// Whether a profile was written since `takeChangedProfiles`.
    public var hasChangedProfiles: Bool { !changedProfiles.isEmpty }

    /// The profiles that were written since the last call, as they are now.
    public func takeChangedProfiles() -> [BackendProfile] {
        changedProfiles.take().map(\.stored)
    }
}
