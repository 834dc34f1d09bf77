import FlowEngine

/// The parts of a device that are stored, as they were: to tell at little cost whether something
/// has to be stored again.
public struct StoredMarks {
    private let configuration: DeviceConfiguration
    private let identity: DeviceIdentity
    private let generatorState: UInt64
    private let keptTimers: KeptTimers
    private let account: StoreAccount
    private let shownViews: [ViewID]
    private let isOpen: Bool
    private let isInBackground: Bool
    private let fetchedWrites: UInt64
    private let conditionWrites: UInt32
    private let storeConditionWrites: UInt32
    private let fallbackFile: (any FallbackFile)?

    /// Takes the marks of a device as it is.
    public init(_ device: SDKDevice) {
        configuration = device.configuration
        identity = device.identity
        generatorState = device.generator.state
        keptTimers = device.keptTimers
        account = device.store.account
        shownViews = device.shownViews
        isOpen = device.isOpen
        isInBackground = device.isInBackground
        fetchedWrites = device.fetchedWrites
        conditionWrites = device.conditions.writes
        storeConditionWrites = device.store.conditions.writes
        fallbackFile = device.fallbackFile
    }

    /// Whether all that is stored, but for what was fetched, is as it was; texts by code points.
    public func cover(_ device: SDKDevice) -> Bool {
        generatorState == device.generator.state && isOpen == device.isOpen
            && isInBackground == device.isInBackground && shownViews == device.shownViews
            && conditionWrites == device.conditions.writes
            && storeConditionWrites == device.store.conditions.writes
            && fallbackFile === device.fallbackFile
            && keptTimers == device.keptTimers && account == device.store.account
            && identity.isStored(as: device.identity)
            && configuration.isStored(as: device.configuration)
    }

    /// Whether what was fetched is as it was.
    public func coverFetched(of device: SDKDevice) -> Bool {
        fetchedWrites == device.fetchedWrites
    }
}

extension DeviceIdentity {
    func isStored(as other: DeviceIdentity) -> Bool {
        activation == other.activation && isUIActivated == other.isUIActivated
            && isObserver == other.isObserver && isCreated == other.isCreated
            && isAnalyticsDisabled == other.isAnalyticsDisabled && creation == other.creation
            && appAccountToken.isExactly(other.appAccountToken)
            && (apiKey ?? "").isExactly(other.apiKey ?? "")
            && (apiKey == nil) == (other.apiKey == nil) && isProfileStored(as: other)
    }

    private func isProfileStored(as other: DeviceIdentity) -> Bool {
        guard let mine = stored, let theirs = other.stored else {
            return (stored == nil) == (other.stored == nil)
        }
        // Each change at the backend has a version of its own.
        return mine == theirs
            && (mine.profile.versionMs != 0 || mine.hasSameContent(as: theirs))
    }
}

extension DeviceConfiguration {
    func isStored(as other: DeviceConfiguration) -> Bool {
        locale.isExactly(other.locale) && zone.name.isExactly(other.zone.name)
            && platform.isExactly(other.platform) && appVersion.isExactly(other.appVersion)
            && osVersion.isExactly(other.osVersion) && seed == other.seed
            && questionDeadlineMs == other.questionDeadlineMs
    }
}
