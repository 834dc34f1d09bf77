/// A store in one SQLite file, in write-ahead mode.
///
/// The loop's side is all memory: it notes changes and reads recent events. A thread of its own has
/// the file; it saves what was sealed, all that waits in one transaction, and signals
/// `newsDescriptor`. While it rests, a short `process` batch is saved where it is sealed
/// (`InPlaceRule`).
///
/// Durability: `process` and `none` write to the file system's cache and sync when the write-ahead
/// log is moved into the file, so that a power cut costs the last changes and never the file;
/// `power` syncs each transaction.
/// Isolation: one thread.
public final class SQLiteStore: Store {
    /// The record of events.
    public let events: any EventStore
    /// The backend's profiles.
    public var profiles: any ProfileStore<[UInt8]> { tables[0] }
    /// The devices.
    public var devices: any ProfileStore<[UInt8]> { tables[1] }
    /// What devices have fetched.
    public var caches: any ProfileStore<[UInt8]> { tables[2] }
    /// The fallback files that devices have in force.
    public var fallbackFiles: any ProfileStore<[UInt8]> { tables[3] }
    /// The last backend events.
    public let backendEvents: any NumberedRecords
    /// What it was opened for.
    public let durability: Durability
    /// Every batch up to this ticket is in the file.
    public private(set) var savedTicket: UInt64 = 0
    /// The last batch that was given to the thread.
    public private(set) var sealedTicket: UInt64 = 0
    /// Why the thread cannot save.
    public private(set) var fault: StoreFault?

    /// With symbolic links resolved.
    public let path: String

    private var file: StoreFile?
    private let limits: StoreLimits
    private let log: SQLiteEventStore
    /// Profiles, devices, caches, fallback files.
    private let tables: [SQLiteProfileStore]
    private let numbered: SQLiteNumberedRecords
    private let batch: OpenBatch
    private let queue: StoreQueue
    private var database: Database?
    private var thread: RunningThread?
    /// What the running thread works with.
    private var hands: StoreThread?
    /// A test may give another.
    var inPlace: InPlaceRule
    private var journalBytes: UInt64 = 0
    /// The bytes of each sealed batch that is not saved, oldest first, and their sum.
    private var unsaved: [(ticket: UInt64, bytes: Int, rows: Int)] = []
    private var unsavedBytes = 0
    private var saved = SavedAmount()

    /// Opens the file, or makes it; brings an older one to the present version. Its thread starts
    /// with the first seal or load, so that records can be read before.
    ///
    /// - Parameter vfs: SQLite's name of the layer that holds the file; nil: the system's files.
    /// - Throws: a `StoreFault` that names the file, and what to do; a file that is not ours, or is
    ///   damaged, or too new, is left as it is.
    /// Blocking: until it is open.
    public init(
        path: String, durability: Durability, limits: StoreLimits = StoreLimits(),
        vfs: String? = nil
    ) throws(StoreFault) {
        let file = try StoreFile(path)
        self.path = file.path
        let database = try Self.open(file.path, durability, limits, vfs)
        let batch = OpenBatch()
        queue = try StoreQueue()
        log = try SQLiteEventStore(
            limits: limits.events, tailBytesMax: limits.tailBytesMax, batch: batch, queue: queue,
            reader: StoreReader(database))
        tables = [
            try SQLiteProfileStore(.profiles, database: database, batch: batch),
            try SQLiteProfileStore(.devices, database: database, batch: batch),
            try SQLiteProfileStore(.caches, database: database, batch: batch),
            try SQLiteProfileStore(.fallbackFiles, database: database, batch: batch),
        ]
        numbered = SQLiteNumberedRecords(
            recordsMax: limits.backendEventsMax, database: database, batch: batch)
        backendEvents = numbered
        events = log
        self.batch = batch
        self.database = database
        self.durability = durability
        self.limits = limits
        inPlace = InPlaceRule(durability)
        self.file = consume file
        log.startThread = { [unowned self] in startThread() }
    }

    deinit {
        close()
    }

    static func open(
        _ path: String, _ durability: Durability, _ limits: StoreLimits, _ vfs: String?
    ) throws(StoreFault) -> Database {
        let database = try Database(path: path, vfs: vfs)
        guard !database.isReadOnly else {
            throw StoreFault(
                .readOnly, "the store \(path) cannot be written; \(StoreFault.Kind.readOnly.advice)"
            )
        }
        // The lock file keeps other brokers out; keeping SQLite's own lock saves half of a commit.
        try database.run("PRAGMA locking_mode = EXCLUSIVE")
        try StoreSchema.prepare(database)
        guard try database.text("PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreFault(
                .system,
                "the store \(path): the file system takes no write-ahead log; name a file "
                    + "on another one with --store")
        }
        try database.syncCommits(durability == .power)
        try database.run("PRAGMA wal_autocheckpoint = 0")
        try database.run("PRAGMA journal_size_limit = \(limits.journalBytesMax)")
        // Some builds of SQLite overwrite whole pages that are let go, through the log.
        try database.run("PRAGMA secure_delete = FAST")
        try database.run("PRAGMA cache_size = -1024")
        return database
    }

    /// The file is there for the next broker.
    public var isLasting: Bool { true }

    /// Readable when `takeProgress` has something to take over.
    public var newsDescriptor: Int32? { queue.newsSignal }

    /// The ticket of the open batch.
    public var openTicket: UInt64 { batch.ticket }

    /// Whether more waits to be saved than `StoreLimits.unsavedBytesMax`.
    public var isBehind: Bool { unsavedBytes > limits.unsavedBytesMax }

    /// Whether the thread has nothing to do and the open batch is worth a transaction: then it saves
    /// that one while the loop makes the next.
    public var isWorthSealing: Bool {
        batch.changes.count >= Self.worthRows && queue.isThreadIdle
    }

    /// Rows of a batch that is worth a transaction of its own before the wake-up ends.
    static let worthRows = 32

    /// Whether pages of events are on their way.
    public var isReading: Bool { log.isReading }

    /// `sqlite`, the path, the size of the write-ahead log after the last commit, what was saved.
    public var facts: StoreFacts {
        var facts = StoreFacts(kind: "sqlite", path: path, journalBytes: journalBytes)
        facts.saved = saved
        facts.batchesWaiting = unsaved.count
        return facts
    }

    /// Saves the open batch here, where `InPlaceRule` lets it, or gives it to the thread; an empty one,
    /// with nothing before it, is saved already.
    public func seal() {
        let isIdle = batch.isEmpty && savedTicket == sealedTicket
        let sealed = batch.take()
        sealedTicket = sealed.ticket
        guard !isIdle else {
            savedTicket = sealed.ticket
            return
        }
        _ = startThread()
        if isSavedInPlace(sealed) { return }
        unsaved.append((sealed.ticket, sealed.bytes, sealed.changes.count))
        unsavedBytes += sealed.bytes
        queue.add(sealed)
    }

    private func isSavedInPlace(_ batch: StoreBatch) -> Bool {
        guard let hands, inPlace.allows(batch), queue.isThreadAtRest else { return false }
        guard let journal = inPlace.measure({ hands.saveInPlace(batch) }) else { return false }
        savedTicket = batch.ticket
        journalBytes = journal
        count(rows: batch.changes.count, bytes: batch.bytes)
        saved.transactions += 1
        log.drop(savedTicket: savedTicket)
        return true
    }

    /// Takes over what the thread did.
    public func takeProgress() {
        take(queue.takeProgress())
    }

    private func take(_ progress: StoreQueue.Progress) {
        savedTicket = max(savedTicket, progress.savedTicket)
        fault = progress.fault ?? threadFault
        journalBytes = progress.journalBytes
        let done = unsaved.prefix { $0.ticket <= savedTicket }
        for entry in done {
            unsavedBytes -= entry.bytes
            count(rows: entry.rows, bytes: entry.bytes)
        }
        unsaved.removeFirst(done.count)
        saved.transactions += progress.transactions
        log.drop(savedTicket: savedTicket)
        log.deliver(progress.pages)
    }

    private func count(rows: Int, bytes: Int) {
        saved.batches += 1
        saved.rows += UInt64(rows)
        saved.bytes += UInt64(bytes)
    }

    /// Waits until all that was sealed is saved, or cannot be, and all pages have come.
    public func waitUntilIdle() {
        takeProgress()
        while savedTicket < sealedTicket && fault == nil || log.isReading {
            queue.waitForNews()
            takeProgress()
        }
    }

    /// Saves what is noted, ends the thread and lets go of the file.
    public func close() {
        guard thread != nil || database != nil else { return }
        log.closePieces()
        seal()
        queue.close()
        if let thread = thread.take() { thread.join() }
        hands = nil
        takeProgress()
        if let file = file.take() { file.close() }
    }

    // MARK: The thread

    private var threadFault: StoreFault?

    private func startThread() -> StoreFault? {
        guard let database else { return threadFault }
        self.database = nil
        log.letGo()
        for table in tables { table.letGo() }
        numbered.letGo()
        do throws(StoreFault) {
            let hands = try StoreThread(database, queue: queue, durability: durability)
            let handover = Handover(thread: hands)
            thread = try RunningThread(name: "store") { handover.thread.run() }
            self.hands = hands
        } catch {
            threadFault = error
            fault = error
            // Answers wait for what will never be saved: who holds them has to learn of it.
            queue.tell { $0.fault = error }
        }
        return threadFault
    }
}
