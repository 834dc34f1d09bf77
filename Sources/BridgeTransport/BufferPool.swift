import BridgeProtocol

/// Keeps emptied buffers for the next connection that needs one, so that an idle connection
/// holds none and a busy loop allocates none.
public final class BufferPool {
    /// The one given back last: mostly the one that is wanted next.
    private var spare: ByteBuffer?
    private var free: [ByteBuffer] = []
    private var keptBytes = 0
    /// A larger buffer is not kept.
    private static let bufferBytesMax = 256 << 10
    /// Memory of all that are kept.
    private static let keptBytesMax = 8 << 20
    /// Most answers and events fit a new one.
    private static let newBufferBytes = 2_048

    /// Makes an empty pool.
    public init() {}

    func take() -> ByteBuffer {
        let kept: ByteBuffer
        if let spare {
            kept = spare
            self.spare = nil
        } else if let last = free.popLast() {
            kept = last
        } else {
            return ByteBuffer(capacity: Self.newBufferBytes)
        }
        keptBytes -= kept.capacity
        return kept
    }

    func put(_ buffer: ByteBuffer) {
        let capacity = buffer.capacity
        guard capacity <= Self.bufferBytesMax, keptBytes + capacity <= Self.keptBytesMax else {
            return
        }
        keptBytes += capacity
        buffer.removeAll(keepingCapacity: true)
        if spare == nil { spare = buffer } else { free.append(buffer) }
    }
}
