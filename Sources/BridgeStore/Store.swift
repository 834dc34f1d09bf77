/// What an answer means (protocol.md, section 6).
public enum Durability: String, Sendable, CaseIterable {
    /// Nothing: it may be gone with the process.
    case none
    /// It survives the end of the process, `kill -9` too.
    case process
    /// It survives a power cut too.
    case power
}

/// All that a broker keeps: event logs, profiles and devices, changed in batches.
///
/// What is written belongs to the open batch, which `seal` ends; batches are saved in order, each
/// whole or not at all. A batch has a ticket: who has to know that a change is saved waits until
/// `savedTicket` has come to it.
///
/// Blocking: nothing here waits for a disk to sync, but `close` and `waitUntilIdle`; `seal` may write
/// a short batch to the file system's cache.
/// Isolation: one thread.
public protocol Store: AnyObject {
    /// The record of events.
    var events: any EventStore { get }
    /// The backend's profiles, by profile id.
    var profiles: any ProfileStore<[UInt8]> { get }
    /// The open devices and what closed ones left, by name.
    var devices: any ProfileStore<[UInt8]> { get }
    /// What devices have fetched, by name: apart from them, as it is large and changes seldom.
    var caches: any ProfileStore<[UInt8]> { get }
    /// The fallback files that devices have in force, each once, by a number of theirs.
    var fallbackFiles: any ProfileStore<[UInt8]> { get }
    /// The last backend events.
    var backendEvents: any NumberedRecords { get }

    /// Whether what it saves is there for the next broker.
    var isLasting: Bool { get }
    /// Readable when `takeProgress` has something to take over; nil: it never has.
    var newsDescriptor: Int32? { get }
    /// How much of what it saves an answer promises.
    var durability: Durability { get }
    /// The ticket of the open batch.
    var openTicket: UInt64 { get }
    /// The ticket of the last sealed batch.
    var sealedTicket: UInt64 { get }
    /// Every batch up to this ticket is saved.
    var savedTicket: UInt64 { get }
    /// Why nothing can be saved at present; nil: all is well.
    var fault: StoreFault? { get }
    /// Whether so much waits to be saved that no more should come (`StoreLimits.unsavedBytesMax`).
    var isBehind: Bool { get }

    /// Whether the open batch should be sealed before the wake-up ends.
    var isWorthSealing: Bool { get }

    /// Ends the open batch and saves it, or gives it to be saved.
    func seal()

    /// Whether pages of events are on their way.
    var isReading: Bool { get }

    /// Takes over what happened beside the loop: new saved tickets, faults, events that were
    /// loaded. To be called on the store's thread of use after each wake-up call.
    func takeProgress()

    /// Waits until every sealed batch is saved and every page that was asked for has come, or the
    /// store has a fault.
    ///
    /// Blocking: yes; for callers without a loop.
    func waitUntilIdle()

    /// What it is, for people.
    var facts: StoreFacts { get }

    /// Saves what is sealed and lets go of the file.
    ///
    /// Blocking: yes, until all is saved or could not be.
    func close()
}

/// What a store is, for `status`.
public struct StoreFacts: Sendable, Equatable {
    /// `memory` or `sqlite`.
    public var kind: String
    /// Empty: memory.
    public var path: String
    /// Bytes of the write-ahead log; 0: none.
    public var journalBytes: UInt64
    /// What was saved since it was opened.
    public var saved = SavedAmount()
    /// Sealed batches that are not saved.
    public var batchesWaiting = 0

    /// Makes facts.
    public init(kind: String, path: String = "", journalBytes: UInt64 = 0) {
        self.kind = kind
        self.path = path
        self.journalBytes = journalBytes
    }
}

/// How much a store has saved; only rises.
public struct SavedAmount: Sendable, Equatable {
    /// Batches that changed something.
    public var batches: UInt64 = 0
    /// Transactions that saved them: several batches that wait are one.
    public var transactions: UInt64 = 0
    /// Rows that were written or removed by them.
    public var rows: UInt64 = 0
    /// About how many bytes of events and records.
    public var bytes: UInt64 = 0

    /// Makes nothing.
    public init() {}
}

/// A store in memory: every batch counts as saved when it is sealed.
public final class MemoryStore: Store {
    /// The record of events.
    public let events: any EventStore
    /// The backend's profiles.
    public let profiles: any ProfileStore<[UInt8]> = MemoryProfileStore<[UInt8]>()
    /// The devices.
    public let devices: any ProfileStore<[UInt8]> = MemoryProfileStore<[UInt8]>()
    /// What devices have fetched.
    public let caches: any ProfileStore<[UInt8]> = MemoryProfileStore<[UInt8]>()
    /// The fallback files.
    public let fallbackFiles: any ProfileStore<[UInt8]> = MemoryProfileStore<[UInt8]>()
    /// None is kept.
    public let backendEvents: any NumberedRecords = ForgottenRecords()
    /// Nothing outlives the process.
    public var isLasting: Bool { false }
    /// Nothing happens beside the loop.
    public var newsDescriptor: Int32? { nil }
    /// Nothing outlives the process.
    public let durability = Durability.none
    /// As many as were sealed.
    public private(set) var sealedTicket: UInt64 = 0

    /// Makes an empty store.
    public init(limits: EventStoreLimits = EventStoreLimits()) {
        events = MemoryEventStore(limits: limits)
    }

    /// One past the last sealed one.
    public var openTicket: UInt64 { sealedTicket + 1 }
    /// All that was sealed.
    public var savedTicket: UInt64 { sealedTicket }
    /// Memory has none.
    public var fault: StoreFault? { nil }
    /// Nothing waits.
    public var isBehind: Bool { false }
    /// `memory`.
    public var facts: StoreFacts { StoreFacts(kind: "memory") }

    /// Nothing is won by it.
    public var isWorthSealing: Bool { false }

    /// Counts the batch.
    public func seal() { sealedTicket += 1 }
    /// Nothing happens beside the loop.
    public func takeProgress() {}
    /// All is at hand.
    public var isReading: Bool { false }
    /// All is saved.
    public func waitUntilIdle() {}
    /// There is nothing to let go of.
    public func close() {}
}
