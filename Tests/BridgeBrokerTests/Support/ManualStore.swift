import BridgeStore

/// A store in memory that saves when a test says so.
final class ManualStore: Store {
    private let memory = MemoryStore()
    let durability: Durability
    var isBehind = false
    var isWorthSealing = false
    var fault: StoreFault?
    private(set) var sealedTicket: UInt64 = 0
    private(set) var savedTicket: UInt64 = 0

    init(_ durability: Durability) {
        self.durability = durability
    }

    var events: any EventStore { memory.events }
    var profiles: any ProfileStore<[UInt8]> { memory.profiles }
    var devices: any ProfileStore<[UInt8]> { memory.devices }
    var caches: any ProfileStore<[UInt8]> { memory.caches }
    var fallbackFiles: any ProfileStore<[UInt8]> { memory.fallbackFiles }
    var backendEvents: any NumberedRecords { memory.backendEvents }
    var isLasting: Bool { true }
    var newsDescriptor: Int32? { nil }
    var openTicket: UInt64 { sealedTicket + 1 }
    var isReading: Bool { false }
    var facts: StoreFacts { StoreFacts(kind: "manual", path: "/test/store.db") }

    func seal() { sealedTicket += 1 }
    func takeProgress() {}
    func waitUntilIdle() {}
    func close() {}

    /// Counts what is sealed as saved, up to a ticket.
    func save(upTo ticket: UInt64 = .max) { savedTicket = min(ticket, sealedTicket) }
}
