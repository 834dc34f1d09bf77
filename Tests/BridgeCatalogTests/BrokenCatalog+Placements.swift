extension BrokenCatalog {
    private static func placement(_ id: String, _ variation: String) -> String {
        #"{"id": "\#(id)", "type": "flow", "audiences": [\#(allUsers(variation))]}"#
    }

    private static func test(_ map: String, cross: Bool = true) -> String {
        #"{"name": "T", "priority": 1, "ab_test": "T", "cross_placement": \#(cross), "#
            + #""variations": [{"variation_id": "t", "flow_id": "f", "flow_version_id": "f""#
            + "\(map)}]}, " + allUsers(variation)
    }

    /// Faults of `placements.json`.
    static let placementFaults = [
        BrokenCatalog(
            "PL-2 placement IDs are unique over all types",
            [
                "placements.json": placements(
                    placement("p", variation) + ", "
                        + placement("p", variation).replacing("All Users", with: "Everybody"))
            ],
            #"""
            placements.json#/placements/1/id: the placement "p" is there twice; placement IDs \#
            are unique over flows and onboardings (PL-2)
            """#),
        BrokenCatalog(
            "PL-2 a placement has one of two types",
            ["placements.json": placements(#"{"id": "p", "type": "paywall", "audiences": []}"#)],
            #"""
            placements.json#/placements/0/type: expected "flow" or "onboarding", found \#
            "paywall"
            placements.json#/placements/0/audiences: no audience of all users: add one with \#
            "all_users" true, which everybody falls back to (PL-11)
            """#),
        BrokenCatalog(
            "PL-2 ID and type have to be there", ["placements.json": placements("{}, 5")],
            #"""
            placements.json#/placements/0: "id" is missing: the placement ID that the app \#
            asks for
            placements.json#/placements/0: "type" is missing: what it shows: "flow" or \#
            "onboarding"
            placements.json#/placements/0: "audiences" is missing: who sees what; "All Users" \#
            at least
            placements.json#/placements/1: expected a placement: an object with "id", found \#
            the number 5
            """#),
        BrokenCatalog(
            "PL-10 equal priorities in one placement",
            [
                "placements.json": placements(
                    audiences: #"""
                        {"name": "A", "priority": 1, "variations": [\#(variation)]},
                        {"name": "B", "priority": 1, "variations": [\#(variation)]},
                        \#(allUsers(variation))
                        """#)
            ],
            #"""
            placements.json#/placements/0/audiences/1/priority: the priority 1 is that of "A" \#
            too; priorities of one placement have to differ (PL-10)
            """#),
        BrokenCatalog(
            "PL-10 priorities begin at 1 and have to be there",
            [
                "placements.json": placements(
                    audiences: #"""
                        {"name": "A", "priority": 0, "variations": [\#(variation)]},
                        {"name": "B", "variations": [\#(variation)]}, \#(allUsers(variation))
                        """#)
            ],
            #"""
            placements.json#/placements/0/audiences/0/priority: expected a whole number from \#
            1 to 2147483647, found the number 0
            placements.json#/placements/0/audiences/1: "priority" is missing: 1 is tried \#
            first (PL-10); or set "all_users" to true
            """#),
        BrokenCatalog(
            "PL-11 a placement without All Users",
            [
                "placements.json": placements(
                    audiences: #"{"name": "A", "priority": 1, "variations": [\#(variation)]}"#)
            ],
            #"""
            placements.json#/placements/0/audiences: no audience of all users: add one with \#
            "all_users" true, which everybody falls back to (PL-11)
            """#),
        BrokenCatalog(
            "PL-11 All Users twice, and with a segment",
            [
                "placements.json": placements(
                    audiences: allUsers(variation) + ", "
                        + allUsers(variation).replacing(
                            "\"All Users\"",
                            with: #""B", "segment": [{"attribute": "age", "operator": "is_set"}]"#))
            ],
            #"""
            placements.json#/placements/0/audiences/1: a placement has one audience of all \#
            users (PL-11)
            placements.json#/placements/0/audiences/1/segment: all users have no segment: \#
            they always match (PL-11); leave out one of both
            """#),
        BrokenCatalog(
            "PL-23 one audience version id for two audiences",
            [
                "placements.json": placements(
                    audiences: #"""
                        {"name": "A", "priority": 1, "version_id": "x", "variations": [\#(variation)]},
                        {"name": "B", "priority": 2, "version_id": "x", "variations": [\#(variation)]},
                        {"name": "A", "priority": 3, "variations": [\#(variation)]},
                        {"name": "A", "priority": 4, "variations": [\#(variation)]},
                        \#(allUsers(variation))
                        """#)
            ],
            #"""
            placements.json#/placements/0/audiences/1/version_id: the audience version id "x" \#
            is that of the audience "A" of "p" too; give each its own "version_id", as draws \#
            depend on it (PL-23)
            placements.json#/placements/0/audiences/3: the audience version id "p/A" is that \#
            of the audience "A" of "p" too; give each its own "version_id", as draws depend \#
            on it (PL-23)
            """#),
        BrokenCatalog(
            "PL-25 weights over 100, negative or fractions",
            [
                "placements.json": placements(
                    variations: #"""
                        {"variation_id": "a", "weight": 60, "flow_id": "f", "flow_version_id": "f"},
                        {"variation_id": "b", "weight": 50, "flow_id": "f"},
                        {"variation_id": "c", "weight": -1, "flow_id": "f"},
                        {"variation_id": "d", "weight": 0.5, "flow_id": "f"}
                        """#)
            ],
            #"""
            placements.json#/placements/0/audiences/0/variations: the weights add up to 110; \#
            at most 100 are drawn from (PL-25)
            placements.json#/placements/0/audiences/0/variations/2/weight: expected a whole \#
            number from 0 to 100, found the number -1
            placements.json#/placements/0/audiences/0/variations/3/weight: expected a whole \#
            number from 0 to 100, found the number 0.5
            """#),
        BrokenCatalog(
            "PL-24 a test needs weights, and each variation once",
            [
                "placements.json": placements(
                    variations: #"""
                        {"variation_id": "a", "flow_id": "f", "flow_version_id": "f"},
                        {"variation_id": "a", "weight": 100, "flow_id": "f", "flow_version_id": "f"}
                        """#)
            ],
            #"""
            placements.json#/placements/0/audiences/0/variations/0: "weight" is missing: 0 to \#
            100, the variation's share (PL-24)
            placements.json#/placements/0/audiences/0/variations/1: the variation "a" is \#
            there twice in this audience
            """#),
        BrokenCatalog(
            "one variation id for two contents",
            [
                "placements.json": placements(
                    placement("p", variation) + ", "
                        + placement(
                            "q", variation.replacing(#""flow_id": "f""#, with: #""flow_id": "g""#)))
            ],
            #"""
            placements.json#/placements/1/audiences/0/variations/0/variation_id: the \#
            variation "v" has other content at /placements/0/audiences/0/variations/0; give \#
            it an id of its own
            """#),
        BrokenCatalog(
            "PL-31 a cross-placement test needs maps, and only such a test has them",
            [
                "placements.json": placements(
                    placement("q", variation) + ", "
                        + #"{"id": "p", "type": "flow", "audiences": [\#(test(""))]}, "#
                        + #"{"id": "r", "type": "flow", "audiences": ["#
                        + test(#", "placement_map": {"q": "v"}"#, cross: false)
                        .replacing(#""t""#, with: #""u""#)
                        + "]}")
            ],
            #"""
            placements.json#/placements/1/audiences/0/variations/0: "placement_map" is \#
            missing: a cross-placement test says which variation each placement gives (PL-31)
            placements.json#/placements/2/audiences/0/variations/0/placement_map: only a \#
            cross-placement test has a map: set "cross_placement" of the audience to true \#
            (PL-21)
            """#),
        BrokenCatalog(
            "PL-31 a map names placements and variations that are there",
            [
                "placements.json": placements(
                    audiences: test(#", "placement_map": {"p": "t", "q": "t", "p~": 5}"#)
                        + #", {"name": "U", "priority": 2, "ab_test": "U", "cross_placement": true,"#
                        + #" "variations": [{"variation_id": "u", "flow_id": "f","#
                        + #" "placement_map": {"p": "w"}}]}"#)
            ],
            #"""
            placements.json#/placements/0/audiences/0/variations/0/placement_map/q: unknown \#
            placement "q"
            placements.json#/placements/0/audiences/0/variations/0/placement_map/p~0: \#
            expected a string that is not blank, found the number 5
            placements.json#/placements/0/audiences/2/variations/0/placement_map/p: the \#
            placement "p" has no variation "w" (PL-31)
            """#),
        BrokenCatalog(
            "PL-9 a cross-placement test has a name",
            [
                "placements.json": placements(
                    audiences: test(#", "placement_map": {"p": "t"}"#)
                        .replacing(#""ab_test": "T", "#, with: ""))
            ],
            #"""
            placements.json#/placements/0/audiences/0/cross_placement: a cross-placement test \#
            needs the name of its A/B test: give "ab_test"
            """#),
        BrokenCatalog(
            "unknown flow, product and onboarding",
            [
                "placements.json": placements(
                    placement(
                        "p",
                        #"""
                        {"variation_id": "v", "flow_id": "f", "flow_version_id": "f2",
                         "paywalls": [{"name": "w", "products": ["silver",
                            {"vendor_product_id": "bronze", "offer_id": "o", "x": 1}, 7]}]}
                        """#)
                        + #", {"id": "q", "type": "onboarding", "audiences": ["#
                        + allUsers(#"{"variation_id": "w", "onboarding_id": "o"}"#) + "]}"),
                "flows/f.json": "",
            ],
            #"""
            placements.json#/placements/0/audiences/0/variations/0/flow_version_id: unknown \#
            flow "f2"; there is no file flows/f2.json
            placements.json#/placements/0/audiences/0/variations/0/paywalls/0/products/0: \#
            unknown product "silver"; add it to products.json
            placements.json#/placements/0/audiences/0/variations/0/paywalls/0/products/1/vendor_product_id: \#
            unknown product "bronze"; add it to products.json
            placements.json#/placements/0/audiences/0/variations/0/paywalls/0/products/1/x: \#
            unknown key "x"; known here: "vendor_product_id", "offer_id"
            placements.json#/placements/0/audiences/0/variations/0/paywalls/0/products/2: \#
            expected a vendor product id, or an object with "vendor_product_id", found the \#
            number 7
            placements.json#/placements/1/audiences/0/variations/0/onboarding_id: unknown \#
            onboarding "o"; there is no file onboardings/o.json
            """#),
        BrokenCatalog(
            "keys of a variation fit the type of its placement",
            [
                "placements.json": placements(
                    placement("p", #"{"variation_id": "v", "onboarding_id": "o"}"#)),
                "flows/f.json": "",
            ],
            #"""
            placements.json#/placements/0/audiences/0/variations/0: "flow_id" is missing: the \#
            flow's id
            placements.json#/placements/0/audiences/0/variations/0/onboarding_id: unknown key \#
            "onboarding_id"; known here: "variation_id", "weight", "flow_id", "name", \#
            "remote_configs", "flow_version_id", "paywalls", "placement_map"
            """#),
        BrokenCatalog(
            "a remote config has a locale, once, and data",
            [
                "placements.json": placements(
                    variations: #"""
                        {"variation_id": "v", "flow_id": "f", "flow_version_id": "f",
                         "remote_configs": [{"locale": "en", "data": {}}, {"locale": "en"}, 1]}
                        """#)
            ],
            #"""
            placements.json#/placements/0/audiences/0/variations/0/remote_configs/1: the \#
            remote config in "en" is there twice
            placements.json#/placements/0/audiences/0/variations/0/remote_configs/1: "data" \#
            is missing: the JSON that the app gets
            placements.json#/placements/0/audiences/0/variations/0/remote_configs/2: expected \#
            a remote config with "locale" and "data", found the number 1
            """#),
    ]
}
