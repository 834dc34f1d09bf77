extension BrokenCatalog {
    private static func actions(
        _ promise: String, _ actions: String, members: String = "", _ text: String = ""
    ) -> BrokenCatalog {
        BrokenCatalog(promise, ["flows/f.json": flow(actions: actions, members)], text)
    }

    /// Faults of actions and conditions.
    static let actionFaults = [
        actions(
            "an unknown action", #"{"type": "fly"}, {"type": "open_paywall"}, {}, "close""#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/type: unknown action "fly" in a \#
            flow; expected one of "close", "open_url", "custom", "open_screen", "back", \#
            "close_navigator", "set_variable", "purchase", "web_purchase", "restore", \#
            "request_permission", "request_review", "show_alert", "send_event", "conditional"
            flows/f.json#/screens/0/elements/0/actions/1/type: unknown action "open_paywall" \#
            in a flow; expected one of "close", "open_url", "custom", "open_screen", "back", \#
            "close_navigator", "set_variable", "purchase", "web_purchase", "restore", \#
            "request_permission", "request_review", "show_alert", "send_event", "conditional"
            flows/f.json#/screens/0/elements/0/actions/2: "type" is missing: the kind of \#
            action
            flows/f.json#/screens/0/elements/0/actions/3: expected an action: an object with \#
            "type", found "close"
            """#),
        actions(
            "an unknown screen",
            #"{"type": "open_screen", "screen_id": "t"}, {"type": "open_screen"}"#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/screen_id: unknown screen "t"; there \#
            are "s"
            flows/f.json#/screens/0/elements/0/actions/1: "screen_id" is missing: the screen \#
            to open
            """#),
        actions(
            "ACT-1 a URL and where it opens",
            #"{"type": "open_url", "target": "window"}, {"type": "open_url", "url": " "}"#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0: "url" is missing: the address to \#
            open
            flows/f.json#/screens/0/elements/0/actions/0/target: expected "browser_out_app" \#
            or "browser_in_app", found "window"
            flows/f.json#/screens/0/elements/0/actions/1/url: warning: " " cannot be \#
            resolved: opening it fails with 4107 (ACT-5)
            """#),
        actions(
            "ACT-1 a custom action has its ID", #"{"type": "custom"}"#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0: "action_id" is missing: the Action \#
            ID that the app gets
            """#),
        actions(
            "a purchase names a product or a product list that is there",
            #"""
            {"type": "purchase"}, {"type": "purchase", "vendor_product_id": "silver"},
            {"type": "web_purchase", "product_list_id": "plans"},
            {"type": "web_purchase", "product_list_id": "x", "vendor_product_id": "gold"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0: expected one of the keys \#
            "vendor_product_id", "product_list_id", found none
            flows/f.json#/screens/0/elements/0/actions/1/vendor_product_id: unknown product \#
            "silver"; add it to products.json
            flows/f.json#/screens/0/elements/0/actions/2/product_list_id: unknown product \#
            list "plans"; there is none
            flows/f.json#/screens/0/elements/0/actions/3: expected one of the keys \#
            "vendor_product_id", "product_list_id", found several
            """#),
        actions(
            "ACT-31 ACT-33 ACT-42 a result that never comes has no actions",
            #"""
            {"type": "web_purchase", "vendor_product_id": "gold", "on_success": []},
            {"type": "restore", "on_pending": []},
            {"type": "request_permission", "permission": "push", "on_granted": {}},
            {"type": "restore", "on_failure": [{"type": "open_screen", "screen_id": "t"}]}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/vendor_product_id: warning: the \#
            product "gold" is in no paywall of the variation "v": it is never loaded there \#
            (ACT-27)
            flows/f.json#/screens/0/elements/0/actions/0/on_success: unknown key \#
            "on_success"; known here: "type", "on_failure", "on_pending", \#
            "vendor_product_id", "product_list_id"
            flows/f.json#/screens/0/elements/0/actions/1/on_pending: unknown key \#
            "on_pending"; known here: "type", "on_success", "on_failure"
            flows/f.json#/screens/0/elements/0/actions/2/on_granted: expected an array, \#
            found an object
            flows/f.json#/screens/0/elements/0/actions/3/on_failure/0/screen_id: unknown \#
            screen "t"; there are "s"
            """#),
        actions(
            "an unknown variable, element and screen",
            #"""
            {"type": "set_variable", "variable": "v", "value": 1},
            {"type": "set_variable", "element_id": "e", "value": "a"},
            {"type": "set_variable", "element_id": "e", "screen_id": "t", "value": "a"},
            {"type": "set_variable", "variable": "v", "screen_id": "s", "value": {}},
            {"type": "set_variable", "element_id": "e"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/variable: unknown variable "v"; \#
            there is none; add it to "variables", with null if it has no value at first
            flows/f.json#/screens/0/elements/0/actions/1/element_id: unknown element "e"; \#
            there are "b" on the screen "s"
            flows/f.json#/screens/0/elements/0/actions/2/element_id: unknown screen "t"; \#
            there are "s"
            flows/f.json#/screens/0/elements/0/actions/3/screen_id: "screen_id" goes with \#
            "element_id" only; a variable has no screen
            flows/f.json#/screens/0/elements/0/actions/3/value: expected a text, a number, \#
            true, false or an array of texts, found an object
            flows/f.json#/screens/0/elements/0/actions/4: "value" is missing: what is \#
            written: text, number, true, false, texts
            """#),
        actions(
            "an element without a value cannot be set or compared",
            #"{"type": "set_variable", "element_id": "b", "screen_id": "s", "value": "a"}"#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/element_id: the element "b" has no \#
            value to look at or to set
            """#),
        actions(
            "a condition has one subject and one comparison",
            #"""
            {"type": "conditional", "branches": [
              {"when": {"variable": "v"}}, {"when": {"equals": 1}}, {"actions": []},
              {"when": {"variable": "v", "equals": 1, "contains": "x"}}, {"when": 5}, 5,
              {"when": {"not": {"any": [{"variable": "w", "is_set": 1}]}}},
              {"when": {"all": {}}, "then": []}]}
            """#, members: #""variables": {"v": 1}"#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/branches/0/when: expected one of the \#
            keys "equals", "not_equals", "contains", "is_set", found none
            flows/f.json#/screens/0/elements/0/actions/0/branches/1/when: expected one of the \#
            keys "variable", "element_id", found none
            flows/f.json#/screens/0/elements/0/actions/0/branches/2: "when" is missing: the \#
            condition of this branch
            flows/f.json#/screens/0/elements/0/actions/0/branches/3/when: expected one of the \#
            keys "equals", "not_equals", "contains", "is_set", found several
            flows/f.json#/screens/0/elements/0/actions/0/branches/4/when: expected a \#
            condition, found the number 5
            flows/f.json#/screens/0/elements/0/actions/0/branches/5: expected an object with \#
            "when" and "actions", found the number 5
            flows/f.json#/screens/0/elements/0/actions/0/branches/6/when/not/any/0/variable: \#
            unknown variable "w"; there are "v"; add it to "variables", with null if it has \#
            no value at first
            flows/f.json#/screens/0/elements/0/actions/0/branches/6/when/not/any/0/is_set: \#
            expected true or false, found the number 1
            flows/f.json#/screens/0/elements/0/actions/0/branches/7/when/all: expected an \#
            array, found an object
            flows/f.json#/screens/0/elements/0/actions/0/branches/7/then: unknown key "then"; \#
            known here: "when", "actions"
            """#),
        actions(
            "a conditional action has branches", #"{"type": "conditional", "branches": []}"#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0/branches: expected at least one \#
            item: an object with "when" and "actions"
            """#),
        actions(
            "ACT-46 an alert has a title, and actions with titles and IDs of their own",
            #"""
            {"type": "show_alert"},
            {"type": "show_alert", "title": "t", "actions": [{"title": "a"}, {"title": "a"},
              {"title": "b", "style": "bold", "actions": [{"type": "fly"}]}, {}]}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0: "title" is missing: the alert's \#
            title
            flows/f.json#/screens/0/elements/0/actions/0: "actions" is missing: an action of \#
            the alert
            flows/f.json#/screens/0/elements/0/actions/1/actions/1: the alert has two actions \#
            with the ID "a"; set another "id"
            flows/f.json#/screens/0/elements/0/actions/1/actions/2/style: expected "default", \#
            "cancel" or "destructive", found "bold"
            flows/f.json#/screens/0/elements/0/actions/1/actions/2/actions/0/type: unknown \#
            action "fly" in a flow; expected one of "close", "open_url", "custom", \#
            "open_screen", "back", "close_navigator", "set_variable", "purchase", \#
            "web_purchase", "restore", "request_permission", "request_review", "show_alert", \#
            "send_event", "conditional"
            flows/f.json#/screens/0/elements/0/actions/1/actions/3: "title" is missing: what \#
            the action's button says
            """#),
        actions(
            "ACT-42 a permission has a name and text arguments",
            #"""
            {"type": "request_permission"},
            {"type": "request_permission", "permission": "push", "arguments": {"a": 1}}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0: "permission" is missing: the \#
            permission's name, such as "push"
            flows/f.json#/screens/0/elements/0/actions/1/arguments/a: expected a string, \#
            found the number 1
            """#),
        actions(
            "NAV-15 an event has a name and plain params",
            #"{"type": "send_event", "params": {"a": {}, "b": [1], "c": null}}"#,
            #"""
            flows/f.json#/screens/0/elements/0/actions/0: "name" is missing: the name of the \#
            analytic event
            flows/f.json#/screens/0/elements/0/actions/0/params/a: expected a text, a number, \#
            true, false or an array of texts, found an object
            flows/f.json#/screens/0/elements/0/actions/0/params/b/0: expected a string, found \#
            the number 1
            flows/f.json#/screens/0/elements/0/actions/0/params/c: expected a text, a number, \#
            true, false or an array of texts, found null
            """#),
        BrokenCatalog(
            "a timer belongs to no screen, so its elements need one",
            [
                "flows/f.json": flow(
                    elements: #"{"type": "text_input", "element_id": "e"}"#,
                    #"""
                    "timers": [{"id": "t", "duration_seconds": 1, "actions": [
                      {"type": "set_variable", "element_id": "e", "value": "a"}]}]
                    """#)
            ],
            #"""
            flows/f.json#/timers/0/actions/0: "screen_id" is missing: a timer belongs to no \#
            screen
            """#),
    ]
}
