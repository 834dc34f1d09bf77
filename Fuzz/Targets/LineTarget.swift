import BridgeProtocol
import CJansson
import CJsonTape

/// A line in both directions, and two readers of JSON held against each other.
enum LineTarget {
    static func verdict(_ bytes: [UInt8]) -> String {
        compareReaders(bytes)
        let coder = WireCoder(arenaBytesMax: 4 << 20)
        let request = withExactBytes(bytes) { raw in
            do throws(WireFault) {
                let frame = try coder.decodeClientFrame(line: raw)
                RoundTrip.check(frame)
                return frame.body?.method.name ?? "no method"
            } catch {
                return words(error)
            }
        }
        let answer = withExactBytes(bytes) { raw in
            do throws(WireFault) {
                RoundTrip.check(try coder.decodeServerFrame(line: raw))
                return "decoded"
            } catch {
                return words(error)
            }
        }
        return "request: \(request); answer: \(answer)"
    }

    /// simdjson and jansson take the same documents, but for what is noted here.
    private static func compareReaders(_ bytes: [UInt8]) {
        // jansson wants a list or an object, and reads no byte order mark.
        guard let first = bytes.first(where: { !isSpace($0) }), first == 0x7B || first == 0x5B
        else { return }
        guard let tape = fb_json_tape_create() else { return }
        defer { fb_json_tape_destroy(tape) }
        let isTaped = withExactBytes(bytes) {
            fb_json_tape_read(
                tape, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) != nil
        }
        var error = json_error_t()
        let document = withExactBytes(bytes) {
            fb_json_load(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count,
                Int(JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL), &error)
        }
        defer { if let document { json_decref(document) } }
        guard isTaped != (document != nil) else { return }
        if isTaped {
            // A name with U+0000 is refused by jansson whatever it is told.
            if !String(decoding: bytes, as: UTF8.self).contains(#"\u0000"#) {
                violated("simdjson reads what jansson refuses: \(bytes)")
            }
            return
        }
        // Deeper than 32 levels, and integers over 64 bits, which LineReading looks at again.
        if depth(bytes) > 32 || hasLongNumber(bytes) { return }
        violated("jansson reads what simdjson refuses: \(bytes)")
    }

    private static func depth(_ bytes: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        for byte in bytes {
            if byte == 0x7B || byte == 0x5B { depth += 1 }
            if byte == 0x7D || byte == 0x5D { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    private static func hasLongNumber(_ bytes: [UInt8]) -> Bool {
        var digits = 0
        for byte in bytes {
            digits = (0x30...0x39).contains(byte) ? digits + 1 : 0
            if digits >= 19 { return true }
        }
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
