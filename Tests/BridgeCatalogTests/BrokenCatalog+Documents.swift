extension BrokenCatalog {
    /// Faults of flows as a whole: locales, screens, timers, navigators, variables.
    static let documentFaults = [
        BrokenCatalog(
            "a flow without screens", ["flows/f.json": flow(#""screens": []"#)],
            #"""
            flows/f.json#/screens: expected at least one item: a screen with "id" and \#
            "elements"
            """#),
        BrokenCatalog(
            "a flow without the key of its screens", ["flows/f.json": "{}"],
            #"""
            flows/f.json#: "screens" is missing: a screen with "id" and "elements"
            """#),
        BrokenCatalog(
            "a screen without ID", ["flows/f.json": flow(screens: #"{"id": " "}, {}, 1"#)],
            #"""
            flows/f.json#/screens/0/id: expected a string that is not blank, found " "
            flows/f.json#/screens/1: "id" is missing: the screen's id, such as \#
            "scr_registration"
            flows/f.json#/screens/2: expected a screen: an object with "id", found the number \#
            1
            """#),
        BrokenCatalog(
            "two screens of one ID",
            ["flows/f.json": flow(screens: #"{"id": "s"}, {"id": "s"}"#)],
            #"""
            flows/f.json#/screens/1/id: the screen "s" is there twice
            """#),
        BrokenCatalog(
            "FC-7 a locale twice",
            ["flows/f.json": flow(elements: "", #""locales": ["en", {"id": "en"}]"#)],
            #"""
            flows/f.json#/locales/1: the locale "en" is there twice (FC-7)
            """#),
        BrokenCatalog(
            "FC-7 a default locale that is not there",
            ["flows/f.json": flow(elements: "", #""locales": ["de"], "default_locale": "en""#)],
            #"""
            flows/f.json#/default_locale: the default locale "en" is not among the locales \#
            "de" (FC-7)
            """#),
        BrokenCatalog(
            "FC-2 locales are compared exactly",
            [
                "flows/f.json": flow(
                    elements: "", #""locales": ["pt-br"], "default_locale": "pt-BR""#)
            ],
            #"""
            flows/f.json#/default_locale: the default locale "pt-BR" is not among the locales \#
            "pt-br" (FC-7)
            """#),
        BrokenCatalog(
            "locales have to be there and be ids",
            ["flows/f.json": flow(elements: "", #""locales": [], "default_locale": "en""#)],
            #"""
            flows/f.json#/locales: expected at least one item: a locale id
            """#),
        BrokenCatalog(
            "a locale is an id or an object with one",
            ["flows/f.json": flow(elements: "", #""locales": ["en", 5, {"right_to_left": 1}]"#)],
            #"""
            flows/f.json#/locales/1: expected a locale id or an object with "id", found the \#
            number 5
            flows/f.json#/locales/2: "id" is missing: the locale id, as written in the builder
            flows/f.json#/locales/2/right_to_left: expected true or false, found the number 1
            """#),
        BrokenCatalog(
            "a text in an unknown locale, and no text at all",
            [
                "flows/f.json": flow(
                    elements:
                        #"{"type": "text", "text": {"en": "a", "de": "b"}}, {"type": "text", "text": 5}"#
                )
            ],
            #"""
            flows/f.json#/screens/0/elements/0/text/de: unknown locale "de"; the document has \#
            "en"
            flows/f.json#/screens/0/elements/1/text: expected a text, or an object from \#
            locale to text, found the number 5
            """#),
        BrokenCatalog(
            "FC-15 timers: ID, duration, mode, end and ID twice",
            [
                "flows/f.json": flow(
                    elements: "",
                    #"""
                    "timers": [{}, {"id": "a", "mode": "sometimes", "duration_seconds": 0},
                      {"id": "a", "ends_at": "tomorrow"}, {"id": "b", "ends_at": "2025-02-29T00:00:00Z"},
                      {"id": "c", "mode": "custom", "actions": [{"type": "fly"}]}]
                    """#)
            ],
            #"""
            flows/f.json#/timers/0: "id" is missing: the timer's id
            flows/f.json#/timers/0: "duration_seconds" is missing: a timer needs it, or \#
            "ends_at", or the mode "custom" (FC-15)
            flows/f.json#/timers/1/mode: expected "restart", "continue", "persisted" or \#
            "custom", found "sometimes"
            flows/f.json#/timers/1/duration_seconds: expected a whole number from 1 to \#
            3153600000, found the number 0
            flows/f.json#/timers/2: the timer "a" is there twice
            flows/f.json#/timers/2/ends_at: expected an instant in UTC, such as \#
            "2025-12-31T23:59:59Z", found "tomorrow"
            flows/f.json#/timers/3/ends_at: expected an instant in UTC, such as \#
            "2025-12-31T23:59:59Z", found "2025-02-29T00:00:00Z"
            flows/f.json#/timers/4/actions/0/type: unknown action "fly" in a flow; expected \#
            one of "close", "open_url", "custom", "open_screen", "back", "close_navigator", \#
            "set_variable", "purchase", "web_purchase", "restore", "request_permission", \#
            "request_review", "show_alert", "send_event", "conditional"
            """#),
        BrokenCatalog(
            "an unknown timer",
            ["flows/f.json": flow(elements: #"{"type": "text", "text": "a", "timer_id": "t"}"#)],
            #"""
            flows/f.json#/screens/0/elements/0/timer_id: unknown timer "t"; there is none
            """#),
        BrokenCatalog(
            "NAV-17 navigators: twice, equal orders, without order",
            [
                "flows/f.json": flow(
                    elements: "",
                    #"""
                    "navigators": [{"id": "main", "order": 1}, {"id": "a", "order": 0},
                      {"id": "b"}, {"id": "c", "order": "top"}]
                    """#)
            ],
            #"""
            flows/f.json#/navigators/0: the navigator "main" is there twice; "main" is always \#
            there
            flows/f.json#/navigators/1: the order 0 is that of the navigator "main" too; \#
            orders have to differ (NAV-17)
            flows/f.json#/navigators/2: "order" is missing: the highest order is on top
            flows/f.json#/navigators/3/order: expected a whole number from -2147483648 to \#
            2147483647, found "top"
            """#),
        BrokenCatalog(
            "a variable holds text, number, flag or texts",
            ["flows/f.json": flow(elements: "", #""variables": {"a": {}, "b": [1], "c": null}"#)],
            #"""
            flows/f.json#/variables/a: expected a text, a number, true, false or an array of \#
            texts, found an object
            flows/f.json#/variables/b/0: expected a string, found the number 1
            """#),
        BrokenCatalog(
            "NAV-5 NAV-13 marks are true or false",
            [
                "flows/f.json": flow(
                    screens: #"{"id": "s", "is_last_screen": 1, "is_products_screen": true}"#,
                    #""reports_analytics": "no""#)
            ],
            #"""
            flows/f.json#/screens/0/is_last_screen: expected true or false, found the number 1
            flows/f.json#/screens/0/is_products_screen: unknown key "is_products_screen"; \#
            known here: "id", "elements", "hooks", "is_last_screen"
            flows/f.json#/reports_analytics: expected true or false, found "no"
            """#),
        BrokenCatalog(
            "NAV-19 hooks are lists of actions by name",
            [
                "flows/f.json": flow(
                    screens:
                        #"{"id": "s", "hooks": {"appear": [], "did_appear": {"type": "close"}}}"#)
            ],
            #"""
            flows/f.json#/screens/0/hooks/appear: unknown key "appear"; known here: \#
            "will_appear", "did_appear", "will_disappear", "did_disappear"
            flows/f.json#/screens/0/hooks/did_appear: expected an array, found an object
            """#),
    ]
}
