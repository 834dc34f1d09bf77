import BridgeProtocol
import Foundation
import Testing

@Suite("Limits are named, bounded and documented")
struct LimitsTests {
    @Test("docs/limits.md has a row for every limit, with its default and its range")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/limits.md"), encoding: .utf8)
        let limits = Limits()
        for row in Limits.table {
            let line = """
                | `\(row.name)` | \(spaced(limits[row])) | \(row.unit) | \(spaced(row.range.lowerBound)) \
                – \(spaced(row.range.upperBound)) | \(row.meaning) |
                """
            #expect(page.contains(line), "\(line)")
        }
    }

    @Test("a limit is set by name=value, within its range", arguments: Limits.table.map(\.name))
    func set(name: String) throws {
        let row = try #require(Limits.table.first { $0.name == name })
        var limits = Limits()
        for value in [row.range.lowerBound, row.range.upperBound] {
            try limits.set("\(name)=\(value)")
            #expect(limits[row] == value)
        }
        let over = row.range.upperBound.addingReportingOverflow(1)
        let error = #expect(throws: BridgeError.self) {
            try limits.set("\(name)=\(over.partialValue)")
        }
        #expect(error?.message.contains(name) == true)
        #expect(limits[row] == row.range.upperBound)
    }

    @Test(
        "what is no limit is refused with what there is",
        arguments: [
            "", "frameBytesMax", "frames=1", "frameBytesMax=", "frameBytesMax=-1", "helloMs=1s",
        ])
    func refused(text: String) {
        var limits = Limits()
        #expect(throws: BridgeError(.invalidArgument, "")) { try limits.set(text) }
        #expect(limits == Limits())
    }

    private func spaced(_ value: UInt64) -> String {
        var digits = Array(String(value))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(" ", at: index)
            index -= 3
        }
        return String(digits)
    }
}
