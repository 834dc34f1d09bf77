import BridgeProtocol
import Foundation
import Testing

@Suite("post_onboarding_message")
struct PostOnboardingMessageTests {
    private static let meta =
        #""meta":{"onboarding_id":"o","screen_cid":"s","screen_index":1,"total_screens":2}"#

    private func start(_ wire: Wire) throws -> (client: TestClient, view: String) {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.subscribe()
        let view = try client.makeOnboardingView("legacy_onboarding")
        try client.present(view)
        _ = client.takeEvents()
        return (client, view)
    }

    private func request(_ json: String, _ view: String) -> ClientFrame.Body {
        .postOnboardingMessage(
            with(PostOnboardingMessageRequest()) {
                $0.viewId = view
                $0.json = json
            })
    }

    private func backendEvents(_ client: TestClient) throws -> [BackendEvent] {
        let reply = try client.call(
            .listBackendEvents(with(ListBackendEventsRequest()) { $0.device = "phone" }))
        guard case .listBackendEvents(let listed) = reply else { throw Unexpected(reply) }
        return listed.events
    }

    @Test(
        "OB-14 what is dropped is one bridge event with the reason, no error and no callback",
        arguments: Wire.allCases)
    func dropped(wire: Wire) throws {
        let (client, view) = try start(wire)
        let cases = [
            ("", "no JSON object"), ("[]", "not an object"), ("{}", "meta is missing"),
            (#"{"type":"closed",\#(Self.meta)}"#, "type has an unknown value"),
            (#"{"type":"close",\#(Self.meta)}"#, "action_id is missing"),
            (#"{"type":"close","action_id":"secret"}"#, "meta is missing"),
            (
                #"{"type":"state_updated","element_id":"e","element_type":"input","#
                    + #""value":{"type":"text","value":4711},\#(Self.meta)}"#,
                "value.value is not a text"
            ),
        ]
        for (json, reason) in cases {
            #expect(try client.post(json, to: view) == false, "\(json)")
            let events = client.takeEvents()
            guard case .onboardingMessageDropped(let dropped) = events.first?.kind else {
                throw Unexpected(events)
            }
            #expect(events.count == 1)
            #expect(events.first?.viewId == view)
            #expect(dropped.reason.contains(reason), "\(dropped.reason)")
            #expect(!dropped.reason.contains("secret") && !dropped.reason.contains("4711"))
        }
        #expect(try client.listViews().map(\.state) == [.onTop])
    }

    @Test(
        "OB-54 OB-50 a screen told by message reaches the backend and moves nothing",
        arguments: Wire.allCases)
    func screenPresented(wire: Wire) throws {
        let (client, view) = try start(wire)
        let (screen, before) = (try client.screen(view), try backendEvents(client).count)
        let message = #"{"type":"analytics","name":"screen_presented",\#(Self.meta)}"#
        #expect(try client.post(message, to: view))
        #expect(client.takeEvents().map { $0.kind?.name } == ["on_analytics_event"])
        let told = try backendEvents(client).dropFirst(before)
        #expect(told.map(\.name) == ["new_onboarding_screen_showed"])
        let properties = Dictionary(
            uniqueKeysWithValues: told.flatMap(\.properties).map { ($0.key, $0.value.kind) })
        #expect(
            properties == [
                "variation_id": .string("var_legacy_onboarding"),
                "onboarding_screen_name": .string("s"),
                "onboarding_screen_order": .string("1"), "onboarding_latest_screen": .bool(true),
            ])
        #expect(try client.screen(view) == screen)
    }

    @Test(
        "case 47 OB-14 OB-52: an empty action id is delivered, a missing one is not",
        arguments: Wire.allCases)
    func emptyActionID(wire: Wire) throws {
        let (client, view) = try start(wire)
        #expect(try client.post(#"{"type":"close","action_id":"",\#(Self.meta)}"#, to: view))
        guard case .onCloseAction(let action) = client.takeEvents().first?.kind else {
            throw Unexpected("no close")
        }
        #expect(action.actionId == "")
        #expect(try client.post(#"{"type":"close",\#(Self.meta)}"#, to: view) == false)
        #expect(
            try client.post(#"{"type":"close","action_id":null,\#(Self.meta)}"#, to: view) == false)
    }

    @Test(
        "case 49 OB-44 OB-45 OB-39: other names are unknown, bad params drop the message",
        arguments: Wire.allCases)
    func names(wire: Wire) throws {
        let (client, view) = try start(wire)
        for name in ["navigation_failed", "button_clicked", "Screen_Presented", ""] {
            let message =
                #"{"type":"analytics","name":"\#(name)","element_id":"x",\#(Self.meta)}"#
            #expect(try client.post(message, to: view))
            guard case .onAnalyticsEvent(let event) = client.takeEvents().first?.kind else {
                throw Unexpected("no event")
            }
            #expect(event.kind == .unknown)
            #expect(event.name == name)
            #expect(event.elementId == nil)
            #expect(!event.payloadJson.contains("params"))
        }
        #expect(
            try client.post(
                #"{"type":"analytics","name":"screen_completed",\#(Self.meta)}"#, to: view))
        guard case .onAnalyticsEvent(let bare) = client.takeEvents().first?.kind else {
            throw Unexpected("no event")
        }
        #expect(bare.kind == .screenCompleted)
        #expect(!bare.payloadJson.contains("params"))
        let wrong =
            #"{"type":"analytics","name":"screen_completed","params":{"reply":5},\#(Self.meta)}"#
        #expect(try client.post(wrong, to: view) == false)
        #expect(client.takeEvents().map { $0.kind?.name } == ["onboarding_message_dropped"])
    }

    @Test("what cannot post is refused and named, and nothing comes", arguments: Wire.allCases)
    func refused(wire: Wire) throws {
        let (client, view) = try start(wire)
        let close = #"{"type":"close","action_id":"x",\#(Self.meta)}"#
        let flow = try client.makeFlowView("onboarding")
        _ = client.takeEvents()
        let unknown = try client.refusal(request(close, "nothing"))
        #expect(unknown.code == .notFound)
        #expect(unknown.message.holds(["nothing", view]))
        let ofFlow = try client.refusal(request(close, flow))
        #expect(ofFlow.code == .invalidArgument)
        #expect(ofFlow.message.contains(flow))
        let long = try client.refusal(request(String(repeating: " ", count: 32_769), view))
        #expect(long.code == .limitExceeded)
        #expect(long.message.holds(["32769", "32768", "textBytesMax"]))
        try client.dismiss(view)
        let off = try client.refusal(request(close, view))
        #expect(off.code == .wrongState)
        #expect(off.message.contains("not on screen"))
        #expect(client.takeEvents().isEmpty)
    }

    @Test("the longest message with the longest escapes fits a frame", arguments: Wire.allCases)
    func longest(wire: Wire) throws {
        let (client, view) = try start(wire)
        let head = #"{"type":"custom",\#(Self.meta),"action_id":""#
        let text = String(repeating: "\u{7F}", count: 32_768 - head.utf8.count - 2)
        #expect(try client.post(head + text + "\"}", to: view))
        guard case .onCustomAction(let action) = client.takeEvents().first?.kind else {
            throw Unexpected("no action")
        }
        #expect(action.actionId == text)
    }
}
