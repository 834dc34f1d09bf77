extension BrokenCatalog {
    private static func elements(
        _ promise: String, _ elements: String, _ text: String = ""
    ) -> BrokenCatalog {
        BrokenCatalog(promise, ["flows/f.json": flow(elements: elements)], text)
    }

    /// Faults of elements.
    static let elementFaults = [
        elements(
            "an unknown element", #"{"type": "carousel", "slides": 3}, {"type": 3}, {}, 5"#,
            #"""
            flows/f.json#/screens/0/elements/0/type: unknown element "carousel" in a flow; \#
            expected one of "text_input", "email_input", "number_input", "phone_input", \#
            "password_input", "date_picker", "time_picker", "date_time_picker", \#
            "single_choice", "multi_choice", "toggle", "button", "text", "product_list", \#
            "tabs", "unsupported"
            flows/f.json#/screens/0/elements/1/type: expected a string, found the number 3
            flows/f.json#/screens/0/elements/2: "type" is missing: the kind of element
            flows/f.json#/screens/0/elements/3: expected an element: an object with "type", \#
            found the number 5
            """#),
        elements(
            "IN-72 an input without Element ID",
            #"""
            {"type": "text_input"}, {"type": "date_picker", "element_id": " "},
            {"type": "password_input", "group_id": "g"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0: an input needs an Element ID: give \#
            "element_id" (IN-72)
            flows/f.json#/screens/0/elements/1/element_id: an input needs an Element ID: give \#
            "element_id" (IN-72)
            flows/f.json#/screens/0/elements/2: an input needs an Element ID: give \#
            "element_id" (IN-72)
            flows/f.json#/screens/0/elements/2/group_id: unknown key "group_id"; known here: \#
            "type", "placeholder", "initial_text", "multiline", "max_length", "regex", \#
            "element_id", "text", "enabled", "in_header"
            """#),
        elements(
            "IN-72 two inputs of one Element ID on one screen",
            #"""
            {"type": "text_input", "element_id": "a"}, {"type": "email_input", "element_id": "a"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/1/element_id: the ID "a" is there twice on the \#
            screen "s"; Element IDs and Group IDs of one screen have to differ (IN-72)
            """#),
        elements(
            "IN-72 one Group ID twice on one screen",
            #"{"type": "toggle", "group_id": "g"}, {"type": "toggle", "group_id": "g"}"#,
            #"""
            flows/f.json#/screens/0/elements/1/group_id: the ID "g" is there twice on the \#
            screen "s"; Element IDs and Group IDs of one screen have to differ (IN-72)
            """#),
        elements(
            "IN-30 a maximal length is a number above 0",
            #"""
            {"type": "text_input", "element_id": "a", "max_length": 0},
            {"type": "text_input", "element_id": "b", "max_length": "5"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/max_length: expected a whole number from 1 to \#
            2147483647, found the number 0
            flows/f.json#/screens/0/elements/1/max_length: expected a whole number from 1 to \#
            2147483647, found "5"
            """#),
        elements(
            "IN-32 a line break in a field of one line",
            #"{"type": "text_input", "element_id": "a", "initial_text": "a\nb"}"#,
            #"""
            flows/f.json#/screens/0/elements/0/initial_text: a line break in a field of one \#
            line; set "multiline" to true (IN-32)
            """#),
        elements(
            "IN-39 IN-93 bounds of pickers are days and times that exist",
            #"""
            {"type": "date_picker", "element_id": "a", "min": "2023-02-29", "max": "0000-01-01"},
            {"type": "time_picker", "element_id": "b", "min": "24:00", "max": "7:30"},
            {"type": "date_time_picker", "element_id": "c", "min": 5, "preset": "2024-01-01 07:30"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/min: expected a day that exists, such as \#
            "1990-06-15", found "2023-02-29"
            flows/f.json#/screens/0/elements/0/max: expected a day that exists, such as \#
            "1990-06-15", found "0000-01-01"
            flows/f.json#/screens/0/elements/1/min: expected a time of day, such as "07:30", \#
            found "24:00"
            flows/f.json#/screens/0/elements/1/max: expected a time of day, such as "07:30", \#
            found "7:30"
            flows/f.json#/screens/0/elements/2/min: expected a day, a time or both, such as \#
            "2024-05-06", "07:30" or "2024-05-06T07:30", found the number 5
            flows/f.json#/screens/0/elements/2/preset: expected a day, a time or both, such \#
            as "2024-05-06", "07:30" or "2024-05-06T07:30", found "2024-01-01 07:30"
            """#),
        elements(
            "IN-39 a maximum before the minimum",
            #"""
            {"type": "date_picker", "element_id": "a", "min": "2024-01-02", "max": "2024-01-01"},
            {"type": "time_picker", "element_id": "b", "min": "07:30", "max": "07:29"},
            {"type": "date_time_picker", "element_id": "c", "min": "2024-01-02", "max": "07:30"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/max: "max" is before "min": nothing could be \#
            picked (IN-39)
            flows/f.json#/screens/0/elements/1/max: "max" is before "min": nothing could be \#
            picked (IN-39)
            """#),
        elements(
            "a choice has options, and options are objects",
            #"""
            {"type": "single_choice", "group_id": "a", "options": []},
            {"type": "multi_choice", "group_id": "b"},
            {"type": "multi_choice", "group_id": "c", "options": ["a"]}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/options: expected at least one item: an option \#
            with "element_id" and "text"
            flows/f.json#/screens/0/elements/1: "options" is missing: an option with \#
            "element_id" and "text"
            flows/f.json#/screens/0/elements/2/options/0: expected an option: an object with \#
            "element_id", found "a"
            """#),
        elements(
            "IN-60 IN-73 more options set as default than can be selected",
            #"""
            {"type": "single_choice", "group_id": "a", "options": [
              {"element_id": "x", "set_as_default": true}, {"element_id": "y", "set_as_default": true}]},
            {"type": "multi_choice", "group_id": "b", "max_selected": 1, "options": [
              {"element_id": "x", "set_as_default": true}, {"element_id": "y", "set_as_default": true}]},
            {"type": "single_choice", "group_id": "c", "max_selected": 1, "options": [
              {"element_id": "x"}]}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0: 2 options are set as default; at most 1 can \#
            be selected
            flows/f.json#/screens/0/elements/1: 2 options are set as default; at most 1 can \#
            be selected
            flows/f.json#/screens/0/elements/2/max_selected: unknown key "max_selected"; \#
            known here: "type", "options", "group_id", "text", "enabled", "in_header"
            """#),
        elements(
            "ACT-20 a product list names products, once, and preselects one of them",
            #"""
            {"type": "product_list", "element_id": "a", "products": []},
            {"type": "product_list", "element_id": "b", "products": ["gold", "gold", "silver", 1],
             "preselected": "bronze"}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/products: expected at least one item: a vendor \#
            product id
            flows/f.json#/screens/0/elements/1/products/0: warning: the product "gold" is in \#
            no paywall of the variation "v": it is never loaded there (ACT-27)
            flows/f.json#/screens/0/elements/1/products/1: the product "gold" is there twice \#
            in the list
            flows/f.json#/screens/0/elements/1/products/1: warning: the product "gold" is in \#
            no paywall of the variation "v": it is never loaded there (ACT-27)
            flows/f.json#/screens/0/elements/1/products/2: unknown product "silver"; add it \#
            to products.json
            flows/f.json#/screens/0/elements/1/products/3: expected a vendor product id, \#
            found the number 1
            flows/f.json#/screens/0/elements/1/preselected: the preselected product "bronze" \#
            is not among "products"
            """#),
        elements(
            "NAV-12 tabs have IDs, once",
            #"""
            {"type": "tabs", "element_id": "a", "tabs": [{"id": "x"}, {"id": "x"}, {}]},
            {"type": "tabs", "element_id": "b", "tabs": []}
            """#,
            #"""
            flows/f.json#/screens/0/elements/0/tabs/1: the tab "x" is there twice
            flows/f.json#/screens/0/elements/0/tabs/2: "id" is missing: the tab's ID
            flows/f.json#/screens/0/elements/1/tabs: expected at least one item: a tab with \#
            "id" and "text"
            """#),
        elements(
            "4103 an unsupported element says what it is", #"{"type": "unsupported"}"#,
            #"""
            flows/f.json#/screens/0/elements/0: "kind" is missing: the kind to report
            """#),
        elements(
            "flags and texts of every element",
            #"{"type": "text", "text": "a", "enabled": 0, "in_header": "x", "tags": [], "links": [" "]}"#,
            #"""
            flows/f.json#/screens/0/elements/0/enabled: expected true or false, found the \#
            number 0
            flows/f.json#/screens/0/elements/0/in_header: expected true or false, found "x"
            flows/f.json#/screens/0/elements/0/tags: expected an object, found an array of 0
            flows/f.json#/screens/0/elements/0/links/0: warning: " " cannot be resolved: \#
            opening it fails with 4107 (ACT-5)
            """#),
    ]
}
