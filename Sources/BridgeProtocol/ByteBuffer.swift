/// Raw bytes that grow, written at one end and read at the other.
///
/// Not Sendable: a buffer belongs to one loop or client. `capacity` is known, so that a pool can
/// keep small buffers and drop those that one large frame has grown.
public final class ByteBuffer {
    @usableFromInline var base: UnsafeMutableRawPointer
    /// Bytes of memory held.
    public internal(set) var capacity: Int
    @usableFromInline var readIndex = 0
    @usableFromInline var writeIndex = 0

    /// Makes an empty buffer with room for `capacity` bytes.
    public init(capacity: Int = 512) {
        let bytes = max(capacity, 16)
        self.capacity = bytes
        base = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    /// Bytes written and not consumed yet.
    @inlinable public var count: Int { readable.count }

    /// Whether there is nothing to read.
    @inlinable public var isEmpty: Bool { readable.isEmpty }

    /// The bytes written and not consumed yet; valid until the next change of the buffer.
    @inlinable public var readable: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + readIndex, count: writeIndex - readIndex)
    }

    /// Room for `bytes` more bytes; valid until the next change of the buffer.
    ///
    /// What is written there counts once `commit` says so.
    @inlinable
    public func reserve(_ bytes: Int) -> UnsafeMutableRawPointer {
        if capacity - writeIndex < bytes { makeRoom(bytes) }
        return base + writeIndex
    }

    /// Counts `bytes` bytes at the place that `reserve` gave as written.
    @inlinable
    public func commit(_ bytes: Int) {
        precondition(bytes >= 0 && bytes <= capacity - writeIndex, "committed more than reserved")
        writeIndex += bytes
    }

    /// Bytes that fit behind the last written one without growing.
    public var writableBytes: Int { capacity - writeIndex }

    /// Writes a copy of the bytes.
    @inlinable
    public func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        writeIndex += bytes.count
    }

    /// Writes one byte.
    public func append(_ byte: UInt8) {
        reserve(1).storeBytes(of: byte, as: UInt8.self)
        writeIndex += 1
    }

    /// Drops `bytes` bytes from the front.
    @inlinable
    public func consume(_ bytes: Int) {
        precondition(bytes >= 0 && bytes <= writeIndex - readIndex, "consumed more than written")
        readIndex += bytes
        if readIndex == writeIndex {
            readIndex = 0
            writeIndex = 0
        }
    }

    /// Drops bytes from the end until `count` are left.
    public func truncate(to count: Int) {
        precondition(count >= 0 && count <= writeIndex - readIndex, "truncated to more than held")
        writeIndex = readIndex + count
    }

    /// Drops everything; the memory stays if `keepingCapacity`, else it shrinks to 512 bytes.
    public func removeAll(keepingCapacity: Bool) {
        readIndex = 0
        writeIndex = 0
        if !keepingCapacity && capacity > 512 {
            base.deallocate()
            base = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 16)
            capacity = 512
        }
    }

    /// Moves what is readable to the front, or to twice the memory.
    @usableFromInline
    func makeRoom(_ bytes: Int) {
        let held = writeIndex - readIndex
        if readIndex > 0 && capacity - held >= bytes && held <= capacity / 2 {
            base.copyMemory(from: base + readIndex, byteCount: held)
        } else {
            let larger = max(capacity * 2, held + bytes)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
            memory.copyMemory(from: base + readIndex, byteCount: held)
            base.deallocate()
            base = memory
            capacity = larger
        }
        readIndex = 0
        writeIndex = held
    }
}
