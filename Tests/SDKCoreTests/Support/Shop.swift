import FlowEngine
import Testing

@testable import SDKCore

/// A catalog that sells: placement `shop`, whose flow has a button for everything that asks.
enum Shop {
    static let year = "sub.year"
    static let month = "sub.month"

    static func catalog(
        paywalls: [PaywallDocument] = Shop.paywalls, products: [ProductDocument] = Shop.products,
        flow: FlowContent = Shop.flow(), others: [PlacementDocument] = []
    ) -> Catalog {
        Catalog(
            placements: [
                PlacementDocument(
                    id: "shop", type: .flow,
                    audiences: [
                        Samples.audience(
                            "All", versionID: "pav_shop", isAllUsers: true,
                            variations: [
                                VariationDocument(
                                    variationID: "v-shop", contentID: "shop", name: "Shop",
                                    flowVersionID: "shop-v1", paywalls: paywalls)
                            ])
                    ])
            ] + others,
            flows: ["shop-v1": flow, "pro-v1": Samples.flow("pro-v1")], onboardings: [:],
            products: Dictionary(uniqueKeysWithValues: products.map { ($0.vendorProductID, $0) }))
    }

    static let products = [
        product(month, period: "P1M"), product(year, period: "P1Y", level: "gold"),
        product("life"), product("coins", level: "", isConsumable: true),
        product("gone", isInStore: false),
    ]

    static let paywalls = [
        PaywallDocument(
            name: "Plans", variationID: "pv-plans",
            products: [
                ProductReferenceDocument(vendorProductID: month),
                ProductReferenceDocument(vendorProductID: "gone"),
                ProductReferenceDocument(vendorProductID: year, offerID: "half"),
            ]),
        PaywallDocument(
            name: "Extras", variationID: "pv-extras",
            products: [
                ProductReferenceDocument(vendorProductID: "life"),
                ProductReferenceDocument(vendorProductID: "coins"),
                ProductReferenceDocument(vendorProductID: month, offerID: "trial"),
                ProductReferenceDocument(vendorProductID: "gone"),
            ]),
    ]

    static func product(
        _ id: String, period: String = "", level: String = "premium", isConsumable: Bool = false,
        isInStore: Bool = true
    ) -> ProductDocument {
        ProductDocument(
            vendorProductID: id, title: id, price: "9.99", currencyCode: "USD",
            localizedPrice: "$9.99", subscriptionPeriod: period, accessLevelID: level,
            isConsumable: isConsumable, isInStore: isInStore)
    }

    /// Each button tells the result of what it asks for by a custom action.
    static func flow(preselected: String? = nil) -> FlowContent {
        let buttons: [(String, ActionDocument)] = [
            ("buy", .purchase(.selected("plans"), then: results)),
            ("buy_month", .purchase(.product(month), then: results)),
            ("buy_life", .purchase(.product("life"), then: results)),
            ("buy_coins", .purchase(.product("coins"), then: results)),
            ("buy_gone", .purchase(.product("gone"), then: results)),
            ("web", .webPurchase(.product(year), then: results)),
            ("restore", .restore(then: results)),
            (
                "push",
                .requestPermission("push", arguments: ["why": "news"], then: permissionResults)
            ),
            ("camera", .requestPermission("camera", arguments: [:], then: permissionResults)),
            ("alert", alert("Sure?", cancel: true)), ("warning", alert("Look out", cancel: false)),
            ("review", .requestReview), ("close", .close), ("own", .custom("own")),
        ]
        return FlowContent(
            id: "shop-v1",
            screens: [
                ScreenDocument(
                    id: "offer",
                    elements: [
                        ElementDocument(
                            id: "plans",
                            content: .productList(
                                ProductListDocument(
                                    vendorProductIDs: [month, year], preselected: preselected)))
                    ] + buttons.map { Samples.button($0.0, [$0.1]) })
            ])
    }

    static let results: ResultActions = [
        .success: [.custom("success")], .cancelled: [.custom("cancelled")],
        .failure: [.custom("failure")], .pending: [.custom("pending")],
    ]

    static let permissionResults: ResultActions = [
        .granted: [.custom("granted")], .denied: [.custom("denied")],
        .unavailable: [.custom("unavailable")],
    ]

    private static func alert(_ title: String, cancel: Bool) -> ActionDocument {
        .showAlert(
            title: title, message: "Really.",
            actions: [
                AlertActionDocument(
                    id: "keep", title: "Keep", style: cancel ? .cancel : .default,
                    actions: [.custom("kept")]),
                AlertActionDocument(
                    id: "Delete", title: "Delete", style: .destructive,
                    actions: [.custom("deleted")]),
            ])
    }
}

extension Bench {
    /// A device that stands before the shop, with everything heard.
    static func shop(
        _ catalog: Catalog = Shop.catalog(), observer: Bool = false, isHeard: Bool = true,
        now: Instant = Instant(ms: 1_000_000)
    ) throws -> (Bench, ViewID) {
        var bench = Bench("phone", catalog: catalog, now: now)
        bench.call(.activate(Activation(observerMode: observer)))
        if isHeard { bench.listen() }
        let view = try bench.createFlow("shop", products: nil)
        return (bench, view)
    }

    /// The same with the flow on screen.
    static func openShop(
        _ catalog: Catalog = Shop.catalog(), observer: Bool = false, isHeard: Bool = true,
        now: Instant = Instant(ms: 1_000_000)
    ) throws -> (Bench, ViewID) {
        var (bench, view) = try shop(catalog, observer: observer, isHeard: isHeard, now: now)
        _ = try bench.present(view)
        return (bench, view)
    }

    mutating func listen(_ kinds: QuestionKinds = Bench.allQuestions, view: ViewID? = nil) {
        device.questionListeners.insert(QuestionListener(kinds: kinds, view: view))
    }

    static let allQuestions: QuestionKinds = [
        .retry, .permission, .alert, .observerPurchase, .observerRestore,
    ]

    mutating func setStore(_ conditions: StoreCondition...) throws {
        try setConditions { $0.store = conditions }
    }

    mutating func tap(_ button: String, on view: ViewID) throws -> [DeviceCallback] {
        try perform(.tapButton(button), on: view)
    }

    mutating func answer(
        _ question: Question?, _ answer: QuestionAnswer
    ) throws -> [DeviceCallback] {
        try self.answer(try #require(question).id.description, answer)
    }

    mutating func answer(_ id: String, _ answer: QuestionAnswer) throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.answer(id, with: answer, at: now, outputs: &outputs)
        }
    }

    mutating func approve(_ products: String...) throws -> [DeviceCallback] {
        try outputs { device, now, outputs throws(DeviceFault) in
            try device.checkPending(products)
            device.approvePending(products, at: now, outputs: &outputs)
        }
    }

    /// The backend's copy of the device's profile.
    var backendProfile: Profile? { device.profileRecord?.profile }
}
