import BridgeProtocol
import CBridgeWire
import Foundation
import Testing

/// Messages made and changed at random, and what protobuf for Python makes of them.
/// `FLOWBRIDGE_DECODED` sets how many (20 000), `FLOWBRIDGE_DECODED_SEED` repeats a run.
@Suite("Two decoders take the same messages, but for what is noted")
struct SecondDecoderTests {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Oracles/protobuf_verdicts.py")

    /// Why this decoder refuses what another one takes; each is in docs/testing.md.
    private static let notes: [(name: String, says: String)] = [
        ("a group", "a group"),
        ("another wire type than the field's", "wire type that does not fit"),
        ("a varint of more than 64 bits", "more than 64 bits"),
        ("a tag or length of more than five bytes", "field numbers are 1 to"),
        ("a tag or length of more than five bytes", "passes the end of its message"),
        ("U+0000 in a text", "holds U+0000"),
        ("a message or a choice given twice", "is given twice"),
        ("an enum number of a request without a name", "it takes"),
        ("no method", "no method: a frame has one member"),
        ("no method", "no method has field number"),
    ]

    @Test("the same bytes through both: one verdict, one meaning, or a noted difference")
    func agree() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["FLOWBRIDGE_DECODED"] ?? "20000"
        let seed = environment["FLOWBRIDGE_DECODED_SEED"] ?? "\(UInt32.random(in: 0...UInt32.max))"
        try compare(count, seed, Reading())
    }

    @Test("control: a decoder without one of its checks is seen", arguments: missing)
    func control(_ fault: fb_wire_fault) throws {
        withKnownIssue { try compare("2000", "1", Reading(.ignoring(fault))) }
    }

    /// Checks that protobuf for Python makes too, and one whose absence changes what is meant.
    private static let missing = [FB_WIRE_UTF8, FB_WIRE_NUL]

    private func compare(_ count: String, _ seed: String, _ reading: Reading) throws {
        let (lines, process) = try start(count, seed)
        var tally: [String: Int] = [:]
        var compared = 0
        while let line = lines.next() {
            let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
            try #require(parts.count >= 3)
            let bytes = hexBytes(parts[1])
            let verdict = decode(bytes, isRequest: parts[0] == "C", reading.coder)
            let difference = difference(verdict, isTaken: parts[2] == "1")
            tally[difference.name, default: 0] += 1
            if difference.isFault {
                Issue.record("seed \(seed): \(parts[0]) \(parts[1]): \(difference.name)")
            }
            if case .line(let ours) = verdict, parts.count == 4, parts[3] != "" {
                compared += 1
                if try !meansTheSame(ours, parts[3]) {
                    Issue.record("seed \(seed): \(parts[1]): \(ours) and \(parts[3])")
                }
            }
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let total = tally.values.reduce(0, +)
        #expect(String(total) == count)
        #expect(compared * 20 > total)
        print("seed \(seed): \(total) cases: \(compared) compared in what they mean")
        for (name, count) in tally.sorted(by: { $0.value > $1.value }) {
            print("  \(count) \(name)")
        }
    }

    private enum Found {
        case line(String)
        case refused(String)
    }

    private func decode(_ bytes: [UInt8], isRequest: Bool, _ coder: WireCoder) -> Found {
        let buffer = ByteBuffer()
        return withExactBytes(bytes) { raw in
            do throws(WireFault) {
                if isRequest {
                    let frame = try coder.decodeClientFrame(binary: raw)
                    do throws(BridgeError) {
                        try coder.encode(frame, mode: .line, into: buffer)
                    } catch {
                        return .refused("cannot be encoded: \(error.message)")
                    }
                } else {
                    coder.encode(
                        try coder.decodeServerFrame(binary: raw), mode: .line, into: buffer)
                }
                return .line(String(decoding: buffer.readable.dropLast(), as: UTF8.self))
            } catch {
                switch error {
                case .undecodable(let text): return .refused(text)
                case .payload(_, let error): return .refused(error.message)
                }
            }
        }
    }

    private func difference(_ found: Found, isTaken: Bool) -> (name: String, isFault: Bool) {
        switch (found, isTaken) {
        case (.line, true): return ("both take it", false)
        case (.refused, false): return ("both refuse it", false)
        case (.line, false): return ("only this decoder takes it", true)
        case (.refused(let text), true):
            let note = Self.notes.first { text.contains($0.says) }
            return (
                note.map { "noted: \($0.name)" } ?? "only Python takes it: \(text)", note == nil
            )
        }
    }

    /// The order of a map's entries, and NaN, mean nothing.
    private func meansTheSame(_ one: String, _ other: String) throws -> Bool {
        func value(_ text: String) throws -> NSDictionary {
            try #require(
                JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
        }
        return one == other ? true : try value(one) == value(other)
    }

    private func hexBytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private func start(_ count: String, _ seed: String) throws -> (OutputLines, Process) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Self.program.path, count, seed]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (OutputLines(output.fileHandleForReading), process)
    }
}

/// What a program prints, line by line.
private final class OutputLines {
    private let handle: FileHandle
    private var held = Data()
    private var isAtEnd = false

    init(_ handle: FileHandle) { self.handle = handle }

    func next() -> String? {
        while true {
            if let end = held.firstIndex(of: 0x0A) {
                defer { held.removeSubrange(held.startIndex...end) }
                return String(decoding: held[..<end], as: UTF8.self)
            }
            guard !isAtEnd else { return nil }
            let more = handle.availableData
            if more.isEmpty { isAtEnd = true } else { held.append(more) }
        }
    }
}
