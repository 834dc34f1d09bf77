import Testing

@testable import FlowEngine

/// What buttons and links do (ACT-1 to ACT-9, ACT-20, ACT-21, ACT-27, ACT-44, ACT-46, NAV-15).
struct ActionTests {
    private func button(_ actions: ActionDocument...) -> Harness<FlowSession> {
        let document = ElementDocument(
            id: "b", content: .button(ButtonDocument(actions: actions)))
        return Harness(.screen("s", .field("f"), document, .toggle("t")), .screen("x"))
    }

    @Test(
        "ACT-1 a button performs close, openURL or custom",
        arguments: [
            (.close, "close"), (.custom("my id"), "custom my id"),
            (.openURL("https://a.example/ü", .browserOutApp), "openURL https://a.example/ü out"),
            (.openURL("mailto:x@y.example", .browserInApp), "openURL mailto:x@y.example in"),
            (.restore(), "restore"), (.requestReview, "review"),
            (.requestPermission("push", arguments: [:]), "permission push"),
        ] as [(ActionDocument, String)])
    func performs(action: ActionDocument, line: String) throws {
        var flow = button(action)
        try flow.present()
        try flow.perform(.tapButton("b"))
        #expect(flow.take() == [line])
    }

    @Test(
        "ACT-5 a URL that cannot be resolved is 4107, and nothing is performed",
        arguments: [
            "", "no scheme", "https:", ":x", "1a:b", "https://a b", "a\u{0}:b", "http://\n",
        ])
    func badURL(url: String) throws {
        var flow = button(.openURL(url, .browserOutApp))
        try flow.present()
        try flow.perform(.tapButton("b"))
        #expect(flow.take() == ["failed 4107 invalidActionURL"])
    }

    @Test("ACT-5 a link in a text acts as openURL")
    func link() throws {
        var flow = Harness<FlowSession>(
            .screen("s", .label("terms", "Terms", links: ["https://a.example", "broken"])))
        try flow.present()
        try flow.perform(.tapLink("terms", index: 0), .tapLink("terms", index: 1))
        #expect(flow.take() == ["openURL https://a.example out", "failed 4107 invalidActionURL"])
        let refusal = flow.refusal(of: .tapLink("terms", index: 2))
        #expect(refusal?.reason == .notFound)
        #expect(refusal?.field == "link_index")
        #expect(flow.refusal(of: .tapLink("terms", index: -1))?.reason == .notFound)
    }

    @Test("ACT-7 actions run in order, and a close drops the rest")
    func order() throws {
        var flow = button(.custom("1"), .custom("2"), .close, .custom("3"))
        try flow.present()
        try flow.perform(.tapButton("b"))
        #expect(flow.take() == ["custom 1", "custom 2", "close"])
        try flow.perform(.tapButton("b"))
        #expect(flow.take().count == 3)
    }

    @Test("ACT-7 a close inside a branch drops what follows the branch")
    func closeInBranch() throws {
        var flow = button(.branch([], otherwise: [.close]), .custom("3"))
        try flow.present()
        try flow.perform(.tapButton("b"))
        #expect(flow.take() == ["close"])
    }

    @Test("ACT-9 a faulty action is 4105, and the next ones run")
    func fault() throws {
        var flow = button(.openScreen("nowhere", navigator: nil), .openPaywall("x"), .custom("2"))
        try flow.present()
        try flow.perform(.tapButton("b"))
        #expect(
            flow.take() == ["failed 4105 jsException", "failed 4105 jsException", "custom 2"])
    }

    @Test("ACT-9 more than a thousand actions in one turn are taken for a loop")
    func budget() throws {
        let many = Array(repeating: ActionDocument.custom("x"), count: FlowTurn.actionsMax + 1)
        let document = ElementDocument(id: "b", content: .button(ButtonDocument(actions: many)))
        var flow = Harness<FlowSession>(.screen("s", document))
        try flow.present()
        try flow.perform(.tapButton("b"))
        let lines = flow.take()
        #expect(lines.count == FlowTurn.actionsMax + 1)
        #expect(lines.last == "failed 4105 jsException")
    }

    @Test(
        "NAV-15 a flow's own event reaches the app and the backend as its params say",
        arguments: [
            ([:], ["backend e"]), (["isCustomerEvent": .bool(true)], ["own e", "backend e"]),
            (["isCustomerEvent": .bool(true), "isBackendEvent": .bool(false)], ["own e"]),
            (["isCustomerEvent": .string("true")], ["backend e"]),
            (["isBackendEvent": .bool(false)], []),
        ] as [([String: ParamValue], [String])])
    func ownEvents(params: [String: ParamValue], lines: [String]) throws {
        var all = params
        all["x"] = .integer(1)
        var flow = button(.sendEvent(name: "e", params: all))
        try flow.present()
        try flow.perform(.tapButton("b"))
        let effects = flow.takeEffects()
        #expect(effects.map(\.line) == lines)
        for case .analytic(.own(_, let told)) in effects { #expect(told == all) }
    }

    private let alert = ActionDocument.showAlert(
        title: "Sure?", message: "",
        actions: [
            AlertActionDocument(
                id: "Yes", title: "Yes", style: .default, actions: [.custom("yes")]),
            AlertActionDocument(
                id: "no", title: "No", style: .cancel,
                actions: [.openScreen("x", navigator: nil)]),
        ])

    @Test("ACT-8 ACT-46 an alert blocks gestures until it is answered, and then runs its action")
    func alerts() throws {
        var flow = button(alert, .custom("behind"))
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("b"))
        #expect(flow.take() == ["alert Sure?", "custom behind"])
        for gesture in [Gesture.tapToggle("t"), .blur, .tapOutside, .goBack] {
            let refusal = flow.refusal(of: gesture)
            #expect(refusal?.reason == .wrongState)
            #expect(refusal?.message.contains("\"Yes\", \"no\"") == true)
        }
        #expect(throws: GestureRefusal.self) { try flow.send(.alertAnswered(actionID: "maybe")) }
        try flow.send(.alertAnswered(actionID: "Yes"))
        #expect(flow.take() == ["custom yes"])
        #expect(throws: GestureRefusal.self) { try flow.send(.alertAnswered(actionID: "Yes")) }
        try flow.perform(.tapButton("b"))
        try flow.send(.alertAnswered(actionID: "no"))
        #expect(
            flow.take() == [
                "alert Sure?", "custom behind", "input s/f text_input \"x\"", "showed x 1 true",
            ])
    }

    @Test("ACT-44 an alert asked for while one is open is ignored")
    func secondAlert() throws {
        var flow = button(alert, .showAlert(title: "Other", message: "", actions: []))
        try flow.present()
        try flow.perform(.tapButton("b"))
        #expect(flow.take() == ["alert Sure?"])
        try flow.send(.alertAnswered(actionID: "Yes"))
        #expect(flow.take() == ["custom yes"])
    }

    @Test("VW-28 an alert answered in the background acts at the return")
    func answeredInBackground() throws {
        var flow = button(alert)
        try flow.present()
        try flow.perform(.tapButton("b"))
        try flow.send(.enterBackground)
        try flow.send(.alertAnswered(actionID: "Yes"))
        #expect(flow.take() == ["alert Sure?"])
        try flow.send(.enterForeground)
        #expect(flow.take() == ["custom yes"])
    }

    @Test("VW-20 an alert goes with its presentation")
    func alertGoes() throws {
        var flow = button(alert)
        try flow.present()
        try flow.perform(.tapButton("b"))
        try flow.send(.disappear)
        try flow.present()
        try flow.perform(.tapToggle("t"))
        #expect(flow.take() == ["input s/t toggle true"])
    }
}
