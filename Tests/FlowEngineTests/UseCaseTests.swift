import Testing

@testable import FlowEngine

/// The use cases of registration and quizzes, as far as the engine takes part in them.
struct UseCaseTests {
    private func registration(closesAtOnce: Bool = false) -> Harness<FlowSession> {
        Harness(
            .screen(
                "scr_registration", .field("name"), .field("email", .email),
                .button("next", .openScreen("scr_done", navigator: nil)),
                .button("quit", .close)),
            .screen("scr_done", .button("done", .close)))
    }

    @Test("UC-1 a finished registration reports each field once, before the close")
    func finished() throws {
        var flow = registration()
        try flow.send(.appear)
        #expect(flow.take() == ["showed scr_registration 0 false"])
        try flow.perform(.focus("name"), .type("Jane"), .focus("email"))
        #expect(flow.take() == ["input scr_registration/name text_input \"Jane\""])
        try flow.perform(.type("jane@example.com"), .tapButton("next"))
        #expect(
            flow.take() == [
                "input scr_registration/email email_input \"jane@example.com\"",
                "showed scr_done 1 true",
            ])
        try flow.perform(.tapButton("done"))
        #expect(flow.take() == ["close"])
    }
}
