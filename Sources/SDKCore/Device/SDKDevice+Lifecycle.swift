import FlowEngine

// The process of the app: its end, its next start, and a fresh installation (GEN-11).
extension SDKDevice {
    /// What has to be kept to make this device again. Views, configurations, `continue` timers,
    /// view documents and waiting calls are not in it. Nor are the conditions, which are those of
    /// the world around (`storedConditions`), and the fallback file, which its process shares with
    /// others (`fallbackFile`).
    public var storedState: StoredDeviceState {
        var state = StoredDeviceState()
        state.apiKey = identity.apiKey
        state.appAccountToken = identity.appAccountToken
        state.profile = identity.stored
        state.isProfileCreated = identity.isCreated
        state.isAnalyticsDisabled = identity.isAnalyticsDisabled
        state.fetched = fetched.contents
        state.cached = cache.placements
        state.persistedTimers = keptTimers.persisted
        state.account = store.account
        state.seed = configuration.seed
        state.generatorState = generator.state
        state.process = isOpen ? process : nil
        return state
    }

    private var process: AppProcess {
        var process = AppProcess()
        process.activation = identity.activation
        process.isUIActivated = identity.isUIActivated
        process.isObserver = identity.isObserver
        process.isInBackground = isInBackground
        process.creation = identity.creation
        return process
    }

    /// Ends the process of the app. Views go without callbacks (VW-23), and so do waiting calls,
    /// which the caller answers; a creation of the profile that is under way ends as well, and the
    /// next process has to set a fallback file anew. The device is then as one that was never
    /// activated, but for what it stores; the conditions stay.
    ///
    /// The caller advances the device first.
    public mutating func close() {
        isOpen = false
        restart(configuration)
    }

    /// Begins the next process of the app, perhaps with another version, locale or zone, and
    /// reports `deviceOpened`. Call it on a closed device only.
    ///
    /// - Parameter now: The present instant, which may be earlier than the last one: a phone's
    ///   clock can be set back between two processes.
    public mutating func reopen(
        _ configuration: DeviceConfiguration, at now: Instant, outputs: inout [DeviceOutput]
    ) {
        precondition(!isOpen, "a process of the app ends before the next one begins")
        environment = ViewEnvironment(now: now, zone: configuration.zone)
        isOpen = true
        restart(configuration)
        outputs.append(.callback(.deviceOpened))
    }

    /// Makes a fresh installation of it, not activated: what was stored goes too. Ids are drawn
    /// on, so that none comes twice; the conditions stay, and so does what the user owns in the
    /// store. A closed device stays closed.
    ///
    /// The caller advances the device first, and answers the waiting calls.
    public mutating func reset() {
        var state = StoredDeviceState()
        state.account = store.account
        state.seed = configuration.seed
        state.generatorState = generator.state
        remake(from: state, configuration)
    }

    /// Makes it out of what it stores, as of a process that has ended; cached documents stay too.
    private mutating func restart(_ configuration: DeviceConfiguration) {
        var state = storedState
        state.process = nil
        let documents = documents
        remake(from: state, configuration)
        self.documents = documents
    }

    private mutating func remake(
        from state: StoredDeviceState, _ configuration: DeviceConfiguration
    ) {
        let (conditions, ofStore, isOpen) = (conditions, store.conditions, isOpen)
        let listeners = questions.listeners
        let writes = fetchedWrites
        self = SDKDevice(
            configuration: configuration, backend: backend, state: state, now: environment.now)
        self.conditions = conditions
        store.conditions = ofStore
        questions.listeners = listeners
        self.isOpen = isOpen
        formerFetchedWrites = writes + 1
        reckonDue()
    }
}
