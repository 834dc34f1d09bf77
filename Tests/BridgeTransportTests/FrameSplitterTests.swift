import BridgeProtocol
import Testing

@testable import BridgeTransport

/// Feeds bytes in the given pieces and collects frames and the fault.
private func split(
    _ pieces: [[UInt8]], limits: Limits = Limits(), frameBytesMax: Int = 1 << 20,
    ends: Bool = false
) -> (frames: [[UInt8]], fault: FramingFault?, mode: WireMode?) {
    let splitter = FrameSplitter()
    let pool = BufferPool()
    var frames: [[UInt8]] = []
    do {
        for piece in pieces {
            try piece.withUnsafeBytes { bytes in
                try splitter.feed(
                    bytes, limits: limits, frameBytesMax: frameBytesMax, pool: pool
                ) {
                    frames.append(Array($0))
                    return true
                }
            }
        }
        if ends {
            try splitter.finish(pool: pool) {
                frames.append(Array($0))
                return true
            }
        }
        return (frames, nil, splitter.mode)
    } catch let fault as FramingFault {
        return (frames, fault, splitter.mode)
    } catch {
        return (frames, FramingFault("\(error)"), splitter.mode)
    }
}

private func framed(_ payload: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(payload.count).bigEndian) { Array($0) } + payload
}

@Suite("Frames are cut the same however the bytes arrive")
struct FrameSplitterTests {
    @Test("every split point of three frames gives the same three frames")
    func everySplitPoint() {
        let payloads: [[UInt8]] = [[1], Array(repeating: 7, count: 300), [9, 9, 9]]
        let bytes = payloads.flatMap(framed)
        for cut in 0...bytes.count {
            let result = split([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(result.frames == payloads, "cut at \(cut)")
            #expect(result.fault == nil)
        }
    }

    @Test("one byte at a time gives the same frames and lines")
    func oneByteAtATime() {
        let binary = framed([1, 2, 3]) + framed([4])
        #expect(split(binary.map { [$0] }).frames == [[1, 2, 3], [4]])
        let lines = Array("{\"a\":1}\r\n\n{}\n".utf8)
        #expect(
            split(lines.map { [$0] }).frames == [Array("{\"a\":1}\r".utf8), Array("{}".utf8)])
    }

    @Test("the first byte chooses the mode, after at most 64 bytes of white space")
    func modes() {
        #expect(split([framed([1])]).mode == .binary)
        #expect(split([Array("{}\n".utf8)]).mode == .line)
        #expect(split([Array(" \t\r\n{}\n".utf8)]).frames == [Array("{}".utf8)])
        let most = Array(repeating: UInt8(0x20), count: 64)
        #expect(split([most + Array("{}\n".utf8)]).fault == nil)
        #expect(split([most + [0x20]]).fault != nil)
        #expect(split([most]).fault == nil)
    }

    @Test(
        "a length out of range is refused before its payload comes",
        arguments: [0, 1 << 20 + 1, 16_777_215] as [UInt32])
    func lengthOutOfRange(length: UInt32) {
        let header = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        let fault = split([header]).fault
        #expect(fault?.message.contains("\(length) bytes") == true)
        #expect(fault?.message.contains("1048576") == true)
    }

    @Test("a frame of exactly the cap passes, one byte more does not")
    func cap() {
        let payload = Array(repeating: UInt8(1), count: 1_000)
        #expect(split([framed(payload)], frameBytesMax: 1_000).frames.count == 1)
        #expect(split([framed(payload + [1])], frameBytesMax: 1_000).fault != nil)
    }

    @Test("a line is at most four times the frame limit")
    func lineCap() {
        let line = "{" + String(repeating: " ", count: 3_998) + "}"
        #expect(split([Array((line + "\n").utf8)], frameBytesMax: 1_000).frames.count == 1)
        #expect(split([Array((line + " \n").utf8)], frameBytesMax: 1_000).fault != nil)
        #expect(split([Array((line + " ").utf8)], frameBytesMax: 1_000).fault != nil)
    }

    @Test("a last line without its line end counts, a frame cut off does not")
    func endOfInput() {
        #expect(split([Array("{\"id\":1}".utf8)], ends: true).frames == [Array("{\"id\":1}".utf8)])
        let cut = split([Array(framed([1, 2, 3]).dropLast())], ends: true)
        #expect(cut.fault?.message.contains("ended inside a frame") == true)
    }

    @Test(
        "first bytes of another dialect are named for what they look like",
        arguments: [
            (Array("GET / HTTP/1.1\r\n".utf8), "HTTP"),
            ([0x18, 0, 0, 0] + Array(repeating: 1, count: 24), "little-endian length of 24"),
            ([23] + Array(repeating: 8, count: 23), "varint length"),
            ([0x0A, 0x12] + Array(repeating: 1, count: 9), "4 bytes, big-endian"),
            ([0x0A, 0x08, 1, 2, 3, 4, 5, 6, 7, 8, 9], "4 bytes, big-endian"),
            ([0xEF, 0xBB, 0xBF, 0x7B], "byte order mark"),
            (Array("[1]".utf8), "JSON array"), (Array("\"a\"".utf8), "JSON string"),
            (Array("hello".utf8), "text"), (Array(repeating: 0x20, count: 65), "white space"),
            ([0x7B, 0x08, 0x01], "byte 08 follows"),
        ] as [([UInt8], String)])
    func dialects(bytes: [UInt8], naming: String) {
        let fault = split([bytes]).fault
        #expect(fault?.message.contains(naming) == true, "\(fault?.message ?? "no fault")")
        #expect(fault?.message.contains("big-endian") == true)
    }
}
