import SDKCore
import Testing

/// One example of the SDK's pages on onboardings: its JSON as documented, the same in the other
/// spelling, the message of a web view that leads to it, and the gestures that do.
struct DocumentedExample: Sendable, CustomTestStringConvertible {
    /// The kind of the event, and what it is an example of.
    let kind: String
    let title: String
    let documented: String
    /// By OB-9 and OB-55.
    let other: String
    /// By OB-52.
    let message: String
    /// The onboarding in which the user comes there.
    let onboarding: Onboarding
    /// What the user does; the last gesture leads to it. Nil: no gesture can (OB-43).
    let gestures: (@Sendable (TestClient, String) throws -> Void)?

    var testDescription: String { title }

    /// Onboardings with the screens that the examples name.
    enum Onboarding: Sendable {
        /// welcome_screen, profile_screen, interests_screen, final_screen.
        case four
        /// pricing_screen is the third of four.
        case pricing
        /// profile_screen, preferences_screen, interests_screen.
        case three

        var catalog: Catalog {
            let screens =
                switch self {
                case .four: Self.fourScreens
                case .pricing: Self.pricingScreens
                case .three: Self.threeScreens
                }
            return TestCatalogs.onboardings([
                ("welcome", "onboarding_123", screens.joined(separator: ","))
            ])
        }

        private static let fourScreens = [
            TestCatalogs.onboardingScreen(
                "welcome_screen", TestCatalogs.toScreen("start", "profile_screen")),
            TestCatalogs.onboardingScreen(
                "profile_screen", #"{"type":"email_input","element_id":"email"}"#,
                #"{"type":"button","element_id":"profile_form","reply":"success","#
                    + #""actions":[{"type":"open_screen","screen_id":"interests_screen"}]}"#),
            TestCatalogs.onboardingScreen(
                "interests_screen", TestCatalogs.toScreen("next", "final_screen")),
            TestCatalogs.onboardingScreen(
                "final_screen",
                TestCatalogs.actionButton("close", "close", actionID: "close_button")),
        ]

        private static let pricingScreens = [
            TestCatalogs.onboardingScreen("a", TestCatalogs.toScreen("next", "b")),
            TestCatalogs.onboardingScreen("b", TestCatalogs.toScreen("next", "pricing_screen")),
            TestCatalogs.onboardingScreen(
                "pricing_screen",
                TestCatalogs.actionButton("offer", "open_paywall", actionID: "premium_offer_1"),
                TestCatalogs.toScreen("next", "d")),
            TestCatalogs.onboardingScreen("d"),
        ]

        private static let threeScreens = [
            TestCatalogs.onboardingScreen(
                "profile_screen", #"{"type":"text_input","element_id":"name_input"}"#,
                #"{"type":"date_picker","element_id":"birthday_picker"}"#,
                TestCatalogs.actionButton("allow", "custom", actionID: "allowNotifications"),
                TestCatalogs.toScreen("next", "preferences_screen")),
            TestCatalogs.onboardingScreen(
                "preferences_screen",
                #"{"type":"single_choice","group_id":"preference_selector","options":["#
                    + #"{"element_id":"option_1","value":"premium","text":"Premium Plan"}]}"#,
                TestCatalogs.toScreen("next", "interests_screen")),
            TestCatalogs.onboardingScreen(
                "interests_screen",
                #"{"type":"multi_choice","group_id":"interests_selector","options":["#
                    + #"{"element_id":"interest_1","value":"sports","text":"Sports"},"#
                    + #"{"element_id":"interest_2","value":"music","text":"Music"},"#
                    + #"{"element_id":"interest_3","value":"travel","text":"Travel"}]}"#),
        ]
    }
}
