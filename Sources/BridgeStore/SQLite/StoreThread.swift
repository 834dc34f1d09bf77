/// The thread that owns the file: it saves batches, removes what is over the limits, moves the
/// write-ahead log into the file, and reads pages.
///
/// All batches that wait are saved in one transaction. While the file takes nothing, they are kept
/// and tried again, after 1 s at first and 60 s at last, and at once when more arrives.
final class StoreThread {
    /// From this many pages on the write-ahead log is moved into the file.
    private static let checkpointPages: Int32 = 1_000
    /// After so many more pages that is tried again, if it failed.
    private static let checkpointRetryPages: Int32 = 100
    private static let retryMs: Int32 = 1_000
    private static let retryMaxMs: Int32 = 60_000

    private let queue: StoreQueue
    private let database: Database
    private let writer: StoreWriter
    private let reader: StoreReader
    private let journalPages: UnsafeMutablePointer<Int32>
    private let pageBytes: Int64
    /// Batches that could not be saved yet.
    private var unsaved: [StoreBatch] = []
    private var trims: [PieceTrim] = []
    private var fault: StoreFault?
    private var retryMs = StoreThread.retryMs
    /// Set while readers keep the log from being moved: when it grew by as much again.
    private var checkpointAt = StoreThread.checkpointPages

    init(_ database: Database, queue: StoreQueue, durability: Durability) throws(StoreFault) {
        self.database = database
        self.queue = queue
        writer = try StoreWriter(database, durability)
        reader = try StoreReader(database)
        pageBytes = try database.number("PRAGMA page_size") ?? 4_096
        journalPages = .allocate(capacity: 1)
        journalPages.initialize(to: 0)
        database.countJournalPages(in: journalPages)
    }

    deinit {
        journalPages.deallocate()
    }

    /// Bytes of the write-ahead log after the last commit.
    var journalBytes: UInt64 { UInt64(max(journalPages.pointee, 0)) * UInt64(pageBytes) }

    /// Saves a batch for a caller who has the thread's things (`StoreQueue.isThreadAtRest`), as
    /// `run` would.
    ///
    /// - Returns: Bytes of the write-ahead log then; nil: it is not saved, and the thread is to do
    ///   that, or to tell why it cannot. The thread may be at work again when this returns.
    func saveInPlace(_ batch: StoreBatch) -> UInt64? {
        // SQLite syncs the first page of a log that begins anew.
        guard journalPages.pointee > 0 else { return nil }
        do throws(StoreFault) {
            try writer.save([batch])
        } catch {
            return nil
        }
        trims += batch.trims
        defer { if isTidyDue { queue.tidy() } }
        return journalBytes
    }

    /// Works until the queue is closed and empty.
    func run() {
        while true {
            let work = queue.takeWork(waitMs: waitMs)
            for job in work.pages { read(job) }
            unsaved += work.batches
            save(isRetry: work.batches.isEmpty)
            tidy()
            if work.isClosed { return }
        }
    }

    private var waitMs: Int32 {
        guard let fault else { return -1 }
        return fault.isPassing ? retryMs : -1
    }

    private func save(isRetry: Bool) {
        guard let last = unsaved.last?.ticket else { return }
        if let fault, !fault.isPassing { return }
        do throws(StoreFault) {
            try saveMakingRoom()
        } catch {
            if isRetry { retryMs = min(retryMs * 2, Self.retryMaxMs) }
            if fault != error { tell(fault: error) }
            return
        }
        for batch in unsaved { trims += batch.trims }
        unsaved.removeAll(keepingCapacity: true)
        // There is room again: a log that could not be moved has grown.
        if fault != nil { checkpointAt = Self.checkpointPages }
        fault = nil
        retryMs = Self.retryMs
        let journal = journalBytes
        queue.tell { progress in
            progress.savedTicket = last
            progress.transactions += 1
            progress.fault = nil
            progress.journalBytes = journal
        }
    }

    /// Saves what waits. Where the disk has no room for the write-ahead log to grow, the log is moved
    /// into the file first, which may have: then it is written from its beginning again.
    private func saveMakingRoom() throws(StoreFault) {
        do throws(StoreFault) {
            return try writer.save(unsaved)
        } catch {
            guard error.kind == .full, isLogMoved() else { throw error }
        }
        try writer.save(unsaved)
    }

    private func isLogMoved() -> Bool {
        guard journalPages.pointee > 0 else { return false }
        do throws(StoreFault) {
            try checkpoint()
        } catch {
            return false
        }
        return journalPages.pointee == 0
    }

    private func tell(fault: StoreFault) {
        self.fault = fault
        queue.tell { $0.fault = fault }
    }

    private var isTidyDue: Bool { !trims.isEmpty || journalPages.pointee >= checkpointAt }

    /// What can wait until answers are out.
    private func tidy() {
        guard fault == nil else { return }
        do throws(StoreFault) {
            if !trims.isEmpty {
                try writer.trim(trims)
                trims.removeAll()
            }
            try checkpointIfDue()
        } catch {
            // What was saved stays saved. The next batch meets the same fault and tells it. Soon
            // again: a log that grows as others free room could take all of it.
            checkpointAt = journalPages.pointee + Self.checkpointRetryPages
        }
    }

    private func checkpointIfDue() throws(StoreFault) {
        if journalPages.pointee >= checkpointAt { try checkpoint() }
    }

    private func checkpoint() throws(StoreFault) {
        let (pages, moved) = try database.checkpoint()
        let isWhole = pages == moved
        if isWhole { journalPages.pointee = 0 }
        checkpointAt = isWhole ? Self.checkpointPages : pages + Self.checkpointPages
    }

    private func read(_ job: StoreQueue.PageJob) {
        let result: Result<EventPage, StoreFault>
        do throws(StoreFault) {
            result = .success(try reader.page(job.request, before: job.end))
        } catch {
            result = .failure(error)
        }
        queue.tell { $0.pages.append((job.token, result)) }
    }
}

/// Gives the thread its own things.
///
/// Sendable: who keeps them too uses them only while the thread rests; the lock of the queue is
/// between the two uses.
struct Handover: @unchecked Sendable {
    let thread: StoreThread
}
