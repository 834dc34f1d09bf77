import BridgeProtocol
import Testing

@Suite("Text that is typed")
struct TextTests {
    private func start(_ wire: Wire, maxFrame: UInt32 = 0) throws -> (TestClient, String) {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.toggle))
        let client = TestClient(wire: try broker.connect(), mode: wire.mode)
        try client.call(
            .hello(
                with(HelloRequest()) {
                    $0.protocolMajor = 1
                    $0.maxFrame = maxFrame
                }))
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let view = try client.makeFlowView("main")
        try client.subscribe(kinds: ["did_receive_analytic_event"])
        try client.present(view)
        _ = client.takeEvents()
        return (client, view)
    }

    private func report(_ client: TestClient, _ view: String, _ field: String, _ text: String)
        throws -> String?
    {
        try client.focus(view, field)
        try client.enter(view, field, text)
        try client.blur(view)
        guard case .didReceiveAnalyticEvent(let event) = client.takeEvents().last?.kind,
            case .string(let value) = event.params.first(where: { $0.key == "value" })?.value.kind
        else { return nil }
        return value
    }

    @Test(
        "GEN-13 32 KiB pass and fit a frame of the smallest max_frame, also what escapes sixfold",
        arguments: Wire.allCases, ["x", "\"", "\\", "\u{0B}", "\u{2028}", "é", "👩‍👩‍👦‍👦"])
    func largest(wire: Wire, unit: String) throws {
        let (client, view) = try start(wire, maxFrame: 512 << 10)
        let text = String(repeating: unit, count: (32 << 10) / unit.utf8.count)
        let filled = text + String(repeating: "x", count: (32 << 10) - text.utf8.count)
        #expect(filled.utf8.count == 32_768)
        let value = try report(client, view, "notes", filled)
        #expect(value.map { Array($0.utf8) } == Array(filled.utf8))
        // From the record, too, and on the screen.
        let last = try client.lastSequence()
        #expect(try client.events(from: last).events.count == 1)
        let shown = try client.screen(view).screens[0].elements.first { $0.elementId == "notes" }
        #expect(shown?.value?.kind == .string(filled))
    }

    @Test(
        "GEN-13 32 KiB and one byte are LIMIT_EXCEEDED and change nothing", arguments: Wire.allCases
    )
    func tooLarge(wire: Wire) throws {
        let (client, view) = try start(wire)
        try client.focus(view, "name")
        try client.enter(view, "name", "Jane")
        let error = try client.refusal(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = view
                    $0.gesture = .enterText(
                        with(EnterTextGesture()) {
                            $0.text = String(repeating: "x", count: 32_769)
                        })
                }))
        #expect(error.code == .limitExceeded)
        #expect(error.message.holds(["32769", "32768"]))
        #expect(!error.message.contains("xx"))
        try client.blur(view)
        #expect(client.takeStory() == [input("name", "text_input", "Jane", screen: "scr")])
    }

    @Test(
        "GEN-13 an onboarding's largest text fits too, with both spellings",
        arguments: Wire.allCases)
    func largestInOnboarding(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.enrichment))
        let client = TestClient(wire: try broker.connect(), mode: wire.mode)
        try client.call(
            .hello(
                with(HelloRequest()) {
                    $0.protocolMajor = 1
                    $0.maxFrame = 512 << 10
                }))
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let view = try client.makeOnboardingView("welcome")
        try client.present(view)
        try client.subscribe()
        let text = String(repeating: "\"", count: 32_768)
        try client.focus(view, "name")
        try client.enter(view, "name", text)
        try client.blur(view)
        guard case .onStateUpdatedAction(let event) = client.takeEvents().last?.kind,
            case .input(let value) = event.params
        else { throw Unexpected("no state update") }
        #expect(value.kind == .text(text))
    }

    @Test(
        "case 29 GEN-4: text is reported code point for code point", arguments: Wire.allCases)
    func codePoints(wire: Wire) throws {
        let (client, view) = try start(wire)
        let texts = [
            "Wünderbar", "Wu\u{0308}nderbar", "Nguyễn", "李小龍", "👩‍👩‍👦‍👦", "\u{200F}שלום\u{200F}",
            "a\u{A0}", String(repeating: "e\u{0301}", count: 10_000), "  spaces  ", "",
        ]
        for text in texts {
            let value = try report(client, view, "name", text)
            #expect(value.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        }
    }

    @Test(
        "case 31: no line on the wire holds what another reader takes for a line end",
        arguments: [Wire.lineInProcess, .lineSocket])
    func lineEnds(wire: Wire) throws {
        let (client, view) = try start(wire)
        let text = "a\u{2028}b\u{2029}c\u{0085}d\u{000B}e\u{000C}f\ng\rh"
        #expect(try report(client, view, "notes", text) == text)
        let last = try client.lastSequence()
        try client.wire.send(
            Array("{\"id\":500,\"getEvents\":{\"fromSequence\":\(last)}}\n".utf8))
        let bytes = try #require(try client.wire.receive())
        #expect(bytes.last == 0x0A)
        let line = String(decoding: bytes.dropLast(), as: UTF8.self)
        #expect(line.contains("a\\u2028b\\u2029c\\u0085d\\u000be"))
        let others: [Unicode.Scalar] = [
            "\u{2028}", "\u{2029}", "\u{85}", "\u{0B}", "\u{0C}", "\n", "\r", "\u{7F}",
        ]
        #expect(!line.unicodeScalars.contains { others.contains($0) })
    }

    @Test(
        "IN-32 GEN-13 a line break in a single-line field and a control character are refused",
        arguments: Wire.allCases,
        ["a\nb", "a\rb", "a\u{2028}b", "a\u{0B}b", "a\u{85}b", "a\u{07}b", "a\u{7F}b", "a\u{9F}b"])
    func controls(wire: Wire, text: String) throws {
        let (client, view) = try start(wire)
        try client.focus(view, "name")
        let error = try client.refusal(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = view
                    $0.gesture = .enterText(with(EnterTextGesture()) { $0.text = text })
                }))
        #expect(error.code == .invalidArgument)
        #expect(error.field == "perform.text")
        try client.blur(view)
        #expect(client.takeEvents().isEmpty)
    }
}
