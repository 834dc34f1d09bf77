import BridgeProtocol
import BridgeStore
import SDKCore

extension Limits {
    /// The limits of the store.
    public var store: StoreLimits {
        var limits = StoreLimits()
        limits.events = EventStoreLimits(
            eventsMax: Int(clamping: eventsMax), bytesMax: Int(clamping: eventBytesMax))
        limits.tailBytesMax = Int(clamping: recentEventBytesMax)
        limits.unsavedBytesMax = Int(clamping: unsavedBytesMax)
        limits.backendEventsMax = SDKLimits.backendEventsMax
        return limits
    }
}
