import FlowEngine
import Testing

@testable import SDKCore

@Suite("Products of flows")
struct ProductLoadingTests {
    private static let allGone = Shop.catalog(
        products: Shop.products.map { product in
            var gone = product
            gone.isInStore = false
            return gone
        })

    private func products(_ outcome: Outcome) throws -> [PaywallProduct] {
        guard case .success(.paywallProducts(let products)) = outcome.result else {
            throw Missing()
        }
        return products
    }

    private struct Missing: Error {}

    @Test("FC-20 FC-26 the products of all paywalls in catalog order, with offer and place")
    func paywallProducts() throws {
        var (bench, _) = try Bench.shop()
        let found = try products(bench.call(.getPaywallProducts(variationID: "v-shop")))
        #expect(
            found.map(\.vendorProductID) == ["sub.month", "sub.year", "life", "coins", "sub.month"])
        #expect(found.map(\.offerID) == ["", "half", "", "", "trial"])
        #expect(found.map(\.paywallName) == ["Plans", "Plans", "Extras", "Extras", "Extras"])
        #expect(
            found.map(\.paywallVariationID)
                == ["pv-plans", "pv-plans", "pv-extras", "pv-extras", "pv-extras"])
        #expect(found.map(\.index) == [0, 2, 0, 1, 2])
        #expect(found.allSatisfy { $0.product.price == "9.99" })
    }

    @Test("FC-21 none known to the store is 1000, an unreachable store 1002")
    func noProducts() throws {
        var (bench, _) = try Bench.shop(Self.allGone)
        let none = bench.call(.getPaywallProducts(variationID: "v-shop"))
        #expect(none.code == 1000)
        #expect(none.error?.message.contains("\"sub.month\" \"gone\" \"sub.year\"") == true)
        try bench.setConditions { $0.storeUnreachable = true }
        let unreachable = bench.call(.getPaywallProducts(variationID: "v-shop"))
        #expect(unreachable.code == 1002)
        guard case .sdk(let error) = unreachable.error else { throw Missing() }
        #expect(error.isRetryable)
        try bench.setConditions { $0.storeUnreachable = false }
        #expect(bench.call(.getPaywallProducts(variationID: "v-shop")).code == 1000)
    }

    @Test("FC-21 a flow without products has none that the store knows")
    func emptyFlow() throws {
        var (bench, _) = try Bench.shop(Shop.catalog(paywalls: []))
        #expect(bench.call(.getPaywallProducts(variationID: "v-shop")).code == 1000)
    }

    @Test("a flow that was not fetched is NOT_FOUND; before activate the call is 2002")
    func notFetched() throws {
        var bench = Bench("phone", catalog: Shop.catalog())
        #expect(bench.call(.getPaywallProducts(variationID: "v-shop")).code == 2002)
        bench.call(.activate(Activation()))
        let error = bench.call(.getPaywallProducts(variationID: "v-shop")).error
        #expect(error?.isNotFound == true)
        #expect(error?.message.contains("call get_flow first") == true)
    }

    @Test("GEN-10 the call waits for a slow store, and can be cancelled")
    func slowStore() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(StoreCondition(operation: .products, delayMs: 300))
        let (_, outputs) = bench.start(.getPaywallProducts(variationID: "v-shop"))
        #expect(outputs.isEmpty)
        #expect(bench.advance(299).isEmpty)
        #expect(
            bench.advance(1).lines == ["answer products sub.month sub.year life coins sub.month"])
        let (id, _) = bench.start(.getPaywallProducts(variationID: "v-shop"))
        #expect(bench.cancel(id).lines == ["answer 9000"])
        #expect(bench.advance(1_000).isEmpty)
    }

    @Test("FC-23 FC-24 VW-25 a partial load is told after the first screen, before a preselection")
    func partial() throws {
        let catalog = Shop.catalog(flow: Shop.flow(preselected: Shop.year))
        var (bench, view) = try Bench.shop(catalog)
        #expect(bench.advance(60_000).isEmpty, "held until the view has appeared")
        #expect(
            try bench.present(view).lines == [
                "presented", "appear", "showed offer", "partial gone", "select sub.year",
            ])
        #expect(try bench.screen(view).elements[0].options.map(\.isEnabled) == [true, true])
        #expect(bench.advance(60_000).isEmpty)
    }

    @Test("FC-23 loading starts when the configuration is made, not when the view appears")
    func start() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(
            StoreCondition(operation: .products, outcome: .failure, calls: 1))
        let failing = try bench.createFlow("shop", products: nil)
        let loading = try bench.createFlow("shop", products: nil)
        #expect(try bench.present(loading).lines.last == "partial gone")
        _ = try bench.dismiss(loading)
        #expect(try bench.present(failing).lines.last == "retry? 1002")
    }

    @Test("FC-23 a load that ends after the view appeared is told then")
    func lateLoad() throws {
        let catalog = Shop.catalog(flow: Shop.flow(preselected: Shop.year))
        var (bench, _) = try Bench.shop(catalog)
        try bench.setStore(StoreCondition(operation: .products, delayMs: 1_000))
        let view = try bench.createFlow("shop", products: nil)
        #expect(bench.advance(400).isEmpty)
        #expect(try bench.present(view).lines == ["presented", "appear", "showed offer"])
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 600))
        #expect(bench.advance(599).isEmpty)
        #expect(bench.advance(1).lines == ["partial gone", "select sub.year"])
    }

    @Test("FC-23 VW-19 a load that ends after didDisappear is told at the next presentation")
    func loadedOffScreen() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(StoreCondition(operation: .products, delayMs: 1_000))
        let view = try bench.createFlow("shop", products: nil)
        _ = try bench.present(view)
        #expect(try bench.dismiss(view).callbacks.lines == ["disappear"])
        #expect(bench.advance(5_000).isEmpty)
        #expect(
            try bench.present(view).lines == [
                "presented", "appear", "showed offer", "partial gone",
            ])
    }

    @Test("FC-24 several missing ones, each once, in catalog order, as conditions say")
    func missing() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(
            StoreCondition(
                operation: .products, productID: "coins", outcome: .failure, calls: 1),
            StoreCondition(
                operation: .products, productID: Shop.month, outcome: .failure, calls: 1))
        let view = try bench.createFlow("shop", products: nil)
        #expect(try bench.present(view).lines.last == "partial sub.month gone coins")
        #expect(try bench.screen(view).elements[0].options.map(\.isEnabled) == [false, true])
        #expect(try bench.tap("buy_coins", on: view).lines == ["custom failure"])
        let next = try products(bench.call(.getPaywallProducts(variationID: "v-shop")))
        #expect(next.count == 5, "the conditions held for one load")
    }

    @Test("FC-22 given products, also an empty list, are not asked for", arguments: [[], ["gone"]])
    func given(products: [String]) throws {
        var (bench, _) = try Bench.shop()
        try bench.setConditions { $0.storeUnreachable = true }
        let view = try bench.createFlow("shop", products: products)
        #expect(try bench.present(view).lines == ["presented", "appear", "showed offer"])
        #expect(bench.advance(60_000).isEmpty)
    }

    @Test("a flow that offers nothing loads nothing")
    func nothingOffered() throws {
        var (bench, _) = try Bench.shop(Shop.catalog(paywalls: []))
        try bench.setConditions { $0.storeUnreachable = true }
        let view = try bench.createFlow("shop", products: nil)
        #expect(try bench.present(view).lines == ["presented", "appear", "showed offer"])
    }

    @Test("FC-26 didSelectProduct carries the product as the flow offers it")
    func selected() throws {
        var (bench, view) = try Bench.openShop()
        let callbacks = try bench.perform(.selectProduct("plans", product: Shop.year), on: view)
        guard case .store(view, .didSelectProduct(let product)) = callbacks.first else {
            throw Missing()
        }
        #expect(callbacks.count == 1)
        #expect(product.offerID == "half")
        #expect(product.paywallName == "Plans")
        #expect(product.paywallVariationID == "pv-plans")
        #expect(product.index == 2)
        #expect(product.product.price == "9.99")
    }

    @Test("VW-20 a view keeps the products that it loaded, whatever the catalog has since")
    func keptProducts() throws {
        var (bench, view) = try Bench.openShop()
        bench.backend.replaceCatalog(Samples.catalog())
        let select = Gesture.selectProduct("plans", product: Shop.month)
        let selected = try bench.perform(select, on: view)
        guard case .store(_, .didSelectProduct(let product)) = selected.first else {
            throw Missing()
        }
        #expect(product.product == Shop.products[0])
        #expect(try bench.tap("buy", on: view).lines.last == "custom success")
    }
}

@Suite("Loading products again")
struct ProductRetryTests {
    /// A shop whose products the store gives at the attempt of that number.
    private func shop(attempt: UInt32, preselected: String? = nil) throws -> (Bench, ViewID) {
        let catalog = Shop.catalog(flow: Shop.flow(preselected: preselected))
        var (bench, _) = try Bench.shop(catalog)
        try bench.setStore(
            StoreCondition(operation: .products, outcome: .failure, calls: attempt - 1))
        let view = try bench.createFlow("shop", products: nil)
        return (bench, view)
    }

    @Test("FC-25 ACT-40 ACT-41 yes: an attempt 2 s later, a failure asks again")
    func retrying() throws {
        var (bench, view) = try shop(attempt: 4, preselected: Shop.year)
        var callbacks = try bench.present(view)
        #expect(callbacks.lines == ["presented", "appear", "showed offer", "retry? 1002"])
        for _ in 0..<2 {
            #expect(callbacks.question?.defaultAnswer == "no")
            #expect(callbacks.question?.deadline == bench.now.advanced(byMs: 30_000))
            #expect(try bench.answer(callbacks.question, .retry(true)).lines == ["settled yes"])
            #expect(bench.advance(1_999).isEmpty)
            callbacks = Bench.callbacks(bench.advance(1))
            #expect(callbacks.lines == ["retry? 1002"])
        }
        _ = try bench.answer(callbacks.question, .retry(true))
        #expect(bench.advance(2_000).lines == ["partial gone", "select sub.year"])
        #expect(bench.advance(60_000).isEmpty)
    }

    @Test("ACT-41 no ends the attempts of this presentation; the next one begins anew")
    func notRetrying() throws {
        var (bench, view) = try shop(attempt: 2)
        let callbacks = try bench.present(view)
        #expect(
            try bench.answer(callbacks.question, .retry(false)).lines == ["settled no"])
        #expect(bench.advance(600_000).isEmpty)
        #expect(try bench.tap("buy_month", on: view).lines == ["custom failure"])
        _ = try bench.dismiss(view)
        #expect(
            try bench.present(view).lines == [
                "presented", "appear", "showed offer", "partial gone",
            ])
    }

    @Test("ACT-40 ACT-51 no answer by the deadline is no")
    func deadline() throws {
        var (bench, view) = try shop(attempt: 2)
        _ = try bench.present(view)
        #expect(bench.advance(29_999).isEmpty)
        #expect(bench.advance(1).lines == ["settled no by default"])
        #expect(bench.advance(600_000).isEmpty)
    }

    @Test("ACT-41 VW-19 a view that has left the screen is not loaded again")
    func dismissed() throws {
        var (bench, view) = try shop(attempt: 3)
        let callbacks = try bench.present(view)
        _ = try bench.answer(callbacks.question, .retry(true))
        #expect(try bench.dismiss(view).callbacks.lines == ["disappear"])
        #expect(bench.advance(600_000).isEmpty)
        #expect(try bench.present(view).lines.last == "retry? 1002", "the second attempt")
        #expect(
            try bench.dismiss(view).callbacks.lines == ["settled no by default", "disappear"])
        #expect(try bench.present(view).lines.last == "partial gone", "the third attempt")
    }

    @Test("ACT-51 GEN-9 a view that nobody hears takes no for its answer at once")
    func unheard() throws {
        var (bench, view) = try shop(attempt: 2)
        bench.device.questionListeners = []
        #expect(
            try bench.present(view).lines == [
                "presented", "appear", "showed offer", "retry? 1002", "settled no by default",
            ])
        #expect(bench.device.nextDue == nil)
    }

    @Test("ACT-41 an attempt may take its time; each asks the store anew")
    func slowAttempt() throws {
        var (bench, view) = try shop(attempt: 2)
        let callbacks = try bench.present(view)
        try bench.setStore(StoreCondition(operation: .products, delayMs: 500))
        _ = try bench.answer(callbacks.question, .retry(true))
        #expect(bench.advance(2_499).isEmpty)
        #expect(bench.advance(1).lines == ["partial gone"])
    }

    @Test("VW-28 a retry that falls due in the background runs at the return, in its turn")
    func background() throws {
        var content = Shop.flow()
        content.timers = [3_000, 1_000, 5_000].map { ms in
            TimerDocument(
                id: "t\(ms)", mode: .restart, durationMs: ms, actions: [.custom("after \(ms)")])
        }
        var (bench, _) = try Bench.shop(Shop.catalog(flow: content))
        try bench.setStore(StoreCondition(operation: .products, outcome: .failure, calls: 1))
        let view = try bench.createFlow("shop", products: nil)
        let callbacks = try bench.present(view)
        _ = try bench.answer(callbacks.question, .retry(true))
        _ = try bench.enterBackground()
        #expect(bench.advance(60_000).isEmpty)
        #expect(bench.device.nextDue == nil)
        #expect(
            try bench.enterForeground().lines == [
                "custom after 1000", "partial gone", "custom after 3000", "custom after 5000",
            ])
    }

    @Test("VW-28 ACT-51 what a timer asks at the return has its time from the return on")
    func deadlineFromTheReturn() throws {
        var content = Shop.flow()
        content.timers = [
            TimerDocument(
                id: "t", mode: .restart, durationMs: 1_000,
                actions: [.requestPermission("push", arguments: [:])])
        ]
        var (bench, _) = try Bench.shop(Shop.catalog(flow: content))
        try bench.setStore(StoreCondition(operation: .products, outcome: .failure, calls: 1))
        let view = try bench.createFlow("shop", products: nil)
        _ = try bench.answer(try bench.present(view).question, .retry(true))
        _ = try bench.enterBackground()
        _ = bench.advance(60_000)
        let callbacks = try bench.enterForeground()
        #expect(callbacks.lines == ["permission push", "partial gone"])
        #expect(callbacks.question?.deadline == bench.now.advanced(byMs: 30_000))
    }
}
