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
        let path = Self.folder.appending(path: "\(target.rawValue).tsv").path
        let entries = try CorpusFile.read(path)
        #expect(entries.count >= 20)
        for entry in entries {
            let verdict = target.verdict(entry.bytes)
            if verdict != entry.verdict {
                let base64 = Data(entry.bytes).base64EncodedString()
                Issue.record("\(target.rawValue) \(base64): \(entry.verdict), and now \(verdict)")
            }
        }
        print("\(target.rawValue): \(entries.count) cases: replayed")
    }

    @Test("there are at least 500 of them")
    func count() throws {
        let counts = try FuzzTarget.allCases.map { target in
            try CorpusFile.read(Self.folder.appending(path: "\(target.rawValue).tsv").path).count
        }
        #expect(counts.reduce(0, +) >= 500)
    }
}
