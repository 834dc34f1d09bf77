import CBridgeWire
import CProtobufC

/// The memory of one message on its way to or from protobuf-c.
///
/// Everything that it hands out is valid until `reset`.
final class WireArena {
    let raw: UnsafeMutablePointer<fb_arena>
    /// A string with a NUL was met since the last reset; see `text`.
    var metNul = false

    /// Reserves address space; pages are used only as messages need them.
    init(bytesMax: Int) {
        guard let raw = fb_arena_create(bytesMax) else {
            preconditionFailure("no address space for an arena of \(bytesMax) bytes")
        }
        self.raw = raw
    }

    deinit {
        fb_arena_destroy(raw)
    }

    func reset() {
        fb_arena_reset(raw)
        metNul = false
    }

    @inline(__always)
    func take<T>(_ type: T.Type) -> UnsafeMutablePointer<T> {
        fb_arena_take(raw, MemoryLayout<T>.size).assumingMemoryBound(to: T.self)
    }

    @inline(__always)
    func take<T>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
        fb_arena_take(raw, MemoryLayout<T>.stride * count).assumingMemoryBound(to: T.self)
    }

    /// A copy that ends with a NUL. protobuf-c would cut a string at a NUL within it, so that one
    /// becomes U+FFFD and `metNul` says so.
    func text(_ text: String) -> UnsafeMutablePointer<CChar> {
        let copied = text.utf8.withContiguousStorageIfAvailable { copy($0) }
        if let copied { return copied }
        return Array(text.utf8).withUnsafeBufferPointer { copy($0) }
    }

    private func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<CChar> {
        let memory = fb_arena_take(raw, bytes.count + 1)
        if let source = bytes.baseAddress {
            memory.copyMemory(from: source, byteCount: bytes.count)
        }
        memory.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        let text = memory.assumingMemoryBound(to: CChar.self)
        if fb_text_length(text) != bytes.count { return withoutNul(bytes) }
        return text
    }

    private func withoutNul(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<CChar> {
        metNul = true
        var cleaned: [UInt8] = []
        for byte in bytes {
            if byte == 0 { cleaned += [0xEF, 0xBF, 0xBD] } else { cleaned.append(byte) }
        }
        return cleaned.withUnsafeBufferPointer { copy($0) }
    }

    func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        let memory = take(UInt8.self, max(bytes.count, 1))
        bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { memory.update(from: start, count: source.count) }
        }
        return ProtobufCBinaryData(len: bytes.count, data: memory)
    }
}

/// A copy of a C string. The bytes were checked before unpack, or came from a trusted writer.
@inline(__always)
func readText(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text, text.pointee != 0 else { return "" }
    let length = fb_text_length(text)
    return UnsafeRawPointer(text).withMemoryRebound(to: UInt8.self, capacity: length) {
        String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
    }
}

func readTexts(
    _ items: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int
) -> [String] {
    guard let items, count > 0 else { return [] }
    return (0..<count).map { readText(items[$0]) }
}

func readBytes(_ data: ProtobufCBinaryData) -> [UInt8] {
    guard let start = data.data, data.len > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: data.len))
}
