import BridgeProtocol

/// What methods do to what is stored. The broker has to know it to answer while nothing can be
/// saved; a method that is not named here counts as one that changes something.
extension Router {
    /// Methods whose answer tells nothing of what is stored: it never waits for the store.
    private static let free: Set<String> = ["hello", "ping", "cancel", "describe"]

    /// Methods that change nothing that is stored.
    private static let readers: Set<String> = free.union([
        "status", "list_devices", "inspect_profile", "list_backend_events", "list_views",
        "get_screen", "subscribe", "unsubscribe", "get_events", "list_placements", "load_catalog",
        "monitor",
    ])

    private static let isReaderByIndex = MethodTable.all.map { readers.contains($0.name) }

    /// Whether that method changes nothing that is stored, so that it causes no events.
    static func isReader(_ methodIndex: Int) -> Bool { isReaderByIndex[methodIndex] }

    private static let isFreeByIndex = MethodTable.all.map { free.contains($0.name) }

    /// Whether answers of that method never wait for the store.
    static func isFree(_ methodIndex: Int) -> Bool { isFreeByIndex[methodIndex] }
}
