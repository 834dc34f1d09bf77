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
    }

    /// What its clock shows when the host's shows `hostMs`. A host's clock that was set back moves
    /// no device back.
    func clockMs(atHostMs now: Int64) -> Int64 {
        isClockManual ? clockMs : clockMs + max(0, now - hostMs)
    }
}

/// What of a device is in the store, to tell what has to be written.
///
/// An object, as a device without a store has none.
final class SavedMarks {
    private let marks: StoredMarks
    private let clockMs: Int64

    /// A real clock is written anew after so long, so that a host's clock that is set back while
    /// no broker runs takes at most that much of a device's time back.
    private static let realClockMs: Int64 = 60_000

    init(_ device: Device, now: Instant) {
        marks = StoredMarks(device.core)
        clockMs = now.ms
    }

    /// Whether the device itself, apart from what it fetched, is as it was written.
    func cover(_ device: Device, now: Instant) -> Bool {
        guard marks.cover(device.core) else { return false }
        return device.clock.isManual ? clockMs == now.ms : now.ms - clockMs < Self.realClockMs
    }

    /// Whether what it fetched is as it was written.
    func coverFetched(of device: Device) -> Bool { marks.coverFetched(of: device.core) }
}
