import BridgeProtocol

/// Holds what was decoded against itself after both ways through both modes.
enum RoundTrip {
    static func check(_ frame: ClientFrame) {
        guard frame.body != nil else { return }
        for mode in [WireMode.binary, .line] {
            let coder = WireCoder()
            let buffer = ByteBuffer()
            do {
                try coder.encode(frame, mode: mode, into: buffer)
            } catch {
                violated("a decoded request cannot be encoded: \(error)")
            }
            let again = withExactBytes(body(buffer, mode)) { bytes in
                do throws(WireFault) {
                    return mode == .binary
                        ? try coder.decodeClientFrame(binary: bytes)
                        : try coder.decodeClientFrame(line: bytes)
                } catch {
                    violated("\(mode): what was encoded is refused: \(words(error))")
                }
            }
            expect(
                again == frame || text(again) == text(frame), "\(mode): \(frame) became \(again)")
        }
    }

    static func check(_ frame: ServerFrame) {
        for mode in [WireMode.binary, .line] {
            let coder = WireCoder()
            let buffer = ByteBuffer()
            coder.encode(frame, mode: mode, into: buffer)
            let again = withExactBytes(body(buffer, mode)) { bytes in
                do throws(WireFault) {
                    return mode == .binary
                        ? try coder.decodeServerFrame(binary: bytes)
                        : try coder.decodeServerFrame(line: bytes)
                } catch {
                    violated("\(mode): what was encoded is refused: \(words(error))")
                }
            }
            expect(
                again == frame || text(again) == text(frame), "\(mode): \(frame) became \(again)")
        }
    }

    private static func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
        if !holds { violated(what()) }
    }

    private static func body(_ buffer: ByteBuffer, _ mode: WireMode) -> [UInt8] {
        Array(mode == .binary ? buffer.readable.dropFirst(4) : buffer.readable.dropLast())
    }

    /// A NaN equals nothing, itself included, and JSON has one NaN for all of them.
    private static func text(_ frame: Any) -> String {
        let text = "\(frame)"
        guard text.contains("nan") else { return text }
        return text.replacing(/-?s?nan(\(0x[0-9a-f]+\))?/, with: "nan")
    }
}
