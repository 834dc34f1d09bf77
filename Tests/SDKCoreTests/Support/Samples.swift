import FlowEngine

@testable import SDKCore

/// Small documents for the tests.
enum Samples {
    /// The catalog of UC-20: what placement `main` shows depends on `custom:experience`. Besides,
    /// `plain` has a flow without view, `intro` an onboarding.
    static func catalog() -> Catalog {
        Catalog(
            placements: [main(), plain(), intro(), tested()],
            flows: [
                "quiz-v1": quiz(), "pro-v1": flow("pro-v1"), "beginner-v1": flow("beginner-v1"),
            ],
            onboardings: ["onb": onboarding()],
            products: [
                "p.month": product("p.month"), "p.year": product("p.year"),
                "p.gone": product("p.gone", isInStore: false),
            ])
    }

    static func main() -> PlacementDocument {
        PlacementDocument(
            id: "main", type: .flow, revision: 7,
            audiences: [
                audience(
                    "All", versionID: "pav_all", isAllUsers: true,
                    variations: [quizVariation()]),
                audience(
                    "Pros", priority: 2, versionID: "pav_pro", [.init("custom:experience", "pro")],
                    variations: [variation("v-pro", version: "pro-v1")]),
                audience(
                    "Beginners", priority: 1, versionID: "pav_beginner",
                    [.init("custom:experience", "beginner")],
                    variations: [variation("v-beginner", version: "beginner-v1")]),
            ])
    }

    static func plain() -> PlacementDocument {
        PlacementDocument(
            id: "plain", type: .flow,
            audiences: [
                audience(
                    "All", versionID: "pav_plain", isAllUsers: true,
                    variations: [variation("v-plain", version: nil)])
            ])
    }

    static func intro() -> PlacementDocument {
        PlacementDocument(
            id: "intro", type: .onboarding,
            audiences: [
                audience(
                    "All", versionID: "pav_intro", isAllUsers: true,
                    variations: [
                        VariationDocument(
                            variationID: "v-intro", contentID: "onb", name: "Intro",
                            remoteConfigs: [
                                RemoteConfigDocument(locale: "en", dataJSON: "{\"l\":\"en\"}"),
                                RemoteConfigDocument(locale: "pt-BR", dataJSON: "{\"l\":\"pt\"}"),
                            ])
                    ])
            ])
    }

    /// An A/B test of two variations.
    static func tested(
        weights: (Int, Int) = (50, 50), versionID: String = "pav_field_1"
    ) -> PlacementDocument {
        PlacementDocument(
            id: "tested", type: .flow,
            audiences: [
                AudienceDocument(
                    name: "All", priority: 0, isAllUsers: true, versionID: versionID,
                    abTestName: "Colours",
                    variations: [
                        variation("A", version: "pro-v1", weight: weights.0),
                        variation("B", version: "beginner-v1", weight: weights.1),
                    ])
            ])
    }

    static func audience(
        _ name: String, priority: Int = 0, versionID: String, isAllUsers: Bool = false,
        _ conditions: [SegmentCondition] = [], variations: [VariationDocument]
    ) -> AudienceDocument {
        AudienceDocument(
            name: name, priority: priority, isAllUsers: isAllUsers, conditions: conditions,
            versionID: versionID, variations: variations)
    }

    static func variation(
        _ id: String, version: String?, weight: Int = 100, products: [String] = []
    ) -> VariationDocument {
        VariationDocument(
            variationID: id, weight: weight, contentID: "flow-\(id)", name: "Flow \(id)",
            flowVersionID: version,
            paywalls: products.isEmpty
                ? []
                : [
                    PaywallDocument(
                        name: "Paywall", variationID: "\(id)-paywall",
                        products: products.map { ProductReferenceDocument(vendorProductID: $0) })
                ])
    }

    static func quizVariation() -> VariationDocument {
        variation("v-all", version: "quiz-v1", products: ["p.month", "p.gone", "p.year"])
    }

    static func product(_ id: String, isInStore: Bool = true) -> ProductDocument {
        ProductDocument(
            vendorProductID: id, title: id, price: "9.99", currencyCode: "USD",
            localizedPrice: "$9.99", isInStore: isInStore)
    }

    /// A quiz with a name field, a screen `scr_end` behind it, and buttons of every sort.
    static func quiz() -> FlowContent {
        FlowContent(
            id: "quiz-v1",
            locales: [
                LocaleDocument(id: "en"), LocaleDocument(id: "ar", isRightToLeft: true),
                LocaleDocument(id: "pt-br"),
            ],
            screens: [
                ScreenDocument(
                    id: "scr_quiz",
                    elements: [
                        ElementDocument(id: "name", content: .field(FieldDocument(kind: .text))),
                        choice(),
                        button("next", [.openScreen("scr_end", navigator: nil)]),
                        button("close", [.close]),
                        button("site", [.openURL("https://a.example", .browserInApp)]),
                        button("own", [.custom("hello")]),
                        ElementDocument(
                            id: "products",
                            content: .productList(
                                ProductListDocument(
                                    vendorProductIDs: ["p.month", "p.year"],
                                    preselected: "p.year"))),
                    ]),
                ScreenDocument(id: "scr_end", elements: [button("done", [.close])]),
            ])
    }

    static func choice() -> ElementDocument {
        ElementDocument(
            id: "experience",
            content: .choice(
                ChoiceDocument(
                    isMultiple: false,
                    options: ["beginner", "amateur", "pro"].map {
                        OptionDocument(elementID: $0, text: LocalizedText([$0.uppercased()]))
                    })))
    }

    static func button(_ id: String, _ actions: [ActionDocument]) -> ElementDocument {
        ElementDocument(id: id, content: .button(ButtonDocument(actions: actions, actionID: id)))
    }

    static func flow(_ id: String) -> FlowContent {
        FlowContent(
            id: id,
            screens: [ScreenDocument(id: "scr_only", elements: [button("close", [.close])])])
    }

    /// One flow, at placement `tested`, that closes itself after 10 s.
    static func timed(_ mode: TimerMode = .continue) -> Catalog {
        var content = flow("pro-v1")
        content.timers = [
            TimerDocument(id: "t", mode: mode, durationMs: 10_000, actions: [.close])
        ]
        return Catalog(
            placements: [tested(weights: (0, 100))],
            flows: ["pro-v1": content, "beginner-v1": content], onboardings: [:], products: [:])
    }

    static func onboarding() -> OnboardingContent {
        OnboardingContent(
            id: "onb",
            locales: [
                LocaleDocument(id: "en"), LocaleDocument(id: "pt-BR"), LocaleDocument(id: "de"),
            ],
            screens: [
                ScreenDocument(id: "welcome", elements: [button("close", [.close])]),
                ScreenDocument(id: "final", elements: []),
            ])
    }
}

extension SegmentCondition {
    /// A condition on a text.
    init(_ attribute: String, _ text: String) {
        self.init(attribute: attribute, operand: .equals(text))
    }
}
