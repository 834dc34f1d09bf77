import BridgeProtocol

/// Keeps emptied buffers for the next connection that needs one, so that an idle connection
/// holds none and a busy loop allocates none.
public final class BufferPool {
    /// The one given back last: mostly the one that is wanted next.
    private var spare: ByteBuffer?
    private var free: [ByteBuffer] = []
    /// A larger buffer is not kept.
    private static let keptCapacityMax = 256 << 10
    private static let keptMax = 64

    /// Makes an empty pool.
    public init() {}

    func take() -> ByteBuffer {
        if let spare {
            self.spare = nil
            return spare
        }
        return free.popLast() ?? ByteBuffer()
    }

    func put(_ buffer: ByteBuffer) {
        guard buffer.capacity <= Self.keptCapacityMax, free.count < Self.keptMax else { return }
        buffer.removeAll(keepingCapacity: true)
        if spare == nil { spare = buffer } else { free.append(buffer) }
    }
}
