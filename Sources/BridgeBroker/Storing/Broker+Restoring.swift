import BridgeProtocol
import BridgeStore
import FlowEngine
import SDKCore

/// What a broker finds in its store when it starts (GEN-11).
extension Broker {
    /// Makes the profiles and devices of the store again. A process of an app that ran still runs;
    /// its views are gone, which `views_lost` tells.
    ///
    /// - Throws: a `StoreFault` for a record that cannot be read, and for a device whose zone the
    ///   host does not know.
    public func restore() throws(StoreFault) {
        guard isLasting else { return }
        for (_, profile) in try records(of: store.profiles, as: BackendProfile.self) {
            backend.restore(profile)
        }
        let fetches = Dictionary(
            try records(of: store.caches, as: StoredFetches.self).map { (Array($0.utf8), $1) },
            uniquingKeysWith: { _, last in last })
        let stored = try records(of: store.devices, as: StoredDevice.self)
        try restoreFallbackFiles(named: Set(stored.map(\.value.fallbackFile)))
        try restoreBackendEvents()
        for (name, record) in stored.sorted(by: { $0.id < $1.id }) {
            try restore(name, record, fetches[Array(name.utf8)])
        }
        seal()
    }

    private func restore(
        _ name: String, _ stored: StoredDevice, _ fetches: StoredFetches?
    ) throws(StoreFault) {
        let configuration = try configuration(name, stored)
        let log = events.log(named: name)
        var now = Instant(ms: stored.clockMs(atHostMs: wallMs()))
        if !stored.isClockManual { now = max(now, try events.lastTime(in: log)) }
        var state = stored.state
        fetches?.fill(&state)
        var outputs: [DeviceOutput] = []
        let fallback = try fallback(of: name, stored)
        var core = SDKDevice(
            configuration: configuration, backend: backend, state: state,
            conditions: stored.conditions, fallbackFile: fallback?.file, at: now,
            outputs: &outputs)
        // A closed device was opened by that, which nobody has asked for: nothing of it is told.
        if state.process == nil { core.close() }
        let device = Device(
            log: log, core: core,
            clock: DeviceClock(
                isManual: stored.isClockManual, start: now, nowNs: timers.nowNs))
        device.savedClockMs = stored.clockMs
        device.savedFallback = fallback
        fallback?.devices += 1
        devices[name] = device
        if !core.isOpen { return closed.add(device) }
        tellLost(stored.shownViews, of: device)
        reschedule(device)
    }

    /// - Throws: a `StoreFault` for a file that the store does not have.
    private func fallback(
        of name: String, _ stored: StoredDevice
    ) throws(StoreFault) -> StoredFallback? {
        if stored.fallbackFile.isEmpty { return nil }
        if let file = fallbackFiles.stored.first(where: { $0.id == stored.fallbackFile }) {
            return file
        }
        throw unreadable(name, "there is no fallback file \(stored.fallbackFile)")
    }

    private func configuration(
        _ name: String, _ stored: StoredDevice
    ) throws(StoreFault) -> DeviceConfiguration {
        guard let zone = ZoneData.rules(named: stored.zone) else {
            throw StoreFault(
                .system,
                "device \"\(name)\" of the store \(store.facts.path) is in the zone "
                    + "\(stored.zone), which the host's zone data does not have; install tzdata")
        }
        var configuration = DeviceConfiguration(
            name: name, locale: stored.locale, zone: zone, platform: stored.platform,
            appVersion: stored.appVersion, osVersion: stored.osVersion, seed: stored.seed,
            questionDeadlineMs: stored.questionDeadlineMs)
        configuration.viewsMax = Int(clamping: limits.viewsMax)
        return configuration
    }

    /// Their `didDisappear` never happened, so none is invented.
    private func tellLost(_ views: [String], of device: Device) {
        guard !views.isEmpty else { return }
        touch(device)
        // The next start must not tell it again.
        device.savedClockMs = nil
        let kind = Event.Kind.viewsLost(
            with(ViewsLost()) {
                $0.viewIds = views
                $0.reason = "the broker was started anew; views end with it"
            })
        publish(kind, view: nil, of: device)
    }

    private func records<Value: Decodable>(
        of store: any ProfileStore<[UInt8]>, as type: Value.Type
    ) throws(StoreFault) -> [(id: String, value: Value)] {
        var found: [(id: String, value: Value)] = []
        var fault: StoreFault?
        try store.readAll { id, record in
            do {
                found.append((id, try RecordDecoder.decode(type, from: record.record)))
            } catch {
                fault = unreadable(id, error)
            }
        }
        if let fault { throw fault }
        return found
    }

    func unreadable(_ id: String, _ reason: Any) -> StoreFault {
        StoreFault(
            .corrupt,
            "the record of \"\(id)\" in the store \(store.facts.path) cannot be read: \(reason)")
    }
}
