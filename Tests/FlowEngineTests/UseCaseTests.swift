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

    @Test("UC-1 IN-7 a finished registration reports each field once, before the close")
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

    @Test("UC-2 an abandoned registration loses the field in focus")
    func abandoned() throws {
        var flow = registration()
        try flow.send(.appear)
        try flow.perform(.focus("name"), .type("Jane"), .focus("email"), .type("ja"))
        #expect(
            flow.take() == [
                "showed scr_registration 0 false",
                "input scr_registration/name text_input \"Jane\"",
            ])
        try flow.send(.disappear)
        #expect(flow.take() == [])
        #expect(flow.session.snapshot(elements: 0..<9).isEmpty)
    }

    @Test("UC-3 a close button beside the last field loses its value")
    func unsafeLastField() throws {
        var flow = registration()
        try flow.present()
        try flow.perform(.focus("email"), .type("jane@example.com"), .tapButton("quit"))
        #expect(flow.take() == ["close"])
        try flow.send(.disappear)
        #expect(flow.take() == [])
    }

    @Test("UC-4 a mind changed twice reports twice")
    func changedMind() throws {
        var flow = registration()
        try flow.present()
        try flow.perform(.focus("email"), .type("a@b.example"), .blur)
        try flow.perform(.focus("email"), .type("c@d.example"), .blur)
        #expect(
            flow.take() == [
                "input scr_registration/email email_input \"a@b.example\"",
                "input scr_registration/email email_input \"c@d.example\"",
            ])
    }

    @Test("UC-5 VW-20 a flow presented again starts empty")
    func presentedAgain() throws {
        var flow = registration()
        try flow.present()
        try flow.perform(.focus("email"), .type("a@b.example"), .tapButton("next"))
        try flow.send(.disappear)
        _ = flow.take()
        try flow.send(.appear)
        #expect(flow.take() == ["showed scr_registration 0 false"])
        #expect(flow.value("email") == .text(""))
    }

    @Test("UC-6 a value pending at the way to the background is lost, and the flow goes on")
    func background() throws {
        var flow = registration()
        try flow.present()
        try flow.perform(.focus("email"), .type("jane@example.com"))
        try flow.send(.enterBackground)
        try flow.send(.enterForeground)
        try flow.perform(.tapButton("next"))
        #expect(flow.take() == ["showed scr_done 1 true"])
    }

    private let levels: ElementDocument = .single(
        "experience", .option("beginner"), .option("amateur", isDefault: true),
        .option("pro", title: "I train professionally"))

    @Test("UC-20 IN-17 a quiz answer reports its option and title")
    func quiz() throws {
        var flow = Harness<FlowSession>(.screen("scr_quiz", levels))
        try flow.present()
        try flow.perform(.tapOption("experience", option: "pro"))
        #expect(
            flow.take() == [
                "input scr_quiz/experience single_choice "
                    + "[\"pro\"] [\"I train professionally\"]"
            ])
    }

    @Test("UC-21 IN-73 IN-52 a default is silent until a tap confirms it")
    func defaultOption() throws {
        var flow = Harness<FlowSession>(.screen("scr_quiz", levels))
        try flow.send(.appear)
        #expect(flow.take() == ["showed scr_quiz 0 true"])
        #expect(flow.selection("experience") == ["amateur"])
        try flow.perform(.tapOption("experience", option: "amateur"))
        #expect(
            flow.take() == [
                "input scr_quiz/experience single_choice [\"amateur\"] [\"amateur\"]"
            ])
    }

    @Test("UC-22 IN-67 a Group ID used on two screens silences both, and is told to the loader")
    func wronglyBuilt() throws {
        var flow = Harness<FlowSession>(
            .screen("scr_quiz", levels), .screen("scr_other", levels))
        try flow.present()
        try flow.perform(.tapOption("experience", option: "pro"))
        #expect(flow.take() == [])
        #expect(flow.selection("experience") == ["pro"])
        #expect(flow.session.document.silentGroups.map(\.rule) == ["IN-67", "IN-67"])
        #expect(flow.session.document.silentGroups.map(\.screen) == [0, 1])
    }
}
