import BridgeProtocol
import SDKCore
import Testing

/// A gesture that is impossible at first.
struct ImpossibleGesture: Sendable, CustomTestStringConvertible {
    let name: String
    let gesture: PerformRequest.Gesture
    let code: BridgeError.Code
    let says: [String]

    init(
        _ name: String, _ gesture: PerformRequest.Gesture, _ code: BridgeError.Code, says: String...
    ) {
        self.name = name
        self.gesture = gesture
        self.code = code
        self.says = says
    }

    var testDescription: String { name }
}

@Suite("Impossible gestures")
struct GestureRefusalTests {
    static let catalog = TestCatalogs.flows([
        (
            "main",
            #"""
            {"screens":[{"id":"scr_one","elements":[
            {"type":"text_input","element_id":"name"},
            {"type":"text_input","element_id":"shut","enabled":false},
            {"type":"date_picker","element_id":"birthday"},
            {"type":"single_choice","group_id":"level","options":[
              {"element_id":"low"},{"element_id":"high","enabled":false}]},
            {"type":"button","element_id":"stuck","enabled":false,"actions":[{"type":"close"}]},
            {"type":"button","element_id":"next","actions":[{"type":"open_screen","screen_id":"scr_two"}]}
            ]},{"id":"scr_two","elements":[
            {"type":"text_input","element_id":"later"},
            {"type":"toggle","group_id":"reminders"}]}]}
            """#
        )
    ])

    static let gestures: [ImpossibleGesture] = [
        ImpossibleGesture(
            "unknown element", .focus(with(FocusGesture()) { $0.elementId = "emial" }), .notFound,
            says: "emial", "name", "birthday"),
        ImpossibleGesture(
            "element of another screen", .focus(with(FocusGesture()) { $0.elementId = "later" }),
            .notFound, says: "later", "scr_two"),
        ImpossibleGesture(
            "toggle of another screen",
            .tapToggle(with(TapToggleGesture()) { $0.elementId = "reminders" }), .notFound,
            says: "reminders"),
        ImpossibleGesture(
            "disabled field", .focus(with(FocusGesture()) { $0.elementId = "shut" }), .wrongState,
            says: "shut", "disabled"),
        ImpossibleGesture(
            "disabled button", .tapButton(with(TapButtonGesture()) { $0.elementId = "stuck" }),
            .wrongState, says: "stuck", "disabled"),
        ImpossibleGesture(
            "IN-60 disabled option",
            .tapOption(
                with(TapOptionGesture()) {
                    $0.elementId = "level"
                    $0.optionId = "high"
                }), .wrongState, says: "high", "disabled"),
        ImpossibleGesture(
            "unknown option",
            .tapOption(
                with(TapOptionGesture()) {
                    $0.elementId = "level"
                    $0.optionId = "hihg"
                }), .notFound, says: "hihg", "low", "high"),
        ImpossibleGesture(
            "element of another kind",
            .tapButton(with(TapButtonGesture()) { $0.elementId = "name" }), .wrongState,
            says: "name"),
        ImpossibleGesture(
            "IN-92 text without focus",
            .enterText(
                with(EnterTextGesture()) {
                    $0.elementId = "name"
                    $0.text = "Jane"
                }), .wrongState, says: "name", "focus"),
        ImpossibleGesture(
            "IN-92 clear without focus",
            .clearText(with(ClearTextGesture()) { $0.elementId = "name" }), .wrongState,
            says: "name"),
        ImpossibleGesture(
            "IN-92 blur without focus", .blur(BlurGesture()), .wrongState, says: "focus"),
        ImpossibleGesture(
            "IN-92 pick without open picker",
            .pick(
                with(PickGesture()) {
                    $0.date = with(CivilDate()) {
                        $0.year = 2000; $0.month = 1; $0.day = 1
                    }
                }),
            .wrongState, says: "picker"),
        ImpossibleGesture(
            "IN-92 close without open picker", .closePicker(ClosePickerGesture()), .wrongState,
            says: "picker"),
        ImpossibleGesture(
            "NAV-10 back on the first screen", .goBack(GoBackGesture()), .wrongState,
            says: "scr_one", "no screen before it"),
    ]

    @Test(
        "GEN-6 an impossible gesture changes nothing, sends nothing and is told why",
        arguments: Wire.allCases, gestures)
    func impossible(wire: Wire, gesture: ImpossibleGesture) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: Self.catalog))
        let client = try broker.client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let view = try client.makeFlowView("main")
        try client.subscribe()
        try client.present(view)
        _ = client.takeEvents()
        let before = try client.screen(view)
        let error = try client.refusal(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = view
                    $0.gesture = gesture.gesture
                }))
        #expect(error.code == gesture.code, "\(error.message)")
        #expect(error.message.holds(gesture.says), "\(error.message)")
        #expect(error.field.hasPrefix("perform") || error.field == "", "\(error.field)")
        #expect(client.takeEvents().isEmpty)
        #expect(try client.screen(view) == before)
        try broker.expectServesOthers()
    }

    @Test("GEN-6 a view that is not on screen takes no gesture", arguments: Wire.allCases)
    func notOnScreen(wire: Wire) throws {
        let broker = TestBroker.start(wire, TestSetup(catalog: Self.catalog))
        let client = try broker.client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let view = try client.makeFlowView("main")
        func tap(_ view: String) -> ClientFrame.Body {
            .perform(
                with(PerformRequest()) {
                    $0.viewId = view
                    $0.gesture = .tapButton(with(TapButtonGesture()) { $0.elementId = "next" })
                })
        }
        let hidden = try client.refusal(tap(view))
        #expect(hidden.code == .wrongState)
        #expect(hidden.message.holds([view, "not on screen"]))
        let unknown = try client.refusal(tap("x"))
        #expect(unknown.code == .notFound)
        #expect(unknown.message.contains("\"x\""))
    }
}
