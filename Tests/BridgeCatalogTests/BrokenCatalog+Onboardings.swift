extension BrokenCatalog {
    /// Faults and warnings of onboardings.
    static let onboardingFaults = [
        BrokenCatalog(
            "elements and actions that onboardings do not have",
            onboarding(
                elements: #"""
                    {"type": "toggle", "group_id": "g"},
                    {"type": "button", "actions": [{"type": "restore"}]}
                    """#),
            #"""
            onboardings/o.json#/screens/0/elements/0/type: unknown element "toggle" in an \#
            onboarding; expected one of "text_input", "email_input", "number_input", \#
            "date_picker", "single_choice", "multi_choice", "button", "text", "unsupported"
            onboardings/o.json#/screens/0/elements/1/actions/0/type: unknown action "restore" \#
            in an onboarding; expected one of "close", "open_url", "custom", "open_screen", \#
            "back", "open_paywall"
            """#),
        BrokenCatalog(
            "keys that onboardings do not have",
            onboarding(elements: "", #""timers": [], "variables": {}, "reports_analytics": true"#),
            #"""
            onboardings/o.json#/timers: unknown key "timers"; known here: "locales", \#
            "default_locale", "screens"
            onboardings/o.json#/variables: unknown key "variables"; known here: "locales", \#
            "default_locale", "screens"
            onboardings/o.json#/reports_analytics: unknown key "reports_analytics"; known \#
            here: "locales", "default_locale", "screens"
            """#),
        BrokenCatalog(
            "OB-59 a button without Action ID",
            onboarding(
                elements: #"""
                    {"type": "button", "actions": [{"type": "close"}]},
                    {"type": "button", "action_id": " ", "actions": [{"type": "custom"}]},
                    {"type": "button", "actions": [{"type": "back"}]}
                    """#),
            #"""
            onboardings/o.json#/screens/0/elements/0: warning: a button without Action ID \#
            calls the app with an empty text: give "action_id" (OB-59)
            onboardings/o.json#/screens/0/elements/1: warning: a button without Action ID \#
            calls the app with an empty text: give "action_id" (OB-59)
            """#),
        BrokenCatalog(
            "OB-19 a paywall button whose Action ID is no placement",
            onboarding(
                elements: #"""
                    {"type": "button", "action_id": "x", "actions": [{"type": "open_paywall"}]},
                    {"type": "button", "action_id": "p", "actions": [{"type": "open_paywall"}]}
                    """#),
            #"""
            onboardings/o.json#/screens/0/elements/0/action_id: warning: no placement has the \#
            ID "x": the app cannot open a paywall with it (OB-19)
            """#),
        BrokenCatalog(
            "OB-57 an onboarding does not say where an address opens",
            onboarding(
                elements: #"""
                    {"type": "button", "action_id": "b", "actions": [
                      {"type": "open_url", "url": "https://a.b", "target": "browser_in_app"}]}
                    """#),
            #"""
            onboardings/o.json#/screens/0/elements/0/actions/0/target: unknown key "target"; \#
            known here: "type", "url"
            """#),
        BrokenCatalog(
            "OB-59 OB-19 an option's actions have Action IDs of their own",
            onboarding(
                elements: #"""
                    {"type": "single_choice", "group_id": "g", "options": [{"element_id": "a",
                      "actions": [{"type": "custom"}, {"type": "open_paywall", "action_id": "x"}]}]}
                    """#),
            #"""
            onboardings/o.json#/screens/0/elements/0/options/0/actions/0: warning: without \#
            Action ID the app is called with an empty text: give "action_id" (OB-59)
            onboardings/o.json#/screens/0/elements/0/options/0/actions/1/action_id: warning: \#
            no placement has the ID "x": the app cannot open a paywall with it (OB-19)
            """#),
        BrokenCatalog(
            "IN-72 holds in onboardings too",
            onboarding(elements: #"{"type": "email_input"}, {"type": "button", "reply": 5}"#),
            #"""
            onboardings/o.json#/screens/0/elements/0: an input needs an Element ID: give \#
            "element_id" (IN-72)
            onboardings/o.json#/screens/0/elements/1/reply: expected a string, found the \#
            number 5
            """#),
    ]
}
