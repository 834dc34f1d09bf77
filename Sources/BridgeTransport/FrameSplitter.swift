import BridgeProtocol
import Glibc

/// Cuts the bytes of one connection into frames: a state machine without descriptors.
///
/// Frames are handed out in place, from the bytes just read where that is possible; only an
/// unfinished frame is copied, into a buffer that grows with what really arrived, so a length
/// that promises much costs nothing. A class, because the mode is asked for while a frame is
/// handed out.
final class FrameSplitter {
    /// Chosen by the first byte, then fixed.
    private(set) var mode: WireMode?
    /// The beginning of a frame whose end has not arrived; nil when there is none.
    private(set) var partial: ByteBuffer?
    private var leadingSpace = 0
    /// Bytes of `partial` that are known to hold no line end.
    private var scanned = 0

    /// Whether a frame has begun and not ended.
    var isInsideFrame: Bool { partial != nil }

    /// Takes bytes and calls `frame` for each whole frame, without its length or line end.
    ///
    /// - Parameter frame: returns false to stop; what is left is then dropped.
    /// - Throws: `FramingFault` when the bytes can be no frame.
    func feed(
        _ bytes: UnsafeRawBufferPointer, limits: Limits, frameBytesMax: Int, pool: BufferPool,
        frame: (UnsafeRawBufferPointer) -> Bool
    ) throws(FramingFault) {
        guard let partial else {
            let used = try split(bytes, limits, frameBytesMax, frame)
            if used < bytes.count { keep(bytes[used...], pool) }
            return
        }
        partial.append(bytes)
        let used = try split(partial.readable, limits, frameBytesMax, frame)
        partial.consume(used)
        if partial.readable.isEmpty { drop(pool) }
    }

    /// Ends the input: hands out a last line that lacks its line end.
    ///
    /// - Throws: `FramingFault` for a frame that was cut off.
    func finish(
        pool: BufferPool, frame: (UnsafeRawBufferPointer) -> Bool
    ) throws(FramingFault) {
        guard let rest = partial else { return }
        defer { drop(pool) }
        switch mode {
        case .line:
            handOut(rest.readable, frame)
        case .binary:
            throw FramingFault(
                "the connection ended inside a frame, after \(rest.readable.count) bytes of it")
        case nil:
            throw FramingFault(Dialect.describe(rest.readable))
        }
    }

    /// Gives the buffer of an unfinished frame back.
    func drop(_ pool: BufferPool) {
        if let partial { pool.put(partial) }
        partial = nil
        scanned = 0
    }

    private func keep(_ rest: Slice<UnsafeRawBufferPointer>, _ pool: BufferPool) {
        let buffer = pool.take()
        buffer.append(UnsafeRawBufferPointer(rebasing: rest))
        partial = buffer
    }

    /// Returns how many bytes were used up.
    private func split(
        _ bytes: UnsafeRawBufferPointer, _ limits: Limits, _ frameBytesMax: Int,
        _ frame: (UnsafeRawBufferPointer) -> Bool
    ) throws(FramingFault) -> Int {
        var start = 0
        if mode == nil {
            start = try chooseMode(bytes, limits)
        }
        switch mode {
        case .binary: return try splitFrames(bytes, from: start, frameBytesMax, frame)
        case .line: return try splitLines(bytes, from: start, frameBytesMax, frame)
        case nil: return start
        }
    }

    /// Skips white space and looks at the first byte that is none. Returns its place.
    private func chooseMode(
        _ bytes: UnsafeRawBufferPointer, _ limits: Limits
    ) throws(FramingFault) -> Int {
        var index = 0
        if leadingSpace == 0, bytes.first == 0 {
            mode = .binary
            return 0
        }
        while index < bytes.count, Self.isSpace(bytes[index]) {
            index += 1
            leadingSpace += 1
            if leadingSpace > Int(limits.leadingSpaceBytesMax) {
                throw FramingFault(
                    "\(leadingSpace) bytes of white space and no {, at most "
                        + "\(limits.leadingSpaceBytesMax); \(Dialect.describe(bytes))")
            }
        }
        guard index < bytes.count else { return index }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
        guard rest[0] == UInt8(ascii: "{") else { throw FramingFault(Dialect.describe(bytes)) }
        guard rest.count > 1 else { return index }
        guard Self.isSpace(rest[1]) || rest[1] == UInt8(ascii: "\"") || rest[1] == UInt8(ascii: "}")
        else { throw FramingFault(Dialect.describeBrace(rest)) }
        mode = .line
        return index
    }

    private func splitFrames(
        _ bytes: UnsafeRawBufferPointer, from start: Int, _ frameBytesMax: Int,
        _ frame: (UnsafeRawBufferPointer) -> Bool
    ) throws(FramingFault) -> Int {
        var index = start
        while bytes.count - index >= 4 {
            let length = Int(
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
            if length == 0 || length > frameBytesMax {
                throw FramingFault(
                    "a frame of \(length) bytes: 1 to \(frameBytesMax) are possible "
                        + "(4 bytes of length, big-endian, then the message)")
            }
            guard bytes.count - index - 4 >= length else { break }
            index += 4
            guard frame(UnsafeRawBufferPointer(rebasing: bytes[index..<index + length])) else {
                return bytes.count
            }
            index += length
        }
        return index
    }

    private func splitLines(
        _ bytes: UnsafeRawBufferPointer, from start: Int, _ frameBytesMax: Int,
        _ frame: (UnsafeRawBufferPointer) -> Bool
    ) throws(FramingFault) -> Int {
        let lineBytesMax = 4 * frameBytesMax
        var index = start
        var search = max(start, scanned)
        while let end = Self.lineEnd(bytes, from: search) {
            guard end - index <= lineBytesMax else { throw tooLong(end - index, lineBytesMax) }
            guard handOut(UnsafeRawBufferPointer(rebasing: bytes[index..<end]), frame) else {
                return bytes.count
            }
            index = end + 1
            search = index
        }
        guard bytes.count - index <= lineBytesMax else {
            throw tooLong(bytes.count - index, lineBytesMax)
        }
        scanned = bytes.count - index
        return index
    }

    private func tooLong(_ count: Int, _ limit: Int) -> FramingFault {
        FramingFault("a line of \(count) bytes or more: at most \(limit) (4 times max_frame)")
    }

    /// A line of white space alone is no frame.
    @discardableResult
    private func handOut(
        _ line: UnsafeRawBufferPointer, _ frame: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        line.allSatisfy(Self.isSpace) ? true : frame(line)
    }

    private static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
