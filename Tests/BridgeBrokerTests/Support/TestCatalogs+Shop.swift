import SDKCore

extension TestCatalogs {
    private static func product(
        _ id: String, period: String = "", more: String = ""
    ) -> String {
        let subscription = period.isEmpty ? "" : #","subscription_period":"\#(period)""#
        return #"""
            {"vendor_product_id":"\#(id)","title":"Title of \#(id)","description":"About \#(id)",
            "price":"9.99","currency_code":"EUR","localized_price":"9,99 €"\#(subscription)\#(more)}
            """#
    }

    private static let shopProducts =
        #"{"products":["#
        + [
            product("month", period: "P1M"), product("year", period: "P1Y"), product("life"),
            product("coins", more: #","is_consumable":true"#),
            product("gone", more: #","in_store":false"#),
        ].joined(separator: ",") + "]}"

    private static func told(_ results: String...) -> String {
        results.map {
            #","on_\#($0)":[{"type":"custom","action_id":"\#($0)"}]"#
        }.joined()
    }

    private static func shopButton(_ id: String, _ action: String) -> String {
        #"{"type":"button","element_id":"\#(id)","actions":[{"type":\#(action)}]}"#
    }

    private static let allPurchases = told("success", "cancelled", "failure", "pending")

    private static let shopElements = [
        #"{"type":"product_list","element_id":"plans","products":["month","year"]}"#,
        shopButton("buy", #""purchase","product_list_id":"plans"\#(allPurchases)"#),
        shopButton("buy_month", #""purchase","vendor_product_id":"month"\#(allPurchases)"#),
        shopButton("web", #""web_purchase","vendor_product_id":"year"\#(told("pending"))"#),
        shopButton("restore", #""restore"\#(told("success", "failure"))"#),
        shopButton(
            "push",
            #"""
            "request_permission","permission":"push","arguments":{"why":"news","a":"b"}\#
            \#(told("granted", "denied", "unavailable"))
            """#),
        shopButton(
            "alert",
            #"""
            "show_alert","title":"Sure?","message":"Really.","actions":[
            {"id":"keep","title":"Keep","style":"cancel"},
            {"title":"Delete","style":"destructive",
            "actions":[{"type":"custom","action_id":"deleted"}]}]
            """#),
        shopButton("review", #""request_review""#), shopButton("close", #""close""#),
    ].joined(separator: ",")

    private static let shopVariation = #"""
        {"variation_id":"var_shop","flow_id":"shop","flow_version_id":"shop_v1","paywalls":[
        {"name":"Plans","variation_id":"pv_plans","products":["month",
        {"vendor_product_id":"year","offer_id":"half"},"gone"]},
        {"name":"Extras","variation_id":"pv_extras","products":["life","coins"]}]}
        """#

    /// Placement `shop`: a flow with a button for everything that asks the store, the app or the
    /// finger; the flow tells each result by a custom action of its name.
    static let shop = load([
        (
            "placements.json",
            "{\"placements\":[\(placement("shop", "flow", shopVariation))]}"
        ),
        ("products.json", shopProducts),
        (
            "flows/shop_v1.json",
            #"{"screens":[{"id":"scr_shop","elements":[\#(shopElements)]}]}"#
        ),
    ])

    /// UC-50: a quiz whose answers lead to flows with products, and an audience of those who have
    /// the access level `premium`.
    static let targetedShop: Catalog = {
        func audience(_ name: String, _ priority: Int, _ attribute: String, _ value: String)
            -> String
        {
            let products = name == "members" ? [] : ["month", "year"]
            return #"""
                {"name":"\#(name)","priority":\#(priority),"version_id":"pav_\#(name)","segment":[
                {"attribute":"\#(attribute)","operator":"=","value":"\#(value)"}],"variations":[
                \#(flowVariation("flow_\(name)", products: products))]}
                """#
        }
        let everybody =
            #"{"name":"All Users","all_users":true,"version_id":"pav_all","variations":["#
            + flowVariation("flow_all") + "]}"
        let main =
            #"{"id":"main","type":"flow","audiences":["#
            + [
                audience("members", 1, "access_level", "premium"),
                audience("pro", 2, "custom:experience", "pro"),
                audience("beginner", 3, "custom:experience", "beginner"), everybody,
            ].joined(separator: ",") + "]}"
        let quiz = #"""
            {"screens":[{"id":"scr_quiz","elements":[{"type":"single_choice",
            "group_id":"experience","options":[{"element_id":"beginner"},{"element_id":"pro"}]}]}]}
            """#
        let offer = #"""
            {"screens":[{"id":"scr_offer","elements":[
            {"type":"product_list","element_id":"plans","products":["month","year"]},
            \#(shopButton("buy", #""purchase","product_list_id":"plans""#))]}]}
            """#
        let plain = #"{"screens":[{"id":"scr_plain","elements":[]}]}"#
        return load([
            (
                "placements.json",
                "{\"placements\":[\(main),"
                    + placement("quiz", "flow", flowVariation("quiz")) + "]}"
            ),
            ("products.json", shopProducts), ("flows/quiz_v1.json", quiz),
            ("flows/flow_pro_v1.json", offer), ("flows/flow_beginner_v1.json", offer),
            ("flows/flow_members_v1.json", plain), ("flows/flow_all_v1.json", plain),
        ])
    }()
}
