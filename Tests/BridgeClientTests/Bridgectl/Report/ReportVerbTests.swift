import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("bridgectl: report", .shared)
struct ReportVerbTests {
    private let folder = PrivateFolder()

    @Test("GEN-7 a page of a device or a view, whole or in part, values hidden unless asked for")
    func pages() async throws {
        let broker = try ChildBroker.start(
            try ChildBroker.program(nil), catalog: nil, timeout: .seconds(20))
        defer { broker.stop() }
        let driven = try await Bridgectl.run(
            ["drive", "onboarding", "-d", "phone", "-s", broker.socket],
            input: "type name Janeway\ntap next\n")
        #expect(driven.code == 0, "\(driven.errors)")
        let file = folder.file("r.html")
        let run = try await Bridgectl.run(["report", "phone", "-o", file, "-s", broker.socket])
        #expect(run.code == 0, "\(run.errors)")
        let html = try String(contentsOfFile: file, encoding: .utf8)
        #expect(html.contains("<h1>Session of <bdi>phone</bdi></h1>"))
        #expect(html.contains("<bdi>scr_registration</bdi> <span>onboarding</span>"))
        #expect(html.contains("name = &quot;&lt;redacted string&gt;&quot;"))
        #expect(!html.contains("Janeway"))
        let events = try await Bridgectl.run(
            ["call", "get_events", "-d", "phone", "-s", broker.socket]).object()
        let record = try #require(events["events"] as? [[String: Any]])
        #expect(html.contains("<p class=\"facts\">\(record.count) events, "))

        let view = try #require(record.compactMap { $0["viewId"] as? String }.last { !$0.isEmpty })
        let shown = try await Bridgectl.run(
            [
                "report", view, "-d", "phone", "-o", "-", "--show-values", "-n", "4", "-s",
                broker.socket,
            ])
        #expect(shown.output.contains("name = &quot;Janeway&quot;"))
        #expect(shown.output.contains("<p class=\"facts\">4 events, "))
        #expect(shown.output.contains("Later events are left out: --from "))
        #expect(!shown.output.contains("device_opened"))
    }

    @Test("what is neither a device nor a view is told, and so is a missing -o")
    func wrong() async throws {
        let broker = try ChildBroker.start(
            try ChildBroker.program(nil), catalog: nil, timeout: .seconds(20))
        defer { broker.stop() }
        let unknown = try await Bridgectl.run(["report", "nobody", "-o", "-", "-s", broker.socket])
        #expect(unknown.code == 64 + 4)
        #expect(unknown.errors.contains("nobody"))
        let missing = try await Bridgectl.run(["report", "default", "-s", broker.socket])
        #expect(missing.code == 2)
        #expect(missing.errors.contains("report needs -o FILE"))
    }
}
