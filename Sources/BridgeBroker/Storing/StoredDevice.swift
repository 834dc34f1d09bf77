import BridgeStore
import FlowEngine
import SDKCore

/// A device as the store keeps it, apart from what it has fetched.
///
/// Members can be added as `RecordDecoder` says.
struct StoredDevice: Codable {
    var locale = ""
    /// IANA name.
    var zone = ""
    var platform = ""
    var appVersion = ""
    var osVersion = ""
    var seed: UInt64 = 0
    var questionDeadlineMs: UInt32 = 0
    var isClockManual = false
    /// What its clock showed when this was written.
    var clockMs: Int64 = 0
    /// What the host's clock showed then.
    var hostMs: Int64 = 0
    /// The views that were on screen, which end with the broker.
    var shownViews: [String] = []
    /// With nothing in `fetched` and `cached`.
    var state = StoredDeviceState()
    var conditions = StoredConditions()
    /// The id of the fallback file in force; empty: none.
    var fallbackFile = ""

    init(_ device: Device, now: Instant, hostMs: Int64) {
        let configuration = device.core.configuration
        locale = configuration.locale
        zone = configuration.zone.name
        platform = configuration.platform
        appVersion = configuration.appVersion
        osVersion = configuration.osVersion
        seed = configuration.seed
        questionDeadlineMs = configuration.questionDeadlineMs
        isClockManual = device.clock.isManual
        clockMs = now.ms
        self.hostMs = hostMs
        shownViews = device.core.shownViews.map(\.description)
        state = device.core.storedState
        state.fetched = []
        state.cached = []
        conditions = device.core.storedConditions
        fallbackFile = device.savedFallback?.id ?? ""
    }

    /// What its clock shows when the host's shows `hostMs`. A host's clock that was set back moves
    /// no device behind what it had recorded.
    func clockMs(atHostMs now: Int64) -> Int64 {
        isClockManual ? clockMs : clockMs + max(0, now - hostMs)
    }
}
