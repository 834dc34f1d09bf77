import FlowEngine

/// The simulated service of one broker: the catalog, every profile, the variations recorded for
/// them, and the backend events.
///
/// Isolation: one thread; the devices of the broker share it.
public final class Backend {
    /// What is served now.
    public private(set) var catalog: Catalog
    private(set) var profiles: [ExactText: StoredProfile] = [:]
    /// Those that were written since they were last taken to be stored.
    let changedProfiles = ChangedProfiles()
    private var profileIDs: [ExactText: String] = [:]
    private var log = BackendEventLog()
    /// Room for the effects of one input of a view, used again and again by all devices.
    var effects: [ViewEffect] = []

    /// Makes a service without profiles.
    public init(catalog: Catalog) {
        self.catalog = catalog
    }

    /// Serves another catalog from now on; profiles and recorded variations stay (PL-28).
    public func replaceCatalog(_ catalog: Catalog) {
        self.catalog = catalog
    }
}

/// A profile with what the backend recorded of its fetches.
final class StoredProfile {
    var record: ProfileRecord { didSet { changed.note(self) } }
    /// Variation by audience version id (PL-28).
    var assignments: [ExactText: String] = [:] { didSet { changed.note(self) } }
    var crossPlacement = CrossPlacementState() {
        didSet { if crossPlacement != oldValue { changed.note(self) } }
    }
    /// Whether it is among the changed ones.
    var isChanged = false
    private let changed: ChangedProfiles

    /// Makes a new one, which counts as changed.
    init(_ record: ProfileRecord, changed: ChangedProfiles) {
        self.record = record
        self.changed = changed
        changed.note(self)
    }

    /// Makes one that was stored.
    init(_ stored: BackendProfile, changed: ChangedProfiles) {
        record = stored.record
        for variation in stored.variations {
            assignments[ExactText(variation.audienceVersionID)] = variation.variationID
        }
        crossPlacement = stored.crossPlacement
        self.changed = changed
    }

    /// What is to be stored of it.
    var stored: BackendProfile {
        BackendProfile(
            record: record,
            variations: assignments.map {
                BackendProfile.RecordedVariation(
                    audienceVersionID: $0.key.text, variationID: $0.value)
            }, crossPlacement: crossPlacement)
    }
}

// MARK: - Profiles

extension Backend {
    /// The backend's copy of a profile; nil: unknown (PRO-28).
    public func profileRecord(_ profileID: String) -> ProfileRecord? {
        profiles[ExactText(profileID)]?.record
    }

    /// The same as it is at an instant: what a device with that clock is told.
    public func profileRecord(_ profileID: String, at now: Instant) -> ProfileRecord? {
        profileRecord(profileID)?.asOf(now)
    }

    /// How many profiles there are.
    public var profilesCount: Int { profiles.count }

    /// Whether a customer user ID has a profile.
    func knows(_ userID: String) -> Bool { profileIDs[ExactText(userID)] != nil }

    /// Creates an anonymous profile (ID-3).
    func create(_ profileID: String, at now: Instant) -> ProfileRecord {
        insert(profileID, customerUserID: "", at: now)
    }

    /// Gives a profile what was bought (ACT-22), also one that is not created yet.
    func take(
        _ transactions: [StoreTransaction], for profileID: String, at now: Instant
    ) -> ProfileRecord {
        let record = profileRecord(profileID) ?? create(profileID, at: now)
        var changed = record
        for transaction in transactions { changed.profile.take(transaction) }
        return replace(record, with: changed, at: now).asOf(now)
    }

    /// The profile of a customer user ID, found, attached or created (ID-5, ID-14 to ID-16).
    ///
    /// - Parameters:
    ///   - current: The device's profile, perhaps not created here yet.
    ///   - fresh: Draws the id of a new profile, when the current one cannot be used.
    func identify(
        _ userID: String, current: String, at now: Instant, fresh: () -> String
    ) -> ProfileRecord {
        if let known = profileIDs[ExactText(userID)], let record = profileRecord(known) {
            return record
        }
        guard let record = profileRecord(current) else {
            return insert(current, customerUserID: userID, at: now)
        }
        guard record.profile.customerUserID.isEmpty else {
            return insert(fresh(), customerUserID: userID, at: now)
        }
        profileIDs[ExactText(userID)] = current
        var named = record
        named.profile.customerUserID = userID
        return replace(record, with: named, at: now)
    }

    /// Applies an update; nothing of it when it fails (PRO-16, PRO-23).
    ///
    /// - Throws: `wrongParam` by PRO-16.
    func apply(
        _ change: ProfileChange, to profileID: String, today: CivilDate, at now: Instant
    ) throws(DeviceFault) -> ProfileRecord {
        let record = profileRecord(profileID) ?? create(profileID, at: now)
        return replace(record, with: try change.applied(to: record, today: today), at: now)
    }

    /// Replaces the attribution sources of a profile (PL-81).
    func setAttributionSources(_ sources: [String], of profileID: String, at now: Instant) {
        guard let record = profileRecord(profileID) else { return }
        var changed = record
        changed.profile.appliedAttributionSources = sources
        _ = replace(record, with: changed, at: now)
    }

    /// Takes over a profile that was stored, before anything is asked for.
    public func restore(_ stored: BackendProfile) {
        let profile = stored.record.profile
        profiles[ExactText(profile.profileID)] = StoredProfile(stored, changed: changedProfiles)
        if !profile.customerUserID.isEmpty {
            profileIDs[ExactText(profile.customerUserID)] = profile.profileID
        }
    }

    private func insert(
        _ profileID: String, customerUserID: String, at now: Instant
    ) -> ProfileRecord {
        var record = ProfileRecord(profile: Profile(profileID: profileID))
        record.profile.customerUserID = customerUserID
        record.profile.versionMs = now.ms
        profiles[ExactText(profileID)] = StoredProfile(record, changed: changedProfiles)
        if !customerUserID.isEmpty { profileIDs[ExactText(customerUserID)] = profileID }
        return record
    }

    /// Stores a changed record under a later version; one without a change stays as it is.
    private func replace(
        _ old: ProfileRecord, with new: ProfileRecord, at now: Instant
    ) -> ProfileRecord {
        if new.hasSameContent(as: old) { return old }
        var record = new
        record.profile.versionMs = max(now.ms, old.profile.versionMs + 1)
        profiles[ExactText(old.profile.profileID)]?.record = record
        return record
    }
}

// MARK: - Backend events

extension Backend {
    /// Events with that number or a later one, oldest first; of one device if it is named.
    public func events(
        from number: UInt64 = 0, device: String? = nil, limit: Int
    ) -> [RecordedBackendEvent] {
        log.events(from: number, device: device, limit: limit)
    }

    func record(_ entry: BackendEventLog.Entry) {
        log.append(entry)
    }

    /// Whether events came since `takeNewEvents`.
    public var hasNewEvents: Bool { log.hasNew }

    /// The events that came since the last call, to be stored; of more than
    /// `SDKLimits.backendEventsMax` the last.
    public func takeNewEvents() -> [RecordedBackendEvent] { log.takeNew() }

    /// Takes over events that were stored, oldest first, before anything is asked for; numbers go
    /// on behind them.
    public func restore(_ events: [RecordedBackendEvent]) { log.restore(events) }
}
