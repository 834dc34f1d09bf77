import FlowEngine

/// What an installation keeps while its app does not run (GEN-11): a plain value, out of which the
/// device is made again.
///
/// Limits: those of its parts (`fetchedContentsMax`, `cachedPlacementsMax`, `keptTimersMax`,
/// `ownedProductsMax`, `pendingPurchasesMax`). Texts in it are compared by
/// `==` as the standard library does, not code point by code point: to tell whether something
/// changed is not what it is for.
public struct StoredDeviceState: Sendable, Equatable, Codable {
    /// nil: none was given yet; an empty one is a key too (ID-7).
    public var apiKey: String?
    /// Of the named profile; empty: none (ID-6, ID-13).
    public var appAccountToken = ""
    /// The device's copy of its profile, with what the app cannot read; nil: a fresh installation.
    public var profile: ProfileRecord?
    /// Whether the backend has that profile; else its creation begins with the next `activate`
    /// (ID-9, ID-30).
    public var isProfileCreated = false
    /// The device's own choice, apart from the backend's copy (PRO-7).
    public var isAnalyticsDisabled = false
    /// What was fetched for the profile, the latest last.
    public var fetched: [FetchedContent] = []
    /// The content of the profile's placements, the latest last (PL-44).
    public var cached: [CachedPlacement] = []
    /// Ends of persisted timers, by timer id (FC-15).
    public var persistedTimers: [String: Instant] = [:]
    /// What the user owns in the store, whatever the profile.
    public var account = StoreAccount()
    /// The seed that ids were drawn from, and how far; another seed begins anew (VW-1).
    public var seed: UInt64 = 0
    /// The state of the generator of that seed.
    public var generatorState: UInt64 = 0
    /// What the running process of the app adds; nil: it has ended, so the device is not activated
    /// (ID-4). A restart of the broker ends no process (GEN-11).
    public var process: AppProcess?

    /// Makes a state without a profile.
    public init() {}
}

/// What ends with the process of an app, apart from its views, `continue` timers and waiting calls.
public struct AppProcess: Sendable, Equatable, Codable {
    /// Whether and by whom the SDK was activated.
    public var activation = ActivationState.none
    /// ID-8.
    public var isUIActivated = false
    /// Whether the app buys by itself (ACT-47).
    public var isObserver = false
    /// VW-22, VW-28.
    public var isInBackground = false
    /// A creation of the profile under way, which goes on (ID-31); nil: none.
    public var creation: ProfileCreation?

    /// Makes a process that has called nothing yet.
    public init() {}
}
