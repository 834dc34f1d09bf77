import Testing

@testable import FlowEngine

/// What is lost on close and in the background (IN-79, IN-82 to IN-87, VW-21, VW-28).
struct LossTests {
    private func form() -> Harness<FlowSession> {
        Harness(
            .screen(
                "s", .field("f"), .picker("p"), .button("close", .close),
                .button("both", .openScreen("t", navigator: nil), .close)), .screen("t"))
    }

    @Test("IN-79 IN-82 a close button reports neither a field in focus nor an open picker")
    func close() throws {
        for gestures in [
            [Gesture.focus("f"), .type("x")], [.openPicker("p"), .pick(1990, 6, 15)],
        ] {
            var flow = form()
            try flow.present()
            for gesture in gestures { try flow.perform(gesture) }
            try flow.perform(.tapButton("close"))
            try flow.send(.disappear)
            #expect(flow.take() == ["close"])
        }
    }

    @Test("IN-86 IN-87 a move to another screen reports, and the close after it loses nothing")
    func moveThenClose() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("both"))
        #expect(flow.take() == ["input s/f text_input \"x\"", "showed t 1 true", "close"])
    }

    @Test("IN-83 IN-84 a field loses its focus in the background and reports after a new edit")
    func backgroundField() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("f"), .type("Jane"))
        try flow.send(.enterBackground)
        try flow.send(.enterForeground)
        #expect(flow.element("f")?.isFocused == false)
        #expect(flow.value("f") == .text("Jane"))
        try flow.perform(.focus("f"), .blur)
        #expect(flow.take() == [])
        try flow.perform(.focus("f"), .type("Janet"), .blur)
        #expect(flow.take() == ["input s/f text_input \"Janet\""])
    }

    @Test("IN-83 a picker closes in the background and falls back to the value it had")
    func backgroundPicker() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.openPicker("p"), .pick(1990, 6, 15))
        try flow.send(.enterBackground)
        #expect(flow.value("p") == nil)
        try flow.send(.enterForeground)
        try flow.perform(.openPicker("p"), .pick(1990, 6, 15), .closePicker)
        try flow.perform(.openPicker("p"), .pick(2000, 1, 1))
        try flow.send(.enterBackground)
        try flow.send(.enterForeground)
        #expect(flow.value("p") == .instant(645_408_000_000))
        #expect(flow.take() == ["input s/p date_picker 645408000000"])
    }

    @Test("VW-21 IN-85 GEN-6 the background sends nothing and takes no gestures")
    func background() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .blur)
        _ = flow.take()
        try flow.send(.enterBackground)
        #expect(flow.refusal(of: .focus("f"))?.reason == .wrongState)
        #expect(flow.refusal(of: .tapOutside)?.reason == .wrongState)
        try flow.send(.enterForeground)
        #expect(flow.take() == [])
    }

    @Test("GEN-6 a view that is not on screen takes no gestures")
    func offScreen() throws {
        var flow = form()
        #expect(flow.refusal(of: .focus("f"))?.reason == .wrongState)
        try flow.present()
        try flow.send(.disappear)
        #expect(flow.refusal(of: .focus("f"))?.reason == .wrongState)
    }

    @Test("ACT-4 a close that the app does not act on leaves the view as it was")
    func appStays() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .tapButton("close"), .blur)
        #expect(flow.take() == ["close", "input s/f text_input \"x\""])
    }

    @Test("IN-85 what was reported is not sent again by a close or the background")
    func reportedOnce() throws {
        var flow = form()
        try flow.present()
        try flow.perform(.focus("f"), .type("x"), .openPicker("p"), .pick(1990, 6, 15))
        try flow.perform(.closePicker)
        #expect(flow.take().count == 2)
        try flow.send(.enterBackground)
        try flow.send(.enterForeground)
        try flow.perform(.focus("f"), .tapButton("close"))
        try flow.send(.disappear)
        #expect(flow.take() == ["close"])
    }
}
