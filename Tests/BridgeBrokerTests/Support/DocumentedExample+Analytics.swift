extension DocumentedExample {
    /// Navigation, of the pages on events. The last one names a screen `final_screen`; the event
    /// itself comes for the ID `final` alone (OB-43), so that only a message leads to the example.
    static let analytics = [
        DocumentedExample(
            analytics: "onboarding_started", screen: "welcome_screen", index: 0,
            gestures: { _, _ in }),
        DocumentedExample(
            analytics: "screen_presented", screen: "interests_screen", index: 2,
            gestures: {
                for button in ["start", "profile_form"] { try $0.tapButton($1, button) }
            }),
        DocumentedExample(
            kind: "on_analytics_event", title: "screen_completed",
            documented: """
                {"name":"screen_completed","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"profile_screen","screen_index":1,"total_screens":4},
                "params":{"element_id":"profile_form","reply":"success"}}
                """,
            other: """
                {"name":"screen_completed","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"profile_screen","screenIndex":1,"screensTotal":4},
                "params":{"elementId":"profile_form","reply":"success"}}
                """,
            message: """
                {"type":"analytics","name":"screen_completed",
                "meta":{"onboarding_id":"onboarding_123","screen_cid":"profile_screen",
                "screen_index":1,"total_screens":4},
                "params":{"element_id":"profile_form","reply":"success"}}
                """,
            onboarding: .four,
            gestures: {
                for button in ["start", "profile_form"] { try $0.tapButton($1, button) }
            }),
        DocumentedExample(
            analytics: "second_screen_presented", screen: "profile_screen", index: 1,
            gestures: { try $0.tapButton($1, "start") }),
        DocumentedExample(
            analytics: "user_email_collected", screen: "profile_screen", index: 1,
            gestures: {
                try $0.tapButton($1, "start")
                try $0.focus($1, "email")
                try $0.enter($1, "email", "jane@example.com")
                try $0.blur($1)
            }),
        DocumentedExample(
            analytics: "onboarding_completed", screen: "final_screen", index: 3, gestures: nil),
    ]

    /// An event with a name and the place where the user stands, and nothing else.
    private init(
        analytics name: String, screen: String, index: Int,
        gestures: (@Sendable (TestClient, String) throws -> Void)?
    ) {
        self.init(
            kind: "on_analytics_event", title: name,
            documented: """
                {"name":"\(name)","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"\(screen)","screen_index":\(index),"total_screens":4}}
                """,
            other: """
                {"name":"\(name)","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"\(screen)","screenIndex":\(index),"screensTotal":4}}
                """,
            message: """
                {"type":"analytics","name":"\(name)","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"\(screen)","screen_index":\(index),"total_screens":4}}
                """,
            onboarding: .four, gestures: gestures)
    }

    /// All of them.
    static let all = actions + states + analytics
}
