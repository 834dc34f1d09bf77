import FlowEngine

/// One installation of an app with the SDK in it: who it is, what it fetched, its views on screen.
///
/// A pure state machine: it knows no clock and does no I/O. Each call comes with the present
/// instant of the device's clock; what is due until then runs first, in order of due time. An
/// instant before the last one counts as the last one.
///
/// Isolation: one thread, that of its backend.
public struct SDKDevice {
    /// What the installation was made with.
    public let configuration: DeviceConfiguration
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
    /// A call went that others may have waited behind; they start at the next `advance`.
    var needsRelease = false
    var fetched = FetchedContents()
    var configurations = ViewConfigurations()
    var stack = ViewStack()
    /// Ends of `continue` and `persisted` timers, by timer id (FC-15).
    var keptTimers: [String: Instant] = [:]

    /// Makes a fresh installation, not activated, and reports `deviceOpened`.
    public init(
        configuration: DeviceConfiguration, backend: Backend, at now: Instant,
        outputs: inout [DeviceOutput]
    ) {
        self.configuration = configuration
        self.backend = backend
        self.environment = ViewEnvironment(now: now, zone: configuration.zone)
        self.generator = SeededGenerator(seed: configuration.seed, name: configuration.name)
        outputs.append(.callback(.deviceOpened))
    }

    /// Whether `activate` was called, by the app or by the device itself (ID-1, ID-34).
    public var isActivated: Bool { identity.activation != .none }

    /// The backend's copy of the device's profile; nil: there is none (PRO-28).
    public var profileRecord: ProfileRecord? {
        backend.profileRecord(identity.profileID)
    }

    /// The views, in the order of their creation.
    public var views: [ViewSummary] { stack.views.map(\.summary) }

    /// The last instant that the device was told.
    var now: Instant { environment.now }

    /// Changes what the next calls meet.
    ///
    /// The caller advances the device first, and asks for `nextDue` afterwards.
    ///
    /// - Throws: LIMIT_EXCEEDED for more than `SDKLimits.conditionsMax` conditions; then nothing
    ///   changed.
    public mutating func setConditions(_ change: ConditionsChange) throws(DeviceFault) {
        defer { nextDue = due }
        try conditions.apply(change)
        if let sources = change.appliedAttributionSources {
            backend.setAttributionSources(sources, of: identity.profileID, at: now)
        }
        skipMissedAttempts()
    }

    /// Records a backend event, unless the app disabled analytics (PRO-8).
    func record(_ event: BackendEvent, profileID: String) {
        if identity.isAnalyticsDisabled { return }
        backend.record(event, at: now, device: configuration.name, profileID: profileID)
    }
}
