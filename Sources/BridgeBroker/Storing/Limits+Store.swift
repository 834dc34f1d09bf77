import BridgeProtocol
import BridgeStore

extension Limits {
    /// The limits of the store.
    public var store: StoreLimits {
        var limits = StoreLimits()
        limits.events = EventStoreLimits(
            eventsMax: Int(clamping: eventsMax), bytesMax: Int(clamping: eventBytesMax))
        limits.tailBytesMax = Int(clamping: recentEventBytesMax)
        limits.unsavedBytesMax = Int(clamping: unsavedBytesMax)
        return limits
    }
}
