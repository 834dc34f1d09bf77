extension DocumentedExample {
    /// Actions and loading, of the pages on events.
    static let actions = [
        DocumentedExample(
            kind: "on_custom_action", title: "a custom action",
            documented: """
                {"actionId":"allowNotifications","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"profile_screen","screenIndex":0,"screensTotal":3}}
                """,
            other: """
                {"action_id":"allowNotifications","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"profile_screen","screen_index":0,"total_screens":3}}
                """,
            message: """
                {"type":"custom","action_id":"allowNotifications",
                "meta":{"onboarding_id":"onboarding_123","screen_cid":"profile_screen",
                "screen_index":0,"total_screens":3}}
                """,
            onboarding: .three, gestures: { try $0.tapButton($1, "allow") }),
        DocumentedExample(
            kind: "on_close_action", title: "a close",
            documented: """
                {"action_id":"close_button","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"final_screen","screen_index":3,"total_screens":4}}
                """,
            other: """
                {"actionId":"close_button","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"final_screen","screenIndex":3,"screensTotal":4}}
                """,
            message: """
                {"type":"close","action_id":"close_button","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"final_screen","screen_index":3,"total_screens":4}}
                """,
            onboarding: .four,
            gestures: {
                for button in ["start", "profile_form", "next", "close"] {
                    try $0.tapButton($1, button)
                }
            }),
        DocumentedExample(
            kind: "on_paywall_action", title: "a paywall action",
            documented: """
                {"action_id":"premium_offer_1","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"pricing_screen","screen_index":2,"total_screens":4}}
                """,
            other: """
                {"actionId":"premium_offer_1","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"pricing_screen","screenIndex":2,"screensTotal":4}}
                """,
            message: """
                {"type":"open_paywall","action_id":"premium_offer_1",
                "meta":{"onboarding_id":"onboarding_123","screen_cid":"pricing_screen",
                "screen_index":2,"total_screens":4}}
                """,
            onboarding: .pricing,
            gestures: {
                for button in ["next", "next", "offer"] { try $0.tapButton($1, button) }
            }),
        DocumentedExample(
            kind: "did_finish_loading", title: "the end of loading",
            documented: """
                {"meta":{"onboarding_id":"onboarding_123","screen_cid":"welcome_screen",
                "screen_index":0,"total_screens":4}}
                """,
            other: """
                {"meta":{"onboardingId":"onboarding_123","screenClientId":"welcome_screen",
                "screenIndex":0,"screensTotal":4}}
                """,
            message: """
                {"type":"onboarding_loaded","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"welcome_screen","screen_index":0,"total_screens":4}}
                """,
            onboarding: .four, gestures: { _, _ in }),
    ]

    /// State updates, of the page on data.
    static let states = [
        DocumentedExample(
            kind: "on_state_updated_action", title: "a select",
            documented: """
                {"elementId":"preference_selector","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"preferences_screen","screenIndex":1,"screensTotal":3},
                "params":{"type":"select",
                "value":{"id":"option_1","value":"premium","label":"Premium Plan"}}}
                """,
            other: """
                {"element_id":"preference_selector","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"preferences_screen","screen_index":1,"total_screens":3},
                "params":{"type":"select",
                "value":{"id":"option_1","value":"premium","label":"Premium Plan"}}}
                """,
            message: """
                {"type":"state_updated","element_id":"preference_selector","element_type":"select",
                "value":{"id":"option_1","value":"premium","label":"Premium Plan"},
                "meta":{"onboarding_id":"onboarding_123","screen_cid":"preferences_screen",
                "screen_index":1,"total_screens":3}}
                """,
            onboarding: .three,
            gestures: {
                try $0.tapButton($1, "next")
                try $0.tapOption($1, "preference_selector", "option_1")
            }),
        DocumentedExample(
            kind: "on_state_updated_action", title: "a multi-select",
            documented: """
                {"elementId":"interests_selector","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"interests_screen","screenIndex":2,"screensTotal":3},
                "params":{"type":"multiSelect","value":[
                {"id":"interest_1","value":"sports","label":"Sports"},
                {"id":"interest_2","value":"music","label":"Music"}]}}
                """,
            other: """
                {"element_id":"interests_selector","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"interests_screen","screen_index":2,"total_screens":3},
                "params":{"type":"multi_select","value":[
                {"id":"interest_1","value":"sports","label":"Sports"},
                {"id":"interest_2","value":"music","label":"Music"}]}}
                """,
            message: """
                {"type":"state_updated","element_id":"interests_selector",
                "element_type":"multi_select","value":[
                {"id":"interest_1","value":"sports","label":"Sports"},
                {"id":"interest_2","value":"music","label":"Music"}],
                "meta":{"onboarding_id":"onboarding_123","screen_cid":"interests_screen",
                "screen_index":2,"total_screens":3}}
                """,
            onboarding: .three,
            gestures: {
                for _ in 1...2 { try $0.tapButton($1, "next") }
                for option in ["interest_2", "interest_1"] {
                    try $0.tapOption($1, "interests_selector", option)
                }
            }),
        DocumentedExample(
            kind: "on_state_updated_action", title: "an input",
            documented: """
                {"elementId":"name_input","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"profile_screen","screenIndex":0,"screensTotal":3},
                "params":{"type":"input","value":{"type":"text","value":"John Doe"}}}
                """,
            other: """
                {"element_id":"name_input","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"profile_screen","screen_index":0,"total_screens":3},
                "params":{"type":"input","value":{"type":"text","value":"John Doe"}}}
                """,
            message: """
                {"type":"state_updated","element_id":"name_input","element_type":"input",
                "value":{"type":"text","value":"John Doe"},
                "meta":{"onboarding_id":"onboarding_123","screen_cid":"profile_screen",
                "screen_index":0,"total_screens":3}}
                """,
            onboarding: .three,
            gestures: {
                try $0.focus($1, "name_input")
                try $0.enter($1, "name_input", "John Doe")
                try $0.blur($1)
            }),
        DocumentedExample(
            kind: "on_state_updated_action", title: "a date picker",
            documented: """
                {"elementId":"birthday_picker","meta":{"onboardingId":"onboarding_123",
                "screenClientId":"profile_screen","screenIndex":0,"screensTotal":3},
                "params":{"type":"datePicker","value":{"day":15,"month":6,"year":1990}}}
                """,
            other: """
                {"element_id":"birthday_picker","meta":{"onboarding_id":"onboarding_123",
                "screen_cid":"profile_screen","screen_index":0,"total_screens":3},
                "params":{"type":"date_picker","value":{"day":15,"month":6,"year":1990}}}
                """,
            message: """
                {"type":"state_updated","element_id":"birthday_picker","element_type":"date_picker",
                "value":{"day":15,"month":6,"year":1990},
                "meta":{"onboarding_id":"onboarding_123","screen_cid":"profile_screen",
                "screen_index":0,"total_screens":3}}
                """,
            onboarding: .three,
            gestures: { try $0.pickDate($1, "birthday_picker", 1990, 6, 15) }),
    ]
}
