import BridgeProtocol
import BridgeStore
import BridgeTransport
import FlowEngine
import SDKCore

/// What is written to the store, and what waits until it is saved.
///
/// All that one wake-up changed is one batch. Where an answer promises something (`process`,
/// `power`), answers and events that came of it, and all that may tell of what is not saved yet,
/// are held until the batch is.
extension Broker {
    /// Notes that a device will be worked on, so that it is looked at when the wake-up ends. Idle
    /// devices keep no marks of what is stored of them.
    func touch(_ device: Device) {
        guard isLasting, !device.isTouched else { return }
        device.isTouched = true
        touched.append((device, StoredMarks(device.core)))
    }

    /// What output written now has to wait for; nil: nothing.
    private var waitTicket: UInt64? {
        if !isLasting || store.durability == .none && !store.isBehind { return nil }
        // Nothing changes then, and what is read may be more than what will be kept.
        if store.fault != nil { return nil }
        if !touched.isEmpty { return store.openTicket }
        let sealed = store.sealedTicket
        return store.savedTicket < sealed ? sealed : nil
    }

    /// Holds what is written to a connection from now on until what was changed so far is saved.
    func hold(_ session: ClientSession) {
        guard let ticket = waitTicket else { return }
        session.connection.hold(until: ticket)
        if session.isHeld { return }
        session.isHeld = true
        held.append(session)
    }

    /// Ends the batch of this wake-up, if there is one.
    func seal() {
        guard isLasting else { return }
        guard !touched.isEmpty || backend.hasChangedProfiles else { return }
        for (device, before) in touched {
            device.isTouched = false
            save(device, before)
        }
        touched.removeAll(keepingCapacity: true)
        for profile in backend.takeChangedProfiles() { save(profile) }
        if backend.hasNewEvents { saveBackendEvents() }
        store.seal()
        releaseHeld()
    }

    /// Lets go what waited for what is saved now.
    private func releaseHeld() {
        guard !held.isEmpty else { return }
        let saved = store.savedTicket
        for session in held {
            session.connection.release(upTo: saved)
            session.isHeld = session.connection.isHolding
        }
        held.removeAll { !$0.isHeld }
    }

    // MARK: Records

    /// A real clock is written anew after so long. Where a host's clock is set back while no broker
    /// runs, a device goes on from there, or from its last event if that came later.
    private static let realClockMs: Int64 = 60_000

    private func save(_ device: Device, _ before: StoredMarks) {
        // One that was forgotten meanwhile has no record any more.
        guard devices[device.name] === device else { return }
        let now = now(of: device)
        let isNew = device.savedClockMs == nil
        if isNew || !before.coverFetched(of: device.core) {
            put(StoredFetches(device.core.storedState), device.name, in: store.caches)
        }
        if isClockSaved(device, now), before.cover(device.core) { return }
        saveFallback(of: device)
        put(StoredDevice(device, now: now, hostMs: wallMs()), device.name, in: store.devices)
        device.savedClockMs = now.ms
    }

    private func isClockSaved(_ device: Device, _ now: Instant) -> Bool {
        guard let saved = device.savedClockMs else { return false }
        return device.clock.isManual ? saved == now.ms : now.ms - saved < Self.realClockMs
    }

    private func save(_ profile: BackendProfile) {
        put(profile, profile.record.profile.profileID, in: store.profiles)
    }

    /// Removes the records of a device that is forgotten; its events stay until they are trimmed.
    func removeRecords(of device: Device) {
        guard isLasting else { return }
        for records in [store.devices, store.caches] { remove(device.name, from: records) }
        device.savedClockMs = nil
        release(device.savedFallback)
        device.savedFallback = nil
    }

    func remove(_ id: String, from records: any ProfileStore<[UInt8]>) {
        do throws(ProfileStoreError) {
            try records.remove(id: id, expecting: records.version(of: id))
        } catch {
            preconditionFailure("the broker alone changes its store: \(error)")
        }
    }

    private func put(
        _ value: some Encodable, _ id: String, in records: any ProfileStore<[UInt8]>
    ) {
        put(record(of: value, id), id, in: records)
    }

    /// The bytes of a record; `id` says whose, should they not be made.
    func record(of value: some Encodable, _ id: String) -> [UInt8] {
        do {
            return try RecordEncoder.encode(value)
        } catch {
            preconditionFailure("the record of \(id) cannot be encoded: \(error)")
        }
    }

    func put(_ record: [UInt8], _ id: String, in records: any ProfileStore<[UInt8]>) {
        do throws(ProfileStoreError) {
            try records.store(record, id: id, expecting: records.version(of: id))
        } catch {
            preconditionFailure("the record of \(id) cannot be written: \(error)")
        }
    }

    // MARK: News

    /// Has the loop tell when the store has news.
    public func attachStore(to loop: EventLoop) throws(TransportError) {
        guard let news = store.newsDescriptor else { return }
        try loop.addSource(fd: news) { [unowned self] in storeHasNews() }
    }

    /// For transports without a loop: waits until the store has nothing under way, and takes that
    /// over. False when there was nothing.
    public func waitForStore() -> Bool {
        let isWaiting =
            store.savedTicket < store.sealedTicket || !held.isEmpty
            || replaying.contains { $0.isLoading }
        guard isWaiting || store.isReading else { return false }
        store.waitUntilIdle()
        storeHasNews()
        return true
    }

    /// Takes over what the store did beside the loop.
    public func storeHasNews() {
        store.takeProgress()
        releaseHeld()
        watchJournal()
        guard store.fault != toldFault else { return }
        toldFault = store.fault
        if let fault = store.fault {
            counters.noteStoreFault(fault.message)
            log(.error, "store_fault", [("reason", fault.message)])
            cutHeld(fault)
        } else {
            log(.notice, "store_resumed", [("path", store.facts.path)])
            for device in devices.values where device.core.isOpen { reschedule(device) }
        }
    }

    /// Answers that cannot be kept are never given: who waits for one learns that by its end.
    private func cutHeld(_ fault: StoreFault) {
        let waiting = held + postponing.filter { !$0.isHeld }
        for session in waiting {
            session.isHeld = false
            session.isCutByStore = true
            dropPostponed(of: session)
            session.connection.dropHeld()
            let error = BridgeError(
                .unavailable,
                "\(fault.message); what was asked and not answered may be kept or not",
                isRetryable: fault.isPassing)
            refuse(session.connection, error)
        }
        held = []
    }

    /// Journals over this are told to the operator (reliability.md, row 37).
    private static let journalAlarmBytes: UInt64 = 64 << 20

    private func watchJournal() {
        let isLarge = store.facts.journalBytes > Self.journalAlarmBytes
        if isLarge, !isJournalLarge {
            log(
                .error, "store_journal_large",
                [("bytes", String(store.facts.journalBytes)), ("path", store.facts.path)])
        }
        isJournalLarge = isLarge
    }

    // MARK: Refusing

    /// Refuses what would change something while nothing can be saved.
    ///
    /// - Throws: UNAVAILABLE naming the store and the reason.
    func requireStore(for methodIndex: Int) throws(BridgeError) {
        guard isLasting, store.fault != nil || store.isBehind, !Router.isReader(methodIndex)
        else { return }
        let method = MethodTable.all[methodIndex].name
        if let fault = store.fault { throw refusal(of: method, fault) }
        throw BridgeError(
            .unavailable,
            "\(method) changes something, and more than \(limits.unsavedBytesMax) bytes "
                + "(unsavedBytesMax) wait for the store \(store.facts.path); try again",
            isRetryable: true)
    }

    /// What a request that changes something gets while the store takes nothing.
    func refusal(of method: String, _ fault: StoreFault) -> BridgeError {
        BridgeError(
            .unavailable,
            "\(method) changes something, and the store takes nothing: \(fault.message)",
            isRetryable: fault.isPassing)
    }
}

/// What a device has fetched, as the store keeps it.
struct StoredFetches: Codable {
    var fetched: [FetchedContent] = []
    var cached: [CachedPlacement] = []

    init(_ state: StoredDeviceState) {
        fetched = state.fetched
        cached = state.cached
    }

    /// Puts it where it belongs.
    func fill(_ state: inout StoredDeviceState) {
        state.fetched = fetched
        state.cached = cached
    }
}
