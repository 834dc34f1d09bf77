import Foundation
import Testing

@testable import bridgectl

@Suite("bridgectl: reports of a run")
struct RunReportTests {
    private let outcomes = [
        ScenarioOutcome(file: "a.json", name: "A # \"one\"", steps: 1, ms: 1_234, failure: nil),
        ScenarioOutcome(
            file: "b.json", name: "<b> & 'c'", steps: 3, ms: 5,
            failure: .init(
                step: 2, line: 7, title: "tap \"x\"",
                lines: [
                    FailureLine(kind: .text, text: "callbacks"),
                    FailureLine(kind: .unexpected, text: "]]>\u{1B}[31m & <script>"),
                ])),
    ]

    @Test("TAP has a plan, a line a scenario, and what failed as indented lines")
    func tap() {
        let wanted = """
            TAP version 13
            1..2
            ok 1 - a.json A   "one"
            not ok 2 - b.json <b> & 'c'
              ---
              at: "step 2, b.json:7"
              step: "tap \\"x\\""
              text: |
                callbacks
                  + ]]>\u{FFFD}[31m & <script>
              ...

            """
        #expect(RunReport.tap(outcomes) == wanted)
    }

    @Test("JUnit is sound XML whatever the texts are")
    func junit() throws {
        let xml = RunReport.junit(outcomes)
        #expect(xml.contains("tests=\"2\" failures=\"1\""))
        #expect(xml.contains("time=\"1.234\""))
        #expect(xml.contains("&lt;script&gt;"))
        #expect(xml.contains("step 2, b.json:7: tap &quot;x&quot;"))
        #expect(!xml.unicodeScalars.contains { $0.value == 0x1B })
        let check = Process()
        check.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        check.arguments = ["-c", "import sys,xml.dom.minidom as m; m.parse(sys.stdin.buffer)"]
        let input = Pipe()
        check.standardInput = input
        try check.run()
        try input.fileHandleForWriting.write(contentsOf: Data(xml.utf8))
        try input.fileHandleForWriting.close()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
    }

    @Test("JSON has the failure with its lines")
    func json() throws {
        let object = RunReport.json(outcomes[1])
        #expect(object["passed"]?.bool == false)
        #expect(object["failure"]?["step"]?.compact == "2")
        #expect(object["failure"]?["text"]?.items.count == 2)
        #expect(RunReport.json(outcomes[0])["failure"] == nil)
        #expect(RunReport.summary(outcomes) == "1 passed, 1 failed")
    }
}
