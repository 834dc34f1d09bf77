import BridgeProtocol
import CBridgeWire

@testable import BridgeTransport

/// What became of bytes. Anything else, a crash above all, is a fault of the project.
enum Verdict: Equatable {
    case request(ClientFrame)
    case answer(ServerFrame)
    /// One request is refused with this code, and its connection stays.
    case refused(id: UInt64, BridgeError.Code)
    /// The connection gets INVALID_FRAME and closes: the bytes are no message.
    case undecodable
    /// The same, as the bytes are no frame.
    case framing
    /// Nothing came of them: the frame has not ended yet, or the line is blank.
    case nothing

    /// For the count of a sweep.
    var sort: String {
        switch self {
        case .request, .answer: "decoded"
        case .refused(_, let code): code.name
        case .undecodable: "no message"
        case .framing: "no frame"
        case .nothing: "nothing"
        }
    }

    /// The codes with which a decoder refuses a payload (docs/protocol.md, "Errors").
    static let codes: Set<BridgeError.Code> = [.invalidArgument, .unknownMethod, .limitExceeded]
}

/// Bytes in memory of exactly their size, so that a sanitizer sees a read past them.
func withExactBytes<T>(_ bytes: [UInt8], _ work: (UnsafeRawBufferPointer) -> T) -> T {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return work(UnsafeRawBufferPointer(memory))
}

/// What a reader does about bytes that are not as they should be; a control takes one away.
struct ReadingGuards: Sendable {
    /// What is left of one piece is kept for the next.
    var keepsRest = true
    /// A frame that was cut off is told.
    var tellsCut = true
    /// Faults that the scan before unpacking passes over, as bits.
    var ignored: UInt32 = 0
    /// The way through a mode and back keeps the id.
    var keepsID = true

    static func ignoring(_ fault: fb_wire_fault) -> ReadingGuards {
        ReadingGuards(ignored: 1 << fault.rawValue)
    }
}

/// Cuts and decodes what one connection gets, as a loop or a client does.
final class Reading {
    let coder = WireCoder(arenaBytesMax: 1 << 20)
    private let guards: ReadingGuards
    private let pool = BufferPool()

    init(_ guards: ReadingGuards = ReadingGuards()) {
        self.guards = guards
        coder.ignoredFaults = guards.ignored
    }

    /// The verdicts on bytes that come in those pieces and then end.
    func verdicts(_ pieces: [ArraySlice<UInt8>], isRequest: Bool) -> [Verdict] {
        var found: [Verdict] = []
        var splitter = FrameSplitter()
        let limits = Limits()
        do throws(FramingFault) {
            for piece in pieces {
                if !guards.keepsRest { splitter = FrameSplitter() }
                try withExactPiece(piece) { (bytes) throws(FramingFault) in
                    try splitter.feed(bytes, limits: limits, frameBytesMax: 1 << 20, pool: pool) {
                        found.append(self.verdict($0, splitter.mode, isRequest: isRequest))
                        return found.last != .undecodable
                    }
                }
            }
            try splitter.finish(pool: pool) {
                found.append(self.verdict($0, splitter.mode, isRequest: isRequest))
                return true
            }
        } catch {
            if guards.tellsCut { found.append(.framing) }
        }
        return found.isEmpty ? [.nothing] : found
    }

    /// The verdict on one message or line.
    func verdict(
        _ bytes: UnsafeRawBufferPointer, _ mode: WireMode?, isRequest: Bool
    ) -> Verdict {
        do throws(WireFault) {
            switch (mode, isRequest) {
            case (.binary, true): return .request(try coder.decodeClientFrame(binary: bytes))
            case (.binary, false): return .answer(try coder.decodeServerFrame(binary: bytes))
            case (_, true): return .request(try coder.decodeClientFrame(line: bytes))
            case (_, false): return .answer(try coder.decodeServerFrame(line: bytes))
            }
        } catch {
            switch error {
            case .undecodable: return .undecodable
            case .payload(let id, let error): return .refused(id: id, error.code)
            }
        }
    }

    /// What differs when a decoded frame goes through both modes and back; nil: nothing.
    func difference(_ verdict: Verdict) throws -> String? {
        for mode in [WireMode.binary, .line] {
            let buffer = ByteBuffer()
            let isRequest: Bool
            switch verdict {
            case .request(var frame):
                guard frame.body != nil else { return nil }
                if !guards.keepsID { frame.id = 0 }
                try coder.encode(frame, mode: mode, into: buffer)
                isRequest = true
            case .answer(let frame):
                coder.encode(frame, mode: mode, into: buffer)
                guard buffer.count > 4 else { continue }
                isRequest = false
            default: return nil
            }
            let bytes = Array(buffer.readable)
            let found = verdicts([bytes[...]], isRequest: isRequest)
            if found == [verdict] { continue }
            if found.count == 1, withoutNaN("\(found[0])") == withoutNaN("\(verdict)") { continue }
            let text = mode == .line ? String(decoding: bytes, as: UTF8.self) : "\(bytes)"
            return "\(mode): \(found.map(\.sort)) of \(text)"
        }
        return nil
    }

    /// A NaN equals nothing, itself included, and JSON has one NaN for all of them.
    private func withoutNaN(_ text: String) -> String {
        guard text.contains("nan") else { return text }
        return text.replacing(/-?s?nan(\(0x[0-9a-f]+\))?/, with: "nan")
    }
}

private func withExactPiece(
    _ piece: ArraySlice<UInt8>, _ work: (UnsafeRawBufferPointer) throws(FramingFault) -> Void
) throws(FramingFault) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: piece)
    try work(UnsafeRawBufferPointer(memory))
}
