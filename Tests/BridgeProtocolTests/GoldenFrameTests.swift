import GoldenFrames
import Testing

@testable import BridgeProtocol

/// What became of bytes.
private enum Verdict: Equatable {
    case client(ClientFrame)
    case server(ServerFrame)
    case fault(WireFault)
}

/// Bytes in memory of exactly their size, so that a read past them is seen by a sanitizer.
private func withExactBytes<T>(_ bytes: [UInt8], _ work: (UnsafeRawBufferPointer) -> T) -> T {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return work(UnsafeRawBufferPointer(memory))
}

private func verdict(_ coder: WireCoder, _ bytes: [UInt8], isRequest: Bool) -> Verdict {
    withExactBytes(bytes) { raw in
        do throws(WireFault) {
            return isRequest
                ? .client(try coder.decodeClientFrame(binary: raw))
                : .server(try coder.decodeServerFrame(binary: raw))
        } catch {
            return .fault(error)
        }
    }
}

private func lineVerdict(_ coder: WireCoder, _ bytes: [UInt8], isRequest: Bool) -> Verdict {
    withExactBytes(bytes) { raw in
        do throws(WireFault) {
            return isRequest
                ? .client(try coder.decodeClientFrame(line: raw))
                : .server(try coder.decodeServerFrame(line: raw))
        } catch {
            return .fault(error)
        }
    }
}

/// Bytes that decode must encode to bytes that decode to the same.
private func reencodes(_ coder: WireCoder, _ verdict: Verdict) throws -> Bool {
    let buffer = ByteBuffer()
    switch verdict {
    case .client(let frame):
        try coder.encode(frame, mode: .binary, into: buffer)
        return same(try coder.client(message(buffer)), frame)
    case .server(let frame):
        coder.encode(frame, mode: .binary, into: buffer)
        return same(try coder.server(message(buffer)), frame)
    case .fault: return true
    }
}

/// Equal, or with a NaN somewhere, which equals nothing.
private func same<T: Equatable>(_ a: T, _ b: T) -> Bool {
    a == b || "\(a)" == "\(b)"
}

@Suite struct GoldenFrameTests {
    @Test("there are golden frames, and each has its length, its message and its line")
    func whole() {
        #expect(GoldenFrame.all.count >= 70)
        for golden in GoldenFrame.all {
            let length = golden.frame.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            #expect(length == golden.bytes.count && length > 0, "\(golden)")
            #expect(golden.line.hasPrefix(#"{"id":""#), "\(golden)")
        }
    }

    @Test(
        "a golden frame reads and writes as those bytes and that line",
        arguments: GoldenFrame.all.filter { $0.role != .read })
    func bothWays(_ golden: GoldenFrame) throws {
        let coder = WireCoder()
        let binary = ByteBuffer()
        let line = ByteBuffer()
        if golden.isRequest {
            let frame = try coder.client(golden.bytes)
            #expect(try coder.client(line: golden.line) == frame)
            try coder.encode(frame, mode: .binary, into: binary)
            try coder.encode(frame, mode: .line, into: line)
        } else {
            let frame = try coder.server(golden.bytes)
            #expect(same(try coder.server(line: golden.line), frame))
            coder.encode(frame, mode: .binary, into: binary)
            coder.encode(frame, mode: .line, into: line)
        }
        #expect(Array(binary.readable) == golden.frame)
        #expect(text(line) == golden.line + "\n")
    }

    @Test(
        "bytes and lines in a form that nobody here writes say the same",
        arguments: GoldenFrame.all.filter { $0.role == .read })
    func readAlone(_ golden: GoldenFrame) throws {
        let coder = WireCoder()
        let frame = try coder.server(golden.bytes)
        #expect(try coder.server(line: golden.line) == frame)
        if let other = golden.otherLine { #expect(try coder.server(line: other) == frame) }
        let line = ByteBuffer()
        coder.encode(frame, mode: .line, into: line)
        #expect(text(line) == golden.line + "\n")
    }

    @Test("of a key of a map that comes twice the last one counts, compared byte by byte")
    func keyTwice() throws {
        // e with an acute accent as one scalar, and as two.
        let (composed, apart) = ("\u{E9}", "e\u{301}")
        let entries: [(String, UInt8)] = [("a", 1), (composed, 2), ("a", 3), (apart, 4)]
        var request: [UInt8] = []
        for (key, number) in entries {
            let length = UInt8(key.utf8.count)
            request += [0x22, length + 4, 0x0A, length] + Array(key.utf8) + [0x10, number]
        }
        let bytes: [UInt8] = [0x08, 0x01, 0xFA, 0x02, UInt8(request.count)] + request
        guard case .getFlowConfiguration(let read) = try WireCoder().client(bytes).body else {
            Issue.record("no request")
            return
        }
        #expect(read.timers.map(\.value) == [3, 2, 4])
        let keys = ["a", composed, apart].map { Array($0.utf8) }
        #expect(read.timers.map { Array($0.key.utf8) } == keys)
        let line = #"{"getFlowConfiguration":{"timers":{"\#(composed)":2,"\#(apart)":4}}}"#
        guard case .getFlowConfiguration(let ofLine) = try WireCoder().client(line: line).body
        else {
            Issue.record("no request")
            return
        }
        #expect(ofLine.timers.map(\.value) == [2, 4])
    }

    @Test("bytes made at random have a verdict", arguments: [1, 2, 3, 4] as [UInt64])
    func randomChanges(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        let coder = WireCoder(arenaBytesMax: 1 << 20)
        for _ in 0..<4_000 {
            let golden = GoldenFrame.all[Int(random.next() % UInt64(GoldenFrame.all.count))]
            var bytes = random.next() % 2 == 0 ? golden.bytes : Array(golden.line.utf8)
            for _ in 0...random.next() % 6 { random.change(&bytes) }
            let first = verdict(coder, bytes, isRequest: golden.isRequest)
            #expect(try reencodes(coder, first), "seed \(seed)")
            let second = lineVerdict(coder, bytes, isRequest: golden.isRequest)
            #expect(try reencodes(coder, second), "seed \(seed)")
        }
    }
}

/// A small generator whose runs can be repeated from their seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Replaces, drops, doubles or inserts some bytes.
    mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: next())) }
        let place = Int(next() % UInt64(bytes.count))
        let length = min(Int(next() % 8) + 1, bytes.count - place)
        switch next() % 5 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.removeSubrange(place..<place + length)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: place)
        case 3: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
        default: bytes[place] = [0x00, 0x7F, 0x80, 0xFF, 0x22, 0x7B][Int(next() % 6)]
        }
    }
}
