import BridgeProtocol
import Testing

/// UC-1 to UC-6: the app and the finger play a registration, in both modes, with and without a
/// socket. Every callback is expected by name and content, in order; any other fails the test.
@Suite("Use cases of the flow data page")
struct UseCaseTests {
    /// A client with a view of the registration flow that is not presented yet, subscribed.
    private func prepare(
        _ wire: Wire, flow: String = "registration"
    ) throws -> (TestBroker, TestClient, String) {
        let broker = TestBroker.start(wire, TestSetup(catalog: TestCatalogs.registration))
        let app = try broker.client(wire.mode)
        try app.openDevice("phone", manualAtMs: 0)
        try app.activate()
        try app.subscribe()
        let view = try app.makeFlowView(flow)
        _ = app.takeEvents()
        return (broker, app, view)
    }

    @Test("UC-1 IN-8 NAV-3 VW-25 register on the app's backend", arguments: Wire.allCases)
    func register(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire)
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        #expect(
            app.takeStory() == [
                "view_presented", "flow_did_appear", showed("scr_registration", 0, false),
            ])

        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.focus(view, "email")
        #expect(app.takeStory() == [input("name", "text_input", "Jane")])

        try app.enter(view, "email", "jane@example.com")
        try app.tapButton(view, "next")
        #expect(
            app.takeStory() == [
                input("email", "email_input", "jane@example.com"), showed("scr_done", 1, true),
            ])

        try app.tapButton(view, "done")
        #expect(app.takeStory() == ["did_perform_action close", "flow_did_disappear"])
        #expect(try app.listViews().first?.state == .dismissed)
    }

    @Test("UC-2 IN-88 register, abandoned", arguments: Wire.allCases)
    func abandoned(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire)
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.focus(view, "email")
        try app.enter(view, "email", "ja")
        _ = app.takeEvents()
        #expect(try app.dismiss(view) == view)
        #expect(app.takeStory() == ["flow_did_disappear"])
    }

    @Test("UC-3 IN-82 the last field is unsafe under a close button", arguments: Wire.allCases)
    func unsafe(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire, flow: "unsafe")
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        try app.focus(view, "email")
        try app.enter(view, "email", "jane@example.com")
        _ = app.takeEvents()
        try app.tapButton(view, "close")
        #expect(app.takeStory() == ["did_perform_action close", "flow_did_disappear"])
    }

    @Test("UC-4 IN-27 IN-80 changed mind: two events, the last one wins", arguments: Wire.allCases)
    func changedMind(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire)
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        _ = app.takeEvents()
        for text in ["jane@example.com", "jane@example.org"] {
            try app.focus(view, "email")
            try app.enter(view, "email", text)
            try app.blur(view)
        }
        #expect(
            app.takeStory() == [
                input("email", "email_input", "jane@example.com"),
                input("email", "email_input", "jane@example.org"),
            ])
    }

    @Test("UC-5 VW-20 presented again, the flow starts empty", arguments: Wire.allCases)
    func again(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire)
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        try app.focus(view, "email")
        try app.enter(view, "email", "jane@example.com")
        try app.tapButton(view, "next")
        try app.tapButton(view, "done")
        _ = app.takeEvents()
        try app.present(view)
        #expect(
            app.takeStory() == [
                "view_presented", "flow_did_appear", showed("scr_registration", 0, false),
            ])
        let screen = try #require(try app.screen(view).screens.first)
        #expect(screen.elements.first { $0.elementId == "email" }?.value?.kind == .string(""))
    }

    @Test("UC-6 IN-83 background loses what was typed", arguments: Wire.allCases)
    func background(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire)
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        try app.focus(view, "email")
        try app.enter(view, "email", "jane@example.com")
        _ = app.takeEvents()
        try app.call(.enterBackground(EnterBackgroundRequest()))
        try app.call(.enterForeground(EnterForegroundRequest()))
        try app.tapButton(view, "next")
        #expect(app.takeStory() == [showed("scr_done", 1, true)])
    }

    @Test(
        "UC-10 UC-11 enrich the profile from a flow; an emptied field clears nothing",
        arguments: Wire.allCases)
    func enrich(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire)
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        _ = app.takeEvents()
        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.blur(view)
        try app.update { $0.firstName = "Jane" }
        #expect(
            app.takeStory() == [input("name", "text_input", "Jane"), "did_load_latest_profile"])
        try app.focus(view, "email")
        try app.enter(view, "email", "jane@example.com")
        try app.blur(view)
        try app.update { $0.email = "jane@example.com" }
        _ = app.takeEvents()
        try app.focus(view, "email")
        try app.perform(view, .clearText(ClearTextGesture()))
        try app.blur(view)
        try app.update { $0.email = "" }
        #expect(app.takeStory() == [input("email", "email_input", "")])
        let stored = try app.inspectProfile()
        #expect(stored.firstName == "Jane")
        #expect(stored.email == "jane@example.com")
    }

    @Test("UC-30 a watcher of one view gets the analytics, in order", arguments: Wire.allCases)
    func watcher(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire)
        let watcher = try broker.client(wire.mode)
        try watcher.subscribe(device: "phone", kinds: ["did_receive_analytic_event"], view: view)
        try app.present(view)
        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.focus(view, "email")
        try app.enter(view, "email", "jane@example.com")
        try app.tapButton(view, "next")
        try app.tapButton(view, "done")
        let seen = try watcher.events(count: 4)
        #expect(
            seen.map(\.story) == [
                showed("scr_registration", 0, false), input("name", "text_input", "Jane"),
                input("email", "email_input", "jane@example.com"), showed("scr_done", 1, true),
            ])
        #expect(seen.allSatisfy { $0.viewId == view && $0.device == "phone" })
    }

    @Test("NAV-13 a flow published before the feature reports nothing", arguments: Wire.allCases)
    func oldFlow(wire: Wire) throws {
        let (broker, app, view) = try prepare(wire, flow: "before_the_feature")
        defer { withExtendedLifetime(broker) {} }
        try app.present(view)
        try app.focus(view, "name")
        try app.enter(view, "name", "Jane")
        try app.tapButton(view, "done")
        #expect(
            app.takeStory() == [
                "view_presented", "flow_did_appear", "did_perform_action close",
                "flow_did_disappear",
            ])
    }
}

func showed(_ screen: String, _ order: Int, _ isLast: Bool) -> String {
    """
    flow_screen_showed {"name":"flow_screen_showed","instanceId":"\(screen)","isCustomerEvent":true,\
    "isBackendEvent":true,"screen_order":\(order),"is_last_screen":\(isLast)}
    """
}

func input(_ element: String, _ type: String, _ text: String, screen: String = "scr_registration")
    -> String
{
    """
    flow_user_input {"name":"flow_user_input","instanceId":"\(screen)","isBackendEvent":false,\
    "isCustomerEvent":true,"element_id":"\(element)","element_type":"\(type)","value":"\(text)"}
    """
}
