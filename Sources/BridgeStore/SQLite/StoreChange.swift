/// One change on its way to the file.
enum StoreChange {
    /// A new log.
    case log(number: UInt32, name: [UInt8])
    case event(UnsavedEvent)
    /// A piece of a log begins.
    case piece(number: UInt64, log: UInt32, first: UInt64)
    /// A piece is full, or the store closes.
    case closedPiece(number: UInt64, bytes: Int)
    /// A record under its new version; `replacing` is the version in the file, 0: none.
    case record(RecordTable, id: [UInt8], version: UInt64, replacing: UInt64, bytes: [UInt8])
    case removal(RecordTable, id: [UInt8], replacing: UInt64)
    /// A backend event; those before `oldest` go.
    case backendEvent(number: UInt64, oldest: UInt64, bytes: [UInt8])

    /// Whether it writes a fallback file, which no count of waiting bytes has.
    var isFile: Bool {
        if case .record(.fallbackFiles, _, _, _, _) = self { true } else { false }
    }
}

/// The tables of records.
enum RecordTable: String, CaseIterable {
    case profiles, devices, caches
    case fallbackFiles = "fallback_files"
}

/// An event in the memory of the recent ones, which keeps it until its batch was saved.
struct UnsavedEvent {
    let place: Int64
    let tag: EventTag
    let bytes: UnsafeRawBufferPointer
}

/// What one wake-up changed; saved as a whole.
///
/// Sendable: the bytes of its events are written before it is sealed and stay, unchanged, until the
/// loop has learned that it is saved.
struct StoreBatch: @unchecked Sendable {
    var ticket: UInt64
    var changes: [StoreChange] = []
    /// Pieces that are to go, once it is saved: the oldest first.
    var trims: [PieceTrim] = []
    /// About how much memory it holds, but for fallback files.
    var bytes = 0
}

/// A piece that is over the limits of the store.
struct PieceTrim: Sendable {
    let number: UInt64
    let log: UInt32
    let sequences: Range<UInt64>
}
