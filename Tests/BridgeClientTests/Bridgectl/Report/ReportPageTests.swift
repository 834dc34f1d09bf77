import BridgeProtocol
import Foundation
import Testing

@testable import bridgectl

@Suite("bridgectl: reports")
struct ReportPageTests {
    private static let hostile =
        "</pre><script>alert(1)</script><img src=x onerror=\"alert(2)\">&'\u{1B}"

    private func event(_ sequence: UInt64, _ kind: Event.Kind, at ms: Int64 = 0, view: String = "V")
        -> Event
    {
        with(Event()) {
            $0.sequence = sequence
            $0.viewId = view
            $0.timeMs = ms
            $0.timeZone = "UTC"
            $0.kind = kind
        }
    }

    private func analytic(_ name: String, _ params: [(String, String)]) -> Event.Kind {
        .didReceiveAnalyticEvent(
            with(DidReceiveAnalyticEvent()) {
                $0.name = name
                $0.params = params.map { key, value in
                    with(DidReceiveAnalyticEvent.ParamsEntry()) {
                        $0.key = key
                        $0.value = with(Value()) { $0.kind = .string(value) }
                    }
                }
            })
    }

    private var session: [Event] {
        [
            event(1, .deviceOpened(DeviceOpened()), view: ""),
            event(
                2, .viewPresented(with(ViewPresented()) { $0.placementId = Self.hostile }), at: 250),
            event(3, analytic("flow_screen_showed", [("instanceId", "scr_a")]), at: 251),
            event(
                4,
                analytic(
                    "flow_user_input",
                    [
                        ("instanceId", "scr_a"), ("element_id", "name"),
                        ("element_type", "text_input"),
                        ("value", Self.hostile),
                    ]), at: 65_000),
            event(5, analytic("flow_screen_showed", [("instanceId", "scr_b")]), at: 66_000),
            event(
                6,
                .didFailPurchase(
                    with(DidFailPurchase()) { $0.error = with(SdkError()) { $0.code = 4 } }),
                at: 90_000_000),
        ]
    }

    private func page(showsValues: Bool) -> String {
        ReportPage(
            story: SessionStory(session, showsValues: showsValues), subject: Self.hostile,
            isValueHidden: !showsValues, note: Self.hostile
        ).html
    }

    @Test("chapters begin with views and screens")
    func chapters() {
        let story = SessionStory(session, showsValues: true)
        #expect(story.chapters.map(\.title) == ["", "scr_a", "scr_b"])
        #expect(story.chapters.map(\.entries.count) == [1, 3, 2])
        #expect(story.views.map(\.id) == ["V"])
        #expect(story.chapters[1].entries[0].time == "1970-01-01 00:00:00.250")
        #expect(story.chapters[1].entries[2].sinceMs == 64_749)
    }

    @Test("each event has its topic", arguments: SessionStory.Topic.allCases)
    func topics(topic: SessionStory.Topic) {
        let counts: [SessionStory.Topic: Int] = [.screen: 3, .input: 1, .error: 1, .other: 1]
        #expect(SessionStory(session, showsValues: true).count(of: topic) == counts[topic] ?? 0)
    }

    @Test("nothing that a catalog or a user wrote is markup", arguments: [true, false])
    func escaping(showsValues: Bool) throws {
        let html = page(showsValues: showsValues)
        #expect(html.components(separatedBy: "<script>").count == 2, "its own alone")
        #expect(!html.contains("<img"))
        #expect(!html.contains("\u{1B}"))
        #expect(html.contains("&lt;script&gt;alert(1)"))
        #expect(!html.contains("http://") && !html.contains("https://"), "it needs no network")
        let check = Process()
        check.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        check.arguments = [
            "-c",
            """
            import sys
            from html.parser import HTMLParser
            class Balance(HTMLParser):
                open = []
                def handle_starttag(self, tag, attrs):
                    if tag not in ("meta", "input", "br"): self.open.append(tag)
                def handle_endtag(self, tag):
                    assert self.open.pop() == tag, tag
            parser = Balance()
            parser.feed(sys.stdin.read())
            assert parser.open == [], parser.open
            """,
        ]
        let input = Pipe()
        check.standardInput = input
        try check.run()
        try input.fileHandleForWriting.write(contentsOf: Data(html.utf8))
        try input.fileHandleForWriting.close()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0, "tags are balanced")
    }

    @Test("GEN-7 what the user typed is hidden unless it is asked for")
    func redaction() {
        let story = SessionStory(session, showsValues: false)
        let entry = story.chapters[1].entries[2]
        #expect(entry.line.details == "name = \"<redacted string>\"")
        #expect(!entry.json.contains("alert"))
        #expect(page(showsValues: false).contains("are hidden"))
        #expect(
            SessionStory(session, showsValues: true).chapters[1].entries[2].json.contains("alert"))
    }

    @Test("every color of text has a contrast of 4.5 to 1 on both backgrounds, light and dark")
    func contrast() throws {
        let blocks = ReportStyle.css.components(separatedBy: "--back:").dropFirst()
        #expect(blocks.count == 2)
        for block in blocks {
            let text = "--back:" + block.prefix { $0 != "}" }
            var colors: [String: Double] = [:]
            for match in text.matches(of: /--([a-z]+): #([0-9a-f]{6});/) {
                colors[String(match.1)] = Self.luminance(try #require(Int(match.2, radix: 16)))
            }
            #expect(colors.count == 14)
            for ground in ["back", "card"] {
                for (name, color) in colors where !["back", "card", "line"].contains(name) {
                    let both = [color, try #require(colors[ground])].sorted()
                    let ratio = (both[1] + 0.05) / (both[0] + 0.05)
                    #expect(ratio >= 4.5, "\(name) on \(ground): \(ratio)")
                }
            }
        }
    }

    /// Source: WCAG 2.2, relative luminance.
    private static func luminance(_ rgb: Int) -> Double {
        let parts = [16, 8, 0].map { shift -> Double in
            let part = Double(rgb >> shift & 0xFF) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
