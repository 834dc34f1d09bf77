import Testing

@testable import FlowEngine

/// The use cases of onboarding analytics, and the order of callbacks they show.
struct OnboardingUseCaseTests {
    private func onboarding(last: String) -> Harness<OnboardingSession> {
        Harness(
            .screen("welcome", .button("b0", .openScreen("profile", navigator: nil))),
            .screen(
                "profile", .field("email", .email),
                .button("b1", .openScreen("interests", navigator: nil))),
            .screen("interests", .button("b2", .openScreen(last, navigator: nil))),
            .screen(last, .button("close", .close, actionID: "close_button")))
    }

    private let walk: [String] = [
        "didFinishLoading @0", "onboarding_started @0",
        "screen_presented @0", "backend new_onboarding_screen_showed",
        "screen_completed b0 - @0",
        "screen_presented @1", "backend new_onboarding_screen_showed",
        "second_screen_presented @1",
        "state email email \"jane@example.com\" @1", "user_email_collected @1",
        "screen_completed b1 - @1",
        "screen_presented @2", "backend new_onboarding_screen_showed",
        "screen_completed b2 - @2",
        "screen_presented @3", "backend new_onboarding_screen_showed",
    ]

    @Test("UC-31 four screens with an e-mail call back in order, and the ID final completes")
    func final() throws {
        var view = onboarding(last: "final")
        try view.send(.appear)
        try view.perform(
            .tapButton("b0"), .focus("email"), .type("jane@example.com"), .tapButton("b1"),
            .tapButton("b2"))
        #expect(view.take() == walk + ["onboarding_completed @3"])
    }

    @Test("UC-32 OB-43 a last screen of another ID completes nothing")
    func otherName() throws {
        var view = onboarding(last: "final_screen")
        try view.send(.appear)
        try view.perform(
            .tapButton("b0"), .focus("email"), .type("jane@example.com"), .tapButton("b1"),
            .tapButton("b2"))
        #expect(view.take() == walk)
    }

    @Test("UC-42 OB-38 OB-49 a close completes the screen first, and the view stays")
    func close() throws {
        var view = Harness<OnboardingSession>(
            .screen(
                "only", .field("name"), .button("x", .close, .custom("later"), actionID: "bye")))
        try view.present()
        try view.perform(.focus("name"), .type("Jane"), .tapButton("x"))
        #expect(view.take() == ["screen_completed x - @0", "onClose bye @0"])
        #expect(view.screenID == "only")
    }
}
