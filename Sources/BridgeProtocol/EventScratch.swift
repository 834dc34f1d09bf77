/// Memory in which an event is written straight as protobuf, from its last byte to its first.
///
/// Backwards, because the length of a message stands before it: when it is written, it is known.
/// Nothing is allocated once the memory has grown to the largest event. For the events of the hot
/// path; all others go through `WireCoder.encodeEvent`.
public final class EventScratch {
    /// Tag and length, or tag and number, of one field at most.
    private static let headBytesMax = 15

    @usableFromInline var memory: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    /// The first byte that is written.
    @usableFromInline var at: UnsafeMutableRawPointer

    /// Makes memory of a kilobyte; it grows with its events.
    public init() {
        capacity = 1_024
        memory = .allocate(byteCount: capacity, alignment: 8)
        at = memory + capacity
    }

    deinit {
        memory.deallocate()
    }

    /// Begins with another event, of so many bytes of text and so many fields at most.
    public func begin(textBytesMax: Int, fieldsMax: Int) {
        let needed = textBytesMax + fieldsMax * Self.headBytesMax
        if needed > capacity {
            memory.deallocate()
            capacity = needed * 2
            memory = .allocate(byteCount: capacity, alignment: 8)
        }
        at = memory + capacity
    }

    /// What has been written; valid until the next `begin`.
    @inlinable
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: at, count: memory + capacity - at)
    }

    /// A text, also an empty one.
    @inlinable
    public func text(_ field: UInt32, _ text: String) {
        let written: Void? = text.utf8.withContiguousStorageIfAvailable {
            bytes(field, UnsafeRawBufferPointer($0))
        }
        if written == nil { Array(text.utf8).withUnsafeBytes { bytes(field, $0) } }
    }

    /// Fields that were written before, as their bytes.
    @inlinable
    public func fields(_ bytes: [UInt8]) {
        at -= bytes.count
        bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { at.copyMemory(from: start, byteCount: bytes.count) }
        }
    }

    /// A text of the program itself.
    @inlinable
    public func text(_ field: UInt32, _ text: StaticString) {
        bytes(field, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A text of so many bytes of UTF-8 that `fill` writes.
    public func text(
        _ field: UInt32, count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        at -= count
        fill(
            UnsafeMutableBufferPointer(
                start: at.assumingMemoryBound(to: UInt8.self), count: count))
        varint(UInt64(count))
        tag(field, 2)
    }

    /// A text, as its bytes.
    @inlinable
    public func bytes(_ field: UInt32, _ bytes: UnsafeRawBufferPointer) {
        at -= bytes.count
        if let source = bytes.baseAddress, bytes.count > 0 {
            at.copyMemory(from: source, byteCount: bytes.count)
        }
        varint(UInt64(bytes.count))
        tag(field, 2)
    }

    /// A number; a negative one as its 64 bits.
    @inlinable
    public func number(_ field: UInt32, _ value: UInt64) {
        varint(value)
        tag(field, 0)
    }

    /// A double.
    public func double(_ field: UInt32, _ value: Double) {
        at -= 8
        at.storeBytes(of: value.bitPattern.littleEndian, as: UInt64.self)
        tag(field, 1)
    }

    /// A message, of the fields that `body` writes, the last one first.
    @inlinable @inline(__always)
    public func message(_ field: UInt32, _ body: () -> Void) {
        let end = at
        body()
        varint(UInt64(end - at))
        tag(field, 2)
    }

    @inlinable @inline(__always)
    func tag(_ field: UInt32, _ type: UInt32) {
        varint(UInt64(field << 3 | type))
    }

    @inlinable @inline(__always)
    func varint(_ value: UInt64) {
        if value < 0x80 {
            at -= 1
            at.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
        } else {
            longVarint(value)
        }
    }

    @usableFromInline
    func longVarint(_ value: UInt64) {
        at -= (70 - value.leadingZeroBitCount) / 7
        var place = at
        var rest = value
        while rest > 0x7F {
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            place += 1
            rest >>= 7
        }
        place.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    }
}
