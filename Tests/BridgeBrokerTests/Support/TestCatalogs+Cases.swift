import SDKCore

extension TestCatalogs {
    /// A placement of one type for all users.
    static func placement(_ id: String, _ type: String, _ variation: String) -> String {
        """
        {"id":"\(id)","type":"\(type)","audiences":[{"name":"All Users","all_users":true,
        "version_id":"pav_\(id)","variations":[\(variation)]}]}
        """
    }

    static func flowVariation(_ id: String, products: [String] = []) -> String {
        let list = products.map { "\"\($0)\"" }.joined(separator: ",")
        let paywalls = products.isEmpty ? "" : #","paywalls":[{"name":"P","products":[\#(list)]}]"#
        return """
            {"variation_id":"var_\(id)","flow_id":"\(id)","flow_version_id":"\(id)_v1"\(paywalls)}
            """
    }

    /// A catalog with onboardings for all users: their screens by placement ID.
    static func onboardings(
        _ onboardings: [(placement: String, id: String, screens: String)],
        flows: [(placement: String, text: String)] = []
    ) -> Catalog {
        let placements =
            onboardings.map {
                placement(
                    $0.placement, "onboarding",
                    #"{"variation_id":"var_\#($0.placement)","onboarding_id":"\#($0.id)"}"#)
            } + flows.map { placement($0.placement, "flow", flowVariation($0.placement)) }
        return load(
            [("placements.json", "{\"placements\":[\(placements.joined(separator: ","))]}")]
                + onboardings.map {
                    ("onboardings/\($0.id).json", "{\"screens\":[\($0.screens)]}")
                } + flows.map { ("flows/\($0.placement)_v1.json", $0.text) })
    }

    static func onboardingScreen(_ id: String, _ elements: String...) -> String {
        #"{"id":"\#(id)","elements":[\#(elements.joined(separator: ","))]}"#
    }

    static func toScreen(_ element: String, _ screen: String) -> String {
        #"{"type":"button","element_id":"\#(element)","actions":[{"type":"open_screen","screen_id":"\#(screen)"}]}"#
    }

    static func actionButton(_ element: String, _ action: String, actionID: String?) -> String {
        let id = actionID.map { #","action_id":"\#($0)""# } ?? ""
        return
            #"{"type":"button","element_id":"\#(element)"\#(id),"actions":[{"type":"\#(action)"}]}"#
    }

    private static let close =
        #"{"type":"button","element_id":"close","actions":[{"type":"close"}]}"#

    private static func option(_ id: String) -> String { #"{"element_id":"\#(id)"}"# }

    /// UC-20: a quiz, and a placement that shows each answer its own flow.
    static let quiz: Catalog = {
        let levels = ["beginner", "amateur", "pro"]
        let audiences = levels.enumerated().map { index, level in
            """
            {"name":"\(level)","priority":\(index + 1),"version_id":"pav_\(level)",
            "segment":[{"attribute":"custom:experience","operator":"=","value":"\(level)"}],
            "variations":[\(flowVariation("flow_\(level)", products: ["product_\(level)"]))]}
            """
        }
        let everybody = """
            {"name":"All Users","all_users":true,"version_id":"pav_all",
            "variations":[\(flowVariation("flow_all", products: ["product_all"]))]}
            """
        let main = """
            {"id":"main","type":"flow","audiences":[\((audiences + [everybody]).joined(separator: ","))]}
            """
        let placements = [main, placement("quiz", "flow", flowVariation("quiz"))]
        let products = (levels + ["all"]).map {
            #"{"vendor_product_id":"product_\#($0)","title":"T","description":"D","price":"1.00","currency_code":"USD","localized_price":"$1.00"}"#
        }
        let options = levels.map(option).joined(separator: ",")
        let quiz = """
            {"screens":[{"id":"scr_quiz","elements":[{"type":"single_choice","group_id":"experience",
            "options":[\(options)]},\(close)]}]}
            """
        return load(
            [
                ("placements.json", "{\"placements\":[\(placements.joined(separator: ","))]}"),
                ("products.json", "{\"products\":[\(products.joined(separator: ","))]}"),
                ("flows/quiz_v1.json", quiz),
            ] + (levels + ["all"]).map { ("flows/flow_\($0)_v1.json", shown) })
    }()

    /// UC-24: as UC-20, and what `pro` shows is an A/B test of two variations.
    static let testedQuiz: Catalog = {
        let variations = ["a", "b"].map {
            #"{"variation_id":"var_pro_\#($0)","flow_id":"pro","flow_version_id":"pro_v1","weight":50}"#
        }
        let main = """
            {"id":"main","type":"flow","audiences":[
            {"name":"pro","priority":1,"version_id":"pav_pro","ab_test":"Colours",
            "segment":[{"attribute":"custom:experience","operator":"=","value":"pro"}],
            "variations":[\(variations.joined(separator: ","))]},
            {"name":"All Users","all_users":true,"version_id":"pav_all",
            "variations":[\(flowVariation("all"))]}]}
            """
        return load([
            ("placements.json", "{\"placements\":[\(main)]}"),
            ("flows/pro_v1.json", shown), ("flows/all_v1.json", shown),
        ])
    }()

    /// Placement `main` shows speakers of German a flow of their own.
    static let german: Catalog = {
        let main = """
            {"id":"main","type":"flow","audiences":[
            {"name":"German","priority":1,"version_id":"pav_german",
            "segment":[{"attribute":"language","operator":"=","value":"de"}],
            "variations":[\(flowVariation("german"))]},
            {"name":"All Users","all_users":true,"version_id":"pav_all",
            "variations":[\(flowVariation("all"))]}]}
            """
        return load([
            ("placements.json", "{\"placements\":[\(main)]}"),
            ("flows/german_v1.json", shown), ("flows/all_v1.json", shown),
        ])
    }()

    private static let shown = #"{"screens":[{"id":"scr_offer","elements":[\#(close)]}]}"#

    /// UC-12 and UC-23: an onboarding with fields and a quiz.
    static let enrichment = onboardings([
        (
            "welcome", "onboarding_123",
            onboardingScreen(
                "profile_screen", #"{"type":"text_input","element_id":"name"}"#,
                #"{"type":"email_input","element_id":"email"}"#,
                #"""
                {"type":"single_choice","group_id":"experience","options":[
                {"element_id":"option_1","value":"beginner","text":"I begin"},
                {"element_id":"option_3","value":"pro","text":"I am a pro"}]}
                """#)
        )
    ])

    /// UC-31 and UC-32: four screens, of which the last one has this ID.
    static func fourScreens(last: String) -> Catalog {
        onboardings([
            (
                "welcome", "onboarding_123",
                [
                    onboardingScreen("one", toScreen("next", "two")),
                    onboardingScreen(
                        "two", #"{"type":"email_input","element_id":"email"}"#,
                        toScreen("next", "three")),
                    onboardingScreen("three", toScreen("next", last)),
                    onboardingScreen(last, actionButton("bye", "close", actionID: "close_button")),
                ].joined(separator: ",")
            )
        ])
    }
}
