extension BrokenCatalog {
    private static let choice = #"""
        {"type": "single_choice", "group_id": "g", "options": [{"element_id": "a"}]}
        """#

    /// Catalogs that are served, with a warning.
    static let warnings = [
        BrokenCatalog(
            "IN-71 IN-65 an option without Element ID silences its group",
            ["flows/f.json": flow(elements: choice.replacing(#""element_id": "a""#, with: ""))],
            #"""
            flows/f.json#/screens/0/elements/0: warning: this group reports nothing (IN-65): \#
            its option 0 has no Element ID
            """#),
        BrokenCatalog(
            "IN-71 IN-66 two options of one Element ID silence their group",
            [
                "flows/f.json": flow(
                    elements: choice.replacing("]", with: #", {"element_id": "a"}]"#))
            ],
            #"""
            flows/f.json#/screens/0/elements/0: warning: this group reports nothing (IN-66): \#
            two of its options have the Element ID "a"
            """#),
        BrokenCatalog(
            "IN-71 IN-67 a Group ID on two screens silences both groups",
            [
                "flows/f.json": flow(
                    screens: #"""
                        {"id": "s", "elements": [\#(choice), {"type": "button", "actions": [
                          {"type": "open_screen", "screen_id": "t"}]}]},
                        {"id": "t", "elements": [{"type": "toggle", "group_id": "g"}]}
                        """#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0: warning: this group reports nothing (IN-67): \#
            its Group ID "g" is used on another screen too
            flows/f.json#/screens/1/elements/0: warning: this group reports nothing (IN-67): \#
            its Group ID "g" is used on another screen too
            """#),
        BrokenCatalog(
            "IN-71 IN-68 a group without Group ID is silent",
            [
                "flows/f.json": flow(
                    elements: #"{"type": "toggle"}, {"type": "toggle", "group_id": ""}"#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0: warning: this group reports nothing (IN-68): \#
            it has no Group ID
            flows/f.json#/screens/0/elements/1: warning: this group reports nothing (IN-68): \#
            it has no Group ID
            """#),
        BrokenCatalog(
            "IN-71 silent groups are named in a flow with faults too",
            ["flows/f.json": flow(elements: #"{"type": "fly"}, {"type": "toggle", "x": 1}"#)],
            #"""
            flows/f.json#/screens/0/elements/0/type: unknown element "fly" in a flow; expected \#
            one of "text_input", "email_input", "number_input", "phone_input", \#
            "password_input", "date_picker", "time_picker", "date_time_picker", \#
            "single_choice", "multi_choice", "toggle", "button", "text", "product_list", \#
            "tabs", "unsupported"
            flows/f.json#/screens/0/elements/1: warning: this group reports nothing (IN-68): \#
            it has no Group ID
            flows/f.json#/screens/0/elements/1/x: unknown key "x"; known here: "type", \#
            "is_on", "group_id", "text", "enabled", "in_header"
            """#),
        BrokenCatalog(
            "IN-71 IN-64 a group in a Header is silent",
            [
                "flows/f.json": flow(
                    elements: #"{"type": "toggle", "group_id": "g", "in_header": true}"#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0: warning: this group reports nothing (IN-64): \#
            it is inside a Header element, which several screens share
            """#),
        BrokenCatalog(
            "IN-30 a pattern that does not compile",
            [
                "flows/f.json": flow(
                    elements: #"{"type": "text_input", "element_id": "a", "regex": "(a"}"#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0/regex: warning: the pattern does not compile \#
            and will be ignored (IN-30): missing closing parenthesis (character 3)
            """#),
        BrokenCatalog(
            "IN-39 a preset outside the bounds",
            [
                "flows/f.json": flow(
                    elements: #"""
                        {"type": "date_picker", "element_id": "a", "max": "2024-01-01",
                         "preset": "2024-01-02"}
                        """#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0/preset: warning: the preset is outside "min" \#
            and "max"
            """#),
        BrokenCatalog(
            "FC-12 tags without initial value, and tags of no text",
            [
                "flows/f.json": flow(
                    elements: #"""
                        {"type": "text", "text": {"en": "{{a}} {{b}} {c} {{", "de": "{{d}}"},
                         "tags": {"b": "x", "e": "y"}}
                        """#, #""locales": ["en", "de"]"#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0/text: warning: {{a}} is no tag of this text \#
            and stays as it is; give its initial value in "tags" (FC-12)
            flows/f.json#/screens/0/elements/0/text: warning: {{d}} is no tag of this text \#
            and stays as it is; give its initial value in "tags" (FC-12)
            flows/f.json#/screens/0/elements/0/tags: warning: no text here has the tag {{e}}
            """#),
        BrokenCatalog(
            "FC-5 a text without the default locale",
            [
                "flows/f.json": flow(
                    elements: #"{"type": "text", "text": {"de": "x"}}"#, #""locales": ["en", "de"]"#
                )
            ],
            #"""
            flows/f.json#/screens/0/elements/0/text: warning: no text in the default locale \#
            "en": nothing is shown where a locale lacks it
            """#),
        BrokenCatalog(
            "screens that nothing opens",
            [
                "flows/f.json": flow(
                    screens: #"""
                        {"id": "s"}, {"id": "t", "elements": [{"type": "button", "actions": [
                          {"type": "open_screen", "screen_id": "u"}]}]}, {"id": "u"}, {"id": "w"}
                        """#,
                    #"""
                    "timers": [{"id": "a", "duration_seconds": 1, "actions": [
                      {"type": "open_screen", "screen_id": "w"}]}]
                    """#)
            ],
            #"""
            flows/f.json#/screens/1/id: warning: no action opens the screen "t" on any way \#
            from the first one
            flows/f.json#/screens/2/id: warning: no action opens the screen "u" on any way \#
            from the first one
            """#),
        BrokenCatalog(
            "ACT-9 an unknown navigator",
            [
                "flows/f.json": flow(
                    actions: #"""
                        {"type": "open_screen", "screen_id": "s", "navigator_id": "n"},
                        {"type": "close_navigator", "navigator_id": "main"}
                        """#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/navigator_id: warning: unknown \#
            navigator "n"; there are "main"; opening a screen in it fails with 4106 (ACT-9)
            """#),
        BrokenCatalog(
            "ACT-9 a value that the element cannot hold",
            [
                "flows/f.json": flow(
                    elements: #"""
                        \#(choice), {"type": "text_input", "element_id": "f"},
                        {"type": "button", "actions": [
                          {"type": "set_variable", "element_id": "g", "value": "b"},
                          {"type": "set_variable", "element_id": "g", "value": ["a"]},
                          {"type": "set_variable", "element_id": "f", "value": true},
                          {"type": "conditional", "branches": [
                            {"when": {"element_id": "g", "contains": "z"}, "actions": []}]}]}
                        """#)
            ],
            #"""
            flows/f.json#/screens/0/elements/2/actions/0/element_id: warning: the element "g" \#
            holds options out of "a"; setting something else fails with 4105 (ACT-9)
            flows/f.json#/screens/0/elements/2/actions/2/element_id: warning: the element "f" \#
            holds a text; setting something else fails with 4105 (ACT-9)
            flows/f.json#/screens/0/elements/2/actions/3/branches/0/when/element_id: warning: \#
            unknown option "z"; there are "a" in the group "g": it is never selected
            """#),
        BrokenCatalog(
            "PL-22 an audience without variations",
            ["placements.json": placements(variations: ""), "flows/f.json": ""],
            #"""
            placements.json#/placements/0/audiences/0/variations: warning: without a \#
            variation fetching it fails with 2006 (PL-22)
            """#),
        BrokenCatalog(
            "PL-25 weights under 100",
            [
                "placements.json": placements(
                    variations: #"""
                        {"variation_id": "a", "weight": 10, "flow_id": "f", "flow_version_id": "f"},
                        {"variation_id": "b", "weight": 20, "flow_id": "g"}
                        """#)
            ],
            #"""
            placements.json#/placements/0/audiences/0/variations: warning: the weights add up \#
            to 30: what is missing to 100 goes to the heaviest variation (PL-25)
            """#),
        BrokenCatalog(
            "PL-11 a priority of All Users is not looked at",
            [
                "placements.json": placements(
                    audiences: allUsers(variation).replacing(
                        #""all_users": true"#, with: #""all_users": true, "priority": 3"#))
            ],
            #"""
            placements.json#/placements/0/audiences/0/priority: warning: not looked at: all \#
            users come last (PL-11)
            """#),
        BrokenCatalog(
            "PL-1 white space around a placement ID",
            ["placements.json": sound["placements.json"]?.replacing(#""p""#, with: #"" p""#) ?? ""],
            #"""
            placements.json#/placements/0/id: warning: white space around a placement ID: no \#
            app can ask for it, as IDs are trimmed (PL-1)
            """#),
        BrokenCatalog(
            "a flow that no variation shows", ["flows/g.json": flow(elements: "")],
            #"""
            flows/g.json#: warning: no variation of a placement shows it
            """#),
        BrokenCatalog(
            "ACT-27 a product that no paywall of the variation has",
            [
                "flows/f.json": flow(
                    actions: #"{"type": "purchase", "vendor_product_id": "gold"}"#)
            ],
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/vendor_product_id: warning: the \#
            product "gold" is in no paywall of the variation "v": it is never loaded there \#
            (ACT-27)
            """#),
        BrokenCatalog(
            "a file that is no part of a catalog", ["placement.json": "{}"],
            #"""
            placement.json#: warning: no part of a catalog, not read; a catalog has \#
            placements.json, products.json, flows/<flow version id>.json and \#
            onboardings/<onboarding id>.json
            """#),
        BrokenCatalog(
            "ACT-5 an address that cannot be resolved",
            ["flows/f.json": flow(actions: #"{"type": "open_url", "url": "example.com"}"#)],
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/url: warning: "example.com" cannot \#
            be resolved: opening it fails with 4107 (ACT-5)
            """#),
    ]
}
