import CBridgeWire
import Foundation
import FuzzTargets
import Testing

@Suite("What fuzzing has found has the verdict that it had")
struct CorpusTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/corpus")

    @Test("every saved input", arguments: FuzzTarget.allCases)
    func replay(_ target: FuzzTarget) throws {
        let count = try replay(target) { target.verdict($0) }
        print("\(target.rawValue): \(count) cases: replayed")
    }

    private func replay(_ target: FuzzTarget, _ judge: ([UInt8]) -> String) throws -> Int {
        let path = Self.folder.appending(path: "\(target.rawValue).tsv").path
        let entries = try CorpusFile.read(path)
        #expect(entries.count >= 20)
        for entry in entries {
            let verdict = judge(entry.bytes)
            if verdict != entry.verdict {
                let base64 = Data(entry.bytes).base64EncodedString()
                Issue.record("\(target.rawValue) \(base64): \(entry.verdict), and now \(verdict)")
            }
        }
        return entries.count
    }

    @Test("control: a decoder without one of its checks has other verdicts", arguments: missing)
    func control(_ fault: fb_wire_fault) throws {
        withKnownIssue {
            _ = try replay(.messages) {
                FuzzTarget.messages.verdict($0, ignoring: 1 << fault.rawValue)
            }
        }
    }

    /// Without the other checks more than a verdict would go wrong, which ends the process.
    private static let missing = [FB_WIRE_TWICE, FB_WIRE_UTF8, FB_WIRE_NUL]

    @Test(
        "control: a verdict that has changed is seen in each target", arguments: FuzzTarget.allCases
    )
    func changedVerdict(_ target: FuzzTarget) throws {
        var isFirst = true
        withKnownIssue {
            _ = try replay(target) { bytes in
                defer { isFirst = false }
                return target.verdict(bytes) + (isFirst ? ", and more" : "")
            }
        }
    }

    @Test("there are at least 500 of them")
    func count() throws {
        let counts = try FuzzTarget.allCases.map { target in
            try CorpusFile.read(Self.folder.appending(path: "\(target.rawValue).tsv").path).count
        }
        #expect(counts.reduce(0, +) >= 500)
    }
}
