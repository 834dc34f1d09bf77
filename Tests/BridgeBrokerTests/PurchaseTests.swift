import BridgeProtocol
import Testing

/// Purchases and products on the wire.
@Suite("The simulated store")
struct PurchaseTests {
    private func start(_ wire: Wire, _ setup: TestSetup) throws -> TestClient {
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 1_000_000, seed: 7)
        try client.activate()
        try client.subscribe()
        _ = client.takeEvents()
        return client
    }

    /// The shop on screen, its events taken.
    private func openShop(_ wire: Wire) throws -> (TestClient, String) {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.shop))
        let view = try client.makeFlowView("shop")
        try client.present(view)
        #expect(
            client.takeShopStory() == [
                "view_presented", "flow_did_appear", "flow_screen_showed", "missing gone",
            ])
        return (client, view)
    }

    @Test("UC-50 ACT-20 ACT-22 ACT-30 a purchase in a targeted flow", arguments: Wire.allCases)
    func targeted(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.targetedShop))
        #expect(try client.getFlow("main").variationId == "var_flow_all")
        let quiz = try client.makeFlowView("quiz")
        try client.present(quiz)
        try client.tapOption(quiz, "experience", "pro")
        try client.update {
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "experience"
                    $0.change = .string("pro")
                }
            ]
        }
        try client.dismiss(quiz)
        #expect(try client.getFlow("main").placement?.audienceName == "pro")
        let view = try client.makeFlowView("main")
        try client.present(view)
        _ = client.takeEvents()
        try client.selectProduct(view, "plans", "month")
        try client.tapButton(view, "buy")
        let events = client.takeEvents()
        #expect(
            events.map(\.shopStory) == [
                "select month", "start month", "did_load_latest_profile", "finish month success",
            ])
        #expect(events.map(\.viewId) == [view, view, "", view])
        #expect(try client.listViews().map(\.state) == [.dismissed, .onTop])
        #expect(try client.getFlow("main").placement?.audienceName == "members")
    }

    @Test(
        "ACT-22 FC-26 PRO-28 what a purchase tells: product, transaction and profile",
        arguments: Wire.allCases)
    func content(wire: Wire) throws {
        let (client, view) = try openShop(wire)
        try client.selectProduct(view, "plans", "year")
        try client.tapButton(view, "buy")
        let kinds = client.takeEvents().compactMap(\.kind)
        guard kinds.count == 5, case .didSelectProduct(let selected) = kinds[0],
            case .didStartPurchase(let started) = kinds[1],
            case .didLoadLatestProfile(let loaded) = kinds[2],
            case .didFinishPurchase(let finished) = kinds[3],
            let transaction = finished.result?.transaction, let profile = finished.result?.profile
        else { throw Unexpected(kinds) }
        let product = with(PaywallProduct()) {
            $0.vendorProductId = "year"
            $0.localizedTitle = "Title of year"
            $0.localizedDescription = "About year"
            $0.price = "9.99"
            $0.currencyCode = "EUR"
            $0.localizedPrice = "9,99 €"
            $0.subscriptionPeriod = "P1Y"
            $0.offerId = "half"
            $0.paywallName = "Plans"
            $0.paywallVariationId = "pv_plans"
            $0.paywallProductIndex = 1
        }
        #expect(
            [selected.product, started.product, finished.product] == [product, product, product])
        #expect(transaction.vendorProductId == "year")
        #expect(transaction.transactionId.utf8.count == 16)
        #expect(transaction.originalTransactionId == transaction.transactionId)
        #expect(transaction.purchasedAtMs == 1_000_000)
        let expires: Int64 = 1_000_000 + 365 * 86_400_000
        let subscription = with(Subscription()) {
            $0.vendorProductId = "year"
            $0.vendorTransactionId = transaction.transactionId
            $0.store = "app_store"
            $0.isActive = true
            $0.willRenew = true
            $0.activatedAtMs = 1_000_000
            $0.expiresAtMs = expires
        }
        #expect(profile.subscriptions == [subscription])
        #expect(profile.accessLevels.map(\.key) == ["premium"])
        #expect(profile.accessLevels.first?.value.expiresAtMs == expires)
        #expect(loaded.profile == profile)
        #expect(try client.profile() == profile)
        #expect(try client.inspectProfile().profile == profile)
    }

    @Test("ACT-23 ACT-25 ACT-30 field case 23: five purchase gestures", arguments: Wire.allCases)
    func cancelledAgainAndAgain(wire: Wire) throws {
        let (client, view) = try openShop(wire)
        try client.setStore(
            {
                $0.productId = "month"; $0.outcome = .cancelled; $0.calls = 2
            },
            {
                $0.productId = "month"; $0.outcome = .failure; $0.errorCode = 2; $0.calls = 1
            },
            {
                $0.productId = "month"; $0.outcome = .cancelled; $0.calls = 1
            })
        for _ in 0..<5 { try client.tapButton(view, "buy_month") }
        let cancelled = [
            "start month", "finish month user_cancelled", "did_perform_action custom cancelled",
        ]
        #expect(
            client.takeShopStory() == cancelled + cancelled + cancelled + cancelled + [
                "start month", "did_load_latest_profile", "finish month success",
                "did_perform_action custom success",
            ])
        #expect(try client.listViews().map(\.state) == [.onTop])
    }

    @Test(
        "ACT-24 ACT-25 ACT-26 ACT-31 ACT-33 a flow that meets what the store does",
        arguments: Wire.allCases)
    func outcomes(wire: Wire) throws {
        let (client, view) = try openShop(wire)
        try client.setStore(
            {
                $0.outcome = .failure; $0.errorCode = 7; $0.delayMs = 250; $0.calls = 1
            },
            {
                $0.outcome = .pending; $0.calls = 1
            },
            {
                $0.operation = .restore; $0.outcome = .failure; $0.calls = 1
            })
        try client.tapButton(view, "buy_month")
        #expect(client.takeShopStory() == ["start month"])
        let busy = try client.refusal(
            .perform(
                with(PerformRequest()) {
                    $0.viewId = view
                    $0.gesture = .tapButton(with(TapButtonGesture()) { $0.elementId = "restore" })
                }))
        #expect(busy.code == .wrongState)
        try client.advance(ms: 250)
        #expect(
            client.takeShopStory() == ["fail month 7", "did_perform_action custom failure"])
        try client.tapButton(view, "buy_month")
        #expect(
            client.takeShopStory()
                == ["start month", "finish month pending", "did_perform_action custom pending"])
        try client.setConditions { $0.approvePending = ["month"] }
        #expect(client.takeShopStory() == ["did_load_latest_profile"])
        try client.tapButton(view, "restore")
        #expect(
            client.takeShopStory() == [
                "did_start_restore", "did_fail_restore 1010", "did_perform_action custom failure",
            ])
        try client.tapButton(view, "restore")
        #expect(
            client.takeShopStory() == [
                "did_start_restore", "did_finish_restore", "did_perform_action custom success",
            ])
        try client.tapButton(view, "web")
        #expect(
            client.takeShopStory() == ["web year 0", "did_perform_action custom pending"])
        try client.setConditions { $0.purchasesForbidden = true }
        try client.tapButton(view, "buy_month")
        #expect(
            client.takeShopStory()
                == ["start month", "fail month 1003", "did_perform_action custom failure"])
    }

    @Test("ACT-29 VW-19 the end of a purchase comes after didDisappear", arguments: Wire.allCases)
    func afterTheView(wire: Wire) throws {
        let (client, view) = try openShop(wire)
        try client.setStore({ $0.delayMs = 1_000 })
        try client.tapButton(view, "buy_month")
        try client.dismiss(view, destroy: true)
        try client.advance(ms: 1_000)
        let events = client.takeEvents()
        #expect(
            events.map(\.shopStory) == [
                "start month", "flow_did_disappear", "did_load_latest_profile",
                "finish month success",
            ])
        #expect(events.last?.viewId == view)
    }

    @Test("ACT-22 ACT-31 the sample's offer can be bought and restored", arguments: Wire.allCases)
    func sample(wire: Wire) throws {
        let client = try start(wire, TestSetup())
        let view = try client.makeFlowView("premium_offer_1")
        try client.present(view)
        try client.selectProduct(view, "plans", "premium_yearly")
        _ = client.takeEvents()
        try client.tapButton(view, "buy")
        try client.tapButton(view, "restore")
        #expect(
            client.takeShopStory() == [
                "start premium_yearly", "did_load_latest_profile", "finish premium_yearly success",
                "did_start_restore", "did_finish_restore",
            ])
    }

    @Test("PRO-28 inspect_profile tells of an expiry without a call", arguments: Wire.allCases)
    func expiry(wire: Wire) throws {
        let (client, view) = try openShop(wire)
        try client.tapButton(view, "buy_month")
        let id = try client.profile().profileId
        func isActive(_ profileID: String) throws -> Bool? {
            let reply = try client.call(
                .inspectProfile(with(InspectProfileRequest()) { $0.profileId = profileID }))
            guard case .inspectProfile(let record) = reply else { throw Unexpected(reply) }
            return record.profile?.accessLevels.first?.value.isActive
        }
        #expect(try isActive("") == true)
        try client.advance(ms: 32 * 86_400_000)
        #expect(try isActive("") == false)
        #expect(try isActive(id) == false)
    }

    // MARK: Calls of the SDK

    private func products(_ client: TestClient) -> ClientFrame.Body {
        .getPaywallProducts(with(GetPaywallProductsRequest()) { $0.variationId = "var_shop" })
    }

    private func buy(_ product: String) -> ClientFrame.Body {
        .makePurchase(
            with(MakePurchaseRequest()) {
                $0.variationId = "var_shop"
                $0.vendorProductId = product
            })
    }

    @Test("FC-20 FC-21 ACT-32 products, purchases and restores by calls", arguments: Wire.allCases)
    func calls(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.shop))
        _ = try client.getFlow("shop")
        guard case .getPaywallProducts(let listed) = try client.call(products(client)) else {
            throw Unexpected("no products")
        }
        #expect(listed.products.map(\.vendorProductId) == ["month", "year", "life", "coins"])
        #expect(listed.products.map(\.paywallProductIndex) == [0, 1, 0, 1])
        guard case .makePurchase(let bought) = try client.call(buy("life")) else {
            throw Unexpected("no purchase")
        }
        #expect(bought.result?.outcome == .success)
        let profile = bought.result?.profile
        #expect(profile?.accessLevels.first?.value.isLifetime == true)
        #expect(profile?.nonSubscriptions.map(\.vendorProductId) == ["life"])
        #expect(
            profile?.nonSubscriptions.first?.vendorTransactionId
                == bought.result?.transaction?.transactionId)
        guard
            case .restorePurchases(let restored) = try client.call(
                .restorePurchases(RestorePurchasesRequest()))
        else { throw Unexpected("no restore") }
        #expect(restored.profile == profile)
        #expect(client.takeStory() == ["did_load_latest_profile"])
        try client.setStore({ $0.outcome = .cancelled })
        guard case .makePurchase(let cancelled) = try client.call(buy("month")) else {
            throw Unexpected("no purchase")
        }
        #expect(cancelled.result?.outcome == .userCancelled)
        #expect(cancelled.result?.profile == nil)
        try client.setConditions { $0.storeUnreachable = true }
        let unreachable = try client.refusal(products(client))
        #expect(unreachable.sdk?.code == 1002)
        #expect(unreachable.sdk?.name == "productRequestFailed")
        #expect(unreachable.isRetryable)
    }

    @Test("ID-1 FC-21 ACT-49 what these calls are refused with", arguments: Wire.allCases)
    func refusals(wire: Wire) throws {
        let setup = TestSetup(catalog: TestCatalogs.shop)
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0)
        for call in [products(client), buy("month"), .restorePurchases(RestorePurchasesRequest())] {
            #expect(try client.refusal(call).sdk?.code == 2002)
        }
        try client.call(.activate(with(ActivateRequest()) { $0.observerMode = true }))
        #expect(try client.refusal(products(client)).code == .notFound)
        _ = try client.getFlow("shop")
        #expect(try client.refusal(buy("month")).sdk?.code == 1003)
        let unknown = try client.refusal(buy("week"))
        #expect(unknown.code == .notFound)
        #expect(unknown.field == "vendor_product_id")
    }

    @Test(
        "GEN-10 calls that wait: cancelled is 9000, a deadline DEADLINE_EXCEEDED",
        arguments: Wire.allCases)
    func waiting(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.shop))
        _ = try client.getFlow("shop")
        try client.setStore(
            { $0.delayMs = 500 },
            {
                $0.operation = .restore; $0.delayMs = 500
            },
            {
                $0.operation = .products; $0.delayMs = 500
            })
        let calls = [products(client), buy("month"), .restorePurchases(RestorePurchasesRequest())]
        for call in calls {
            let late = try client.send(call, deadlineMs: 499)
            let cancelled = try client.send(call)
            try client.call(.cancel(with(CancelRequest()) { $0.id = cancelled }))
            #expect(try client.refusal(of: cancelled).sdk?.code == 9000)
            try client.advance(ms: 499)
            #expect(try client.refusal(of: late).code == .deadlineExceeded)
            let served = try client.send(call)
            try client.advance(ms: 500)
            _ = try client.answer(to: served)
        }
        #expect(client.takeStory() == ["did_load_latest_profile"], "one purchase of three")
    }

    // MARK: Conditions

    @Test("ERR-5 conditions of the store that can never hold are refused", arguments: Wire.allCases)
    func conditions(wire: Wire) throws {
        let client = try start(wire, TestSetup(catalog: TestCatalogs.shop))
        func store(_ fill: (inout StoreCondition) -> Void) -> ClientFrame.Body {
            let condition = with(StoreCondition(), fill)
            return .setConditions(
                with(SetConditionsRequest()) { $0.store = [StoreCondition(), condition] })
        }
        let field = "set_conditions.store[1]"
        let cases: [(ClientFrame.Body, BridgeError.Code, String)] = [
            (store { $0.productId = "mnth" }, .notFound, "\(field).product_id"),
            (
                store {
                    $0.outcome = .failure; $0.errorCode = 2005
                }, .invalidArgument,
                "\(field).error_code"
            ),
            (
                store {
                    $0.operation = .restore; $0.outcome = .pending
                }, .invalidArgument,
                "\(field).outcome"
            ),
            (
                .setConditions(with(SetConditionsRequest()) { $0.approvePending = ["month"] }),
                .notFound, "set_conditions.approve_pending[0]"
            ),
        ]
        for (body, code, field) in cases {
            let error = try client.refusal(body)
            #expect(error.code == code)
            #expect(error.field == field)
        }
    }
}
