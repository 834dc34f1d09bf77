import FlowEngine

/// One installation of an app with the SDK in it: who it is, what it fetched, its views on screen.
///
/// A pure state machine: it knows no clock and does no I/O. Each call comes with the present
/// instant of the device's clock; what is due until then runs first, in order of due time. An
/// instant before the last one counts as the last one.
///
/// Isolation: one thread, that of its backend.
public struct SDKDevice {
    /// What the installation was made with, and what its user changed since.
    public internal(set) var configuration: DeviceConfiguration
    /// Whether the app's process runs (GEN-11).
    public internal(set) var isOpen = true
    /// Whether the app is in the background (VW-22, VW-28).
    public internal(set) var isInBackground = false

    /// When the device next does something by itself; nil: never, as it stands.
    ///
    /// Kept rather than computed, as it is asked after each call.
    public internal(set) var nextDue: Instant?

    let backend: Backend
    /// Holds the last instant that the device was told.
    var environment: ViewEnvironment
    var generator: SeededGenerator
    var identity = DeviceIdentity()
    var conditions = ServerConditions()
    /// In the order of arrival.
    var calls: [WaitingCall] = []
    /// The calls of several fetches; these wait in `calls` under their id (PL-59).
    var preloads: [CallID: Preload] = [:]
    /// A call went that others may have waited behind; they start at the next `advance`.
    var needsRelease = false
    var fetched = FetchedContents()
    var cache = PlacementCache()
    /// Changes of both before the device was made out of what it stored.
    var formerFetchedWrites: UInt64 = 0
    var documents = ViewDocuments()
    /// In force for this process of the app; nil: none was set (PL-70).
    public internal(set) var fallbackFile: (any FallbackFile)?
    /// The calls whose fallback files are being read.
    var filesBeingRead: [CallID] = []
    var configurations = ViewConfigurations()
    var stack = ViewStack()
    /// Ends of `continue` and `persisted` timers (FC-15).
    var keptTimers = KeptTimers()
    var store = StoreState()
    var questions = QuestionRegister()
    /// Results of what flows asked for, until they are told.
    var flowResults: [FlowResult] = []
    /// Effects of a view are being delivered: results wait until they are.
    var isDelivering = false

    /// Makes a device: a fresh installation, not activated, or one out of what it stored.
    ///
    /// Reports `deviceOpened`, unless the state is that of a process that still runs.
    ///
    /// - Parameters:
    ///   - conditions: What its calls meet.
    ///   - fallbackFile: The file in force of a process that still runs (GEN-11, PL-70).
    public init(
        configuration: DeviceConfiguration, backend: Backend, state: StoredDeviceState? = nil,
        conditions: StoredConditions = StoredConditions(),
        fallbackFile: (any FallbackFile)? = nil,
        at now: Instant, outputs: inout [DeviceOutput]
    ) {
        self.init(configuration: configuration, backend: backend, state: state, now: now)
        self.conditions = ServerConditions(conditions)
        store.conditions = StoreConditions(conditions)
        self.fallbackFile = fallbackFile
        if state?.process == nil { outputs.append(.callback(.deviceOpened)) }
    }

    init(
        configuration: DeviceConfiguration, backend: Backend, state: StoredDeviceState?,
        now: Instant
    ) {
        self.configuration = configuration
        self.backend = backend
        environment = ViewEnvironment(now: now, zone: configuration.zone)
        generator = SeededGenerator(seed: configuration.seed, name: configuration.name)
        guard let state else { return }
        if state.seed == configuration.seed { generator.state = state.generatorState }
        identity = DeviceIdentity(state, at: now)
        isInBackground = state.process?.isInBackground ?? false
        fetched = FetchedContents(state.fetched)
        cache = PlacementCache(state.cached)
        keptTimers = KeptTimers(persisted: state.persistedTimers)
        store.account = state.account
        reckonDue()
    }

    /// Whether `activate` was called, by the app or by the device itself (ID-1, ID-34).
    public var isActivated: Bool { identity.activation != .none }

    /// The backend's copy of the device's profile, as it was at the last instant that the device
    /// was told; nil: there is none (PRO-28).
    public var profileRecord: ProfileRecord? { profileRecord(at: now) }

    /// The same as it is at another instant.
    public func profileRecord(at now: Instant) -> ProfileRecord? {
        backend.profileRecord(identity.profileID, at: now)
    }

    /// The views, in the order of their creation.
    public var views: [ViewSummary] { stack.views.map(\.summary) }

    /// The views on screen, the covered one first.
    public var shownViews: [ViewID] { stack.shown }

    /// Grows when what was fetched, or what is cached of it, changes.
    var fetchedWrites: UInt64 { formerFetchedWrites + fetched.writes + cache.writes }

    /// The last instant that the device was told.
    var now: Instant { environment.now }

    /// Changes what the next calls meet.
    ///
    /// The caller advances the device first, and asks for `nextDue` afterwards.
    ///
    /// - Throws: LIMIT_EXCEEDED for more than `SDKLimits.conditionsMax` conditions, INVALID_ARGUMENT
    ///   and NOT_FOUND for one that the store cannot meet; then nothing changed.
    public mutating func setConditions(_ change: ConditionsChange) throws(DeviceFault) {
        defer { reckonDue() }
        var ofStore = store.conditions
        try ofStore.apply(change, backend.catalog)
        try conditions.apply(change)
        store.conditions = ofStore
        if let sources = change.appliedAttributionSources {
            backend.setAttributionSources(sources, of: identity.profileID, at: now)
        }
        skipMissedAttempts()
    }

    /// Records a backend event, unless the app disabled analytics (PRO-8).
    func record(_ event: ServiceEvent, variationID: String, profileID: String) {
        if identity.isAnalyticsDisabled { return }
        backend.record(
            BackendEventLog.Entry(
                event: event, variationID: variationID, time: now, device: configuration.name,
                profileID: profileID))
    }
}
