import Testing

@testable import BridgeProtocol

@Suite struct ByteBufferTests {
    private func append(_ buffer: ByteBuffer, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer.append($0) }
    }

    @Test("bytes come out as they went in, through growth and consumption")
    func order() {
        let buffer = ByteBuffer(capacity: 16)
        var random = SplitMix64(state: 7)
        var written: [UInt8] = []
        var read: [UInt8] = []
        for _ in 0..<2_000 {
            let bytes = (0..<Int(random.next() % 40)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            append(buffer, bytes)
            written += bytes
            let count = Int(random.next() % UInt64(buffer.count + 1))
            read += buffer.readable.prefix(count)
            buffer.consume(count)
            #expect(buffer.count == written.count - read.count)
        }
        read += buffer.readable
        #expect(read == written)
    }

    @Test("consuming everything makes the whole memory free again")
    func reuse() {
        let buffer = ByteBuffer(capacity: 64)
        for _ in 0..<100 {
            append(buffer, Array(repeating: 1, count: 60))
            buffer.consume(60)
        }
        #expect(buffer.capacity == 64)
        #expect(buffer.isEmpty)
        #expect(buffer.writableBytes == 64)
    }

    @Test("reserved bytes count once they are committed")
    func reserve() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append(1)
        let room = buffer.reserve(100)
        #expect(buffer.count == 1)
        room.storeBytes(of: 2, as: UInt8.self)
        buffer.commit(1)
        #expect(Array(buffer.readable) == [1, 2])
        buffer.truncate(to: 1)
        #expect(Array(buffer.readable) == [1])
    }

    @Test("a buffer that has grown shrinks unless it may keep its memory")
    func shrink() {
        let buffer = ByteBuffer()
        append(buffer, Array(repeating: 1, count: 10_000))
        buffer.removeAll(keepingCapacity: true)
        #expect(buffer.isEmpty && buffer.capacity >= 10_000)
        buffer.removeAll(keepingCapacity: false)
        #expect(buffer.capacity == 512)
    }
}
