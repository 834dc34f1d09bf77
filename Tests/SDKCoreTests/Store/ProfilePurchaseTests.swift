import FlowEngine
import Testing

@testable import SDKCore

@Suite("What purchases make of a profile")
struct ProfilePurchaseTests {
    /// 2024-01-31T10:00:00Z
    private static let start = Instant(ms: 1_706_695_200_000)
    private static let day: Int64 = 86_400_000

    private func buy(_ product: String, _ bench: inout Bench) -> Profile? {
        let call = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: product)
        guard case .success(.purchase(.success(let profile, _))) = bench.call(call).result else {
            return nil
        }
        return profile
    }

    private func shop() throws -> Bench {
        try Bench.shop(now: Self.start).0
    }

    @Test("ACT-22 a subscription: level and subscription until the end of its period")
    func subscription() throws {
        var bench = try shop()
        let profile = try #require(buy(Shop.month, &bench))
        let end: Int64 = 1_709_200_800_000  // 2024-02-29T10:00:00Z
        #expect(
            profile.accessLevels == [
                "premium": AccessLevel(
                    id: "premium", isActive: true, vendorProductID: Shop.month,
                    store: "app_store", activatedAtMs: Self.start.ms, expiresAtMs: end,
                    willRenew: true)
            ])
        #expect(
            profile.subscriptions == [
                Subscription(
                    vendorProductID: Shop.month,
                    vendorTransactionID: try #require(profile.subscriptions.first)
                        .vendorTransactionID, store: "app_store", isActive: true, willRenew: true,
                    activatedAtMs: Self.start.ms, expiresAtMs: end)
            ])
        #expect(profile.nonSubscriptions.isEmpty)
    }

    @Test("ACT-22 what is for ever gives its level for ever, and is bought once")
    func lifetime() throws {
        var bench = try shop()
        let first = try #require(buy("life", &bench))
        let level = try #require(first.accessLevels["premium"])
        #expect(level.isLifetime && level.isActive && !level.willRenew)
        #expect(level.expiresAtMs == nil)
        let bought = try #require(first.nonSubscriptions.first)
        #expect(bought.vendorProductID == "life")
        #expect(!bought.isConsumable)
        #expect(ViewID(bought.purchaseID) != nil)
        _ = bench.advance(1_000)
        #expect(buy("life", &bench) == first, "the same transaction, and no change")
    }

    @Test("ACT-22 a consumable gives no level, and each purchase is one of its own")
    func consumable() throws {
        var bench = try shop()
        _ = buy("coins", &bench)
        let profile = try #require(buy("coins", &bench))
        #expect(profile.accessLevels.isEmpty)
        #expect(profile.nonSubscriptions.map(\.isConsumable) == [true, true])
        #expect(Set(profile.nonSubscriptions.map(\.vendorTransactionID)).count == 2)
        #expect(Set(profile.nonSubscriptions.map(\.purchaseID)).count == 2)
    }

    @Test("GEN-3 transaction ids are decimal, and the same in every run of one seed")
    func transactionIDs() throws {
        func ids() throws -> [String] {
            var bench = try shop()
            _ = buy("coins", &bench)
            return try #require(buy("coins", &bench)).nonSubscriptions.map(\.vendorTransactionID)
        }
        let first = try ids()
        #expect(first.allSatisfy { $0.utf8.count == 16 && Int64($0) != nil })
        #expect(try ids() == first)
    }

    @Test("ACT-22 a level lasts as long as the longest purchase that gives it")
    func longest() throws {
        let products = [
            Shop.product(Shop.month, period: "P1M"), Shop.product(Shop.year, period: "P1Y"),
            Shop.product("life"), Shop.product("coins"), Shop.product("gone"),
        ]
        var bench = try Bench.shop(Shop.catalog(products: products), now: Self.start).0
        let yearEnd = try #require(buy(Shop.year, &bench)?.accessLevels["premium"]?.expiresAtMs)
        let later = buy(Shop.month, &bench)?.accessLevels["premium"]
        #expect(later?.expiresAtMs == yearEnd)
        #expect(later?.vendorProductID == Shop.year)
        _ = bench.advance(360 * Self.day)
        let renewed = buy(Shop.month, &bench)?.accessLevels["premium"]
        #expect(renewed?.vendorProductID == Shop.month)
        #expect(renewed?.activatedAtMs == Self.start.ms)
        #expect(renewed?.renewedAtMs == bench.now.ms)
        let forEver = buy("life", &bench)?.accessLevels["premium"]
        #expect(forEver?.isLifetime == true)
        #expect(buy(Shop.year, &bench)?.accessLevels["premium"] == forEver)
    }

    @Test("a subscription ends by the device's clock: the next profile answer says so")
    func expiry() throws {
        var bench = try shop()
        _ = buy(Shop.month, &bench)
        let end: Int64 = 1_709_200_800_000
        _ = bench.advance(end - Self.start.ms - 1)
        #expect(bench.start(.getProfile).outputs.lines == ["answer profile premium"])
        _ = bench.advance(1)
        #expect(bench.start(.getProfile).outputs.lines == ["profile ", "answer profile "])
        let level = bench.backendProfile?.accessLevels["premium"]
        #expect(level?.isActive == false)
        #expect(level?.willRenew == false)
        #expect(bench.backendProfile?.subscriptions.first?.isActive == false)
        #expect(bench.start(.getProfile).outputs.lines == ["answer profile "])
        let again = try #require(buy(Shop.month, &bench))
        #expect(again.accessLevels["premium"]?.activatedAtMs == bench.now.ms)
        #expect(again.subscriptions.count == 1)
        #expect(again.subscriptions.first?.activatedAtMs == Self.start.ms)
        #expect(again.subscriptions.first?.isActive == true)
    }

    @Test("PL-17 PL-20 UC-50 a segment on access_level follows the purchase, and its end")
    func segment() throws {
        let placement = PlacementDocument(
            id: "main", type: .flow,
            audiences: [
                Samples.audience(
                    "Gold", priority: 1, versionID: "pav_gold",
                    [SegmentCondition("access_level", "gold")],
                    variations: [Samples.variation("v-gold", version: "pro-v1")]),
                Samples.audience(
                    "All", versionID: "pav_main", isAllUsers: true,
                    variations: [Samples.variation("v-main", version: "pro-v1")]),
            ])
        var bench = try Bench.shop(Shop.catalog(others: [placement]), now: Self.start).0
        func variation() -> String? { bench.call(.getFlow("main")).flow?.content.variationID }
        #expect(variation() == "v-main")
        _ = buy(Shop.month, &bench)
        #expect(variation() == "v-main", "another level")
        _ = buy(Shop.year, &bench)
        #expect(variation() == "v-gold")
        _ = bench.advance(366 * Self.day)
        #expect(variation() == "v-main")
    }

    @Test("ID-29 another device of the user sees the purchase at its next profile answer")
    func otherDevice() throws {
        var (bench, _) = try Bench.shop(now: Self.start)
        bench.device.identity = DeviceIdentity()
        bench.call(.activate(Activation(customerUserID: "ann")))
        var tablet = Bench("tablet", backend: bench.backend, now: Self.start)
        tablet.call(.activate(Activation(customerUserID: "ann")))
        _ = buy(Shop.month, &bench)
        #expect(
            tablet.start(.getProfile).outputs.lines
                == ["profile premium", "answer profile premium"])
    }

    @Test("256 purchases of a profile are kept, the oldest goes")
    func nonSubscriptionsMax() throws {
        var bench = try shop()
        let first = try #require(buy("coins", &bench)?.nonSubscriptions.first)
        for _ in 1..<SDKLimits.nonSubscriptionsMax { _ = buy("coins", &bench) }
        #expect(bench.backendProfile?.nonSubscriptions.first == first)
        let last = try #require(buy("coins", &bench))
        #expect(last.nonSubscriptions.count == SDKLimits.nonSubscriptionsMax)
        #expect(last.nonSubscriptions.first != first)
    }

    @Test("256 products are owned, and as many subscriptions kept, the oldest goes")
    func ownedMax() throws {
        let products = (0...SDKLimits.ownedProductsMax).map {
            Shop.product("sub.\($0)", period: "P1M")
        }
        let paywall = PaywallDocument(
            name: "All", variationID: "pv",
            products: products.map {
                ProductReferenceDocument(vendorProductID: $0.vendorProductID)
            })
        var bench = try Bench.shop(
            Shop.catalog(paywalls: [paywall], products: products), now: Self.start
        ).0
        for product in products.dropLast() { _ = buy(product.vendorProductID, &bench) }
        #expect(bench.device.store.account.owned.first?.vendorProductID == "sub.0")
        #expect(bench.backendProfile?.subscriptions.count == SDKLimits.subscriptionsMax)
        let last = try #require(buy("sub.\(SDKLimits.ownedProductsMax)", &bench))
        #expect(bench.device.store.account.owned.count == SDKLimits.ownedProductsMax)
        #expect(bench.device.store.account.owned.first?.vendorProductID == "sub.1")
        #expect(last.subscriptions.count == SDKLimits.subscriptionsMax)
        #expect(last.subscriptions.first?.vendorProductID == "sub.1")
    }

    @Test(
        "GEN-3 periods end by the calendar of the device's zone",
        arguments: [
            ("P1D", 0, (2024, 2, 1)), ("P2W", 0, (2024, 2, 14)), ("P1M", 0, (2024, 2, 29)),
            ("P3M", 0, (2024, 4, 30)), ("P1Y", 0, (2025, 1, 31)), ("P13M", 0, (2025, 2, 28)),
            ("P1M", 900, (2024, 3, 1)), ("P2147483647Y", 0, (9999, 12, 31)),
            ("P2147483647D", 0, (9999, 12, 31)),
        ] as [(String, Int64, (Int32, Int32, Int32))])
    func periods(text: String, zoneMinutes: Int64, day: (Int32, Int32, Int32)) throws {
        let period = try #require(SubscriptionPeriod(text))
        let zone = TimeZoneRules.fixed(minutes: zoneMinutes)
        let end = period.end(from: Self.start, in: zone)
        let (date, time) = zone.civil(end)
        #expect(date == CivilDate(year: day.0, month: day.1, day: day.2))
        if date.year < 9_999 { #expect(time == zone.civil(Self.start).1) }
    }

    @Test(
        "what is no period of one count and one unit is none",
        arguments: ["", "P", "P1", "PM", "P0M", "P-1M", "1M", "PT1H", "P1H", "P1M1D"])
    func noPeriods(text: String) {
        #expect(SubscriptionPeriod(text) == nil)
    }

    @Test("ACT-31 a restored transaction that is older than the profile's changes nothing")
    func olderTransaction() throws {
        func transaction(_ id: String, at ms: Int64, until end: Int64) -> StoreTransaction {
            StoreTransaction(
                vendorProductID: Shop.month, id: id, originalID: "1", purchasedAtMs: ms,
                purchaseID: "p\(id)", accessLevelID: "premium", isConsumable: false,
                expiresAtMs: end)
        }
        var profile = Profile(profileID: "p")
        profile.take(transaction("2", at: 100, until: 200))
        let before = profile
        profile.take(transaction("1", at: 50, until: 150))
        #expect(profile == before)
        profile.take(transaction("2", at: 100, until: 200))
        #expect(profile == before)
    }
}
