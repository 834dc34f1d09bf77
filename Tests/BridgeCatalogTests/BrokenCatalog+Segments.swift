extension BrokenCatalog {
    private static func segment(
        _ promise: String, _ condition: String, _ text: String = ""
    ) -> BrokenCatalog {
        BrokenCatalog(promise, ["placements.json": placements(segment: condition)], text)
    }

    /// Faults of conditions.
    static let segmentFaults = [
        segment(
            "PL-17 an unknown attribute",
            #"{"attribute": "colour", "operator": "=", "value": "red"}"#,
            #"""
            placements.json#/placements/0/audiences/0/segment/0/attribute: unknown attribute \#
            "colour"; expected "custom:<key>", "age", "customer_user_id", "gender", \#
            "language", "country", "platform", "access_level", "attribution_source", \#
            "app_version", "os_version" (PL-17)
            """#),
        segment(
            "PL-17 PRO-10 a custom attribute without a usable key",
            #"""
            {"attribute": "custom:", "operator": "is_set"},
            {"attribute": "custom:a b", "operator": "is_set"},
            {"attribute": "custom:aaaaaaaaaabbbbbbbbbbccccccccccd", "operator": "is_set"}
            """#,
            #"""
            placements.json#/placements/0/audiences/0/segment/0/attribute: unknown attribute \#
            "custom:"; expected "custom:<key>", "age", "customer_user_id", "gender", \#
            "language", "country", "platform", "access_level", "attribution_source", \#
            "app_version", "os_version" (PL-17)
            placements.json#/placements/0/audiences/0/segment/1/attribute: unknown attribute \#
            "custom:a b"; expected "custom:<key>", "age", "customer_user_id", "gender", \#
            "language", "country", "platform", "access_level", "attribution_source", \#
            "app_version", "os_version" (PL-17)
            placements.json#/placements/0/audiences/0/segment/2/attribute: unknown attribute \#
            "custom:aaaaaaaaaabbbbbbbbbbccccccccccd"; expected "custom:<key>", "age", \#
            "customer_user_id", "gender", "language", "country", "platform", "access_level", \#
            "attribution_source", "app_version", "os_version" (PL-17)
            """#),
        segment(
            "PL-13 an unknown operator, a missing one and a missing value",
            #"""
            {"attribute": "age", "operator": "~", "value": 1},
            {"attribute": "age", "value": 1}, {"attribute": "age", "operator": ">"}
            """#,
            #"""
            placements.json#/placements/0/audiences/0/segment/0/operator: expected one of the \#
            operators "=", "!=", "in", "not_in", ">", "<", ">=", "<=", "between", "is_set", \#
            "is_not_set", found "~"
            placements.json#/placements/0/audiences/0/segment/1: "operator" is missing: one \#
            of the operators "=", "!=", "in", "not_in", ">", "<", ">=", "<=", "between", \#
            "is_set", "is_not_set"
            placements.json#/placements/0/audiences/0/segment/2: "value" is missing: what ">" \#
            compares with
            """#),
        segment(
            "PL-13 values fit their operators",
            #"""
            {"attribute": "custom:a", "operator": "in", "value": "x"},
            {"attribute": "custom:a", "operator": "in", "value": []},
            {"attribute": "custom:a", "operator": "not_in", "value": [1]},
            {"attribute": "custom:a", "operator": "=", "value": true},
            {"attribute": "custom:a", "operator": ">", "value": "x"},
            {"attribute": "custom:a", "operator": "is_set", "value": 1}
            """#,
            #"""
            placements.json#/placements/0/audiences/0/segment/0/value: expected an array of \#
            texts, found "x"
            placements.json#/placements/0/audiences/0/segment/1/value: expected at least one \#
            text in the list
            placements.json#/placements/0/audiences/0/segment/2/value/0: expected a string, \#
            found the number 1
            placements.json#/placements/0/audiences/0/segment/3/value: expected a text or a \#
            number, found true
            placements.json#/placements/0/audiences/0/segment/4/value: expected a number, \#
            found "x"
            placements.json#/placements/0/audiences/0/segment/5/value: this operator compares \#
            with nothing: leave "value" out
            """#),
        segment(
            "PL-16 between: low above high, and no two numbers",
            #"""
            {"attribute": "age", "operator": "between", "value": [30, 20]},
            {"attribute": "age", "operator": "between", "value": [1]},
            {"attribute": "age", "operator": "between", "value": ["a", 2]},
            {"attribute": "age", "operator": "between", "value": 5}
            """#,
            #"""
            placements.json#/placements/0/audiences/0/segment/0/value: the lower end 30 is \#
            above the upper end 20 (PL-16)
            placements.json#/placements/0/audiences/0/segment/1/value: expected an array of \#
            two numbers, the lower first, found an array of 1
            placements.json#/placements/0/audiences/0/segment/2/value/0: expected a number, \#
            found "a"
            placements.json#/placements/0/audiences/0/segment/3/value: expected an array of \#
            two numbers, the lower first, found the number 5
            """#),
        segment(
            "PL-18 a language of more than two letters never matches",
            #"{"attribute": "language", "operator": "=", "value": "pt-BR"}"#,
            #"""
            placements.json#/placements/0/audiences/0/segment/0: warning: never matches: \#
            "language" is a code of two small letters, such as "pt" (PL-18), not "pt-BR"
            """#),
        segment(
            "PL-18 a list with one language of two letters can match",
            #"{"attribute": "language", "operator": "in", "value": ["pt-BR", "pt"]}"#),
        segment(
            "PL-19 a version with a leading zero never matches",
            #"{"attribute": "os_version", "operator": "=", "value": "26.03.4"}"#,
            #"""
            placements.json#/placements/0/audiences/0/segment/0: warning: never matches: \#
            "os_version" is a version without leading zeros, such as "26.3.4" (PL-19), not \#
            "26.03.4"
            """#),
        segment(
            "PL-15 PL-81 PRO-4 PRO-12 values that no profile has",
            #"""
            {"attribute": "gender", "operator": "=", "value": "male"},
            {"attribute": "country", "operator": "in", "value": ["br", "de"]},
            {"attribute": "age", "operator": "!=", "value": "5"},
            {"attribute": "platform", "operator": ">", "value": 5},
            {"attribute": "custom:a", "operator": "=", "value": " "}
            """#,
            #"""
            placements.json#/placements/0/audiences/0/segment/1: warning: never matches: \#
            "country" is a region in capital letters, such as "BR" (PL-81), not "br", "de"
            placements.json#/placements/0/audiences/0/segment/2: warning: never matches: \#
            "age" is a number (PL-15)
            placements.json#/placements/0/audiences/0/segment/3: warning: never matches: \#
            "platform" is a text (PL-15)
            placements.json#/placements/0/audiences/0/segment/4: warning: never matches: \#
            "custom:a" is a text of 1 to 50 characters without white space around it \#
            (PRO-12), not " "
            """#),
    ]
}
