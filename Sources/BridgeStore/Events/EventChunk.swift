/// A piece of a log: events from the front, their places from the back, so that the n-th event is
/// found at once and appending never moves one.
///
/// ```
/// | head, bytes, padding | head, bytes, padding | …   free   … | place 1 | place 0 |
/// ```
/// A head is 16 bytes (length, kind, view tag), a place 4 bytes; events begin at multiples of 8.
struct EventChunk {
    let memory: UnsafeMutableRawPointer
    let capacity: Int
    let firstSequence: UInt64
    private(set) var count = 0
    /// The batch of its last event (`Store.openTicket`); 0 where there are no batches.
    private(set) var ticket: UInt64 = 0
    private var used = 0

    private static let headBytes = 16
    private static let placeBytes = 4

    init(capacity: Int, firstSequence: UInt64) {
        self.memory = .allocate(byteCount: capacity, alignment: 8)
        self.capacity = capacity
        self.firstSequence = firstSequence
    }

    func free() {
        memory.deallocate()
    }

    /// Bytes that an event of that length takes up.
    static func bytes(forEventOf length: Int) -> Int {
        headBytes + (length + 7) & ~7 + placeBytes
    }

    /// Whether an event of that length still fits.
    func hasRoom(forEventOf length: Int) -> Bool {
        used + count * Self.placeBytes + Self.bytes(forEventOf: length) <= capacity
    }

    /// Appends an event that fits. Returns where its bytes are now.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, tag: EventTag, ticket: UInt64
    ) -> UnsafeRawPointer {
        assert(hasRoom(forEventOf: bytes.count), "an event was appended that does not fit")
        let head = memory + used
        head.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
        head.storeBytes(of: tag.kind, toByteOffset: 4, as: UInt8.self)
        head.storeBytes(of: tag.view, toByteOffset: 8, as: UInt64.self)
        if let source = bytes.baseAddress {
            (head + Self.headBytes).copyMemory(from: source, byteCount: bytes.count)
        }
        place(count).storeBytes(of: UInt32(used), as: UInt32.self)
        used += Self.headBytes + (bytes.count + 7) & ~7
        count += 1
        self.ticket = ticket
        return UnsafeRawPointer(head + Self.headBytes)
    }

    /// The n-th event.
    func event(_ index: Int) -> StoredEvent {
        assert(index < count, "an event was read that is not there")
        let head = memory + Int(place(index).load(as: UInt32.self))
        let length = Int(head.load(as: UInt32.self))
        return StoredEvent(
            sequence: firstSequence + UInt64(index),
            tag: EventTag(
                kind: head.load(fromByteOffset: 4, as: UInt8.self),
                view: head.load(fromByteOffset: 8, as: UInt64.self)),
            bytes: UnsafeRawBufferPointer(start: head + Self.headBytes, count: length))
    }

    private func place(_ index: Int) -> UnsafeMutableRawPointer {
        memory + (capacity - (index + 1) * Self.placeBytes)
    }
}
