import FlowEngine
import Testing

@testable import SDKCore

@Suite("Purchases of a view")
struct PurchaseTests {
    @Test("ACT-22 ACT-30 success: start, the new profile, finish; the flow stays on screen")
    func success() throws {
        var (bench, view) = try Bench.openShop()
        let callbacks = try bench.tap("buy_month", on: view)
        #expect(
            callbacks.lines == [
                "start sub.month", "profile premium", "finish sub.month success premium",
                "custom success",
            ])
        #expect(bench.states == [.onTop])
        guard
            case .store(view, .didFinishPurchase(let product, .success(let profile, let bought))) =
                callbacks[2], case .didLoadLatestProfile(profile) = callbacks[1]
        else {
            Issue.record("another finish: \(callbacks[2])")
            return
        }
        #expect(product.paywallName == "Plans")
        #expect(bought.vendorProductID == "sub.month")
        #expect(bought.purchasedAtMs == bench.now.ms)
        #expect(bought.originalID == bought.id)
        #expect(profile == bench.backendProfile, "the backend's copy comes first")
        #expect(profile.subscriptions.map(\.vendorTransactionID) == [bought.id])
    }

    @Test("ACT-23 field case 23: cancelled is a finish, store error 2 too; the view stays")
    func cancelled() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(
            StoreCondition(productID: Shop.month, outcome: .cancelled, calls: 2),
            StoreCondition(productID: Shop.month, outcome: .failure, errorCode: 2, calls: 1),
            StoreCondition(productID: Shop.month, outcome: .cancelled, calls: 1))
        let before = bench.backendProfile
        for _ in 0..<4 {
            #expect(
                try bench.tap("buy_month", on: view).lines == [
                    "start sub.month", "finish sub.month user_cancelled", "custom cancelled",
                ])
            #expect(bench.backendProfile == before)
        }
        #expect(
            try bench.tap("buy_month", on: view).lines == [
                "start sub.month", "profile premium", "finish sub.month success premium",
                "custom success",
            ])
        #expect(bench.states == [.onTop])
    }

    @Test("ACT-24 pending is a finish; when the store approves, only the profile comes")
    func pending() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(outcome: .pending, calls: 1))
        #expect(
            try bench.tap("buy_month", on: view).lines
                == ["start sub.month", "finish sub.month pending", "custom pending"])
        #expect(bench.backendProfile?.accessLevels.isEmpty == true)
        _ = bench.advance(86_400_000)
        #expect(try bench.approve(Shop.month).lines == ["profile premium"])
        let level = bench.backendProfile?.accessLevels["premium"]
        #expect(level?.activatedAtMs == bench.now.ms, "it begins with the approval")
        #expect(fault { try bench.approve(Shop.month) }?.isNotFound == true)
    }

    @Test("ACT-24 store error 1050 is pending too")
    func pendingError() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(outcome: .failure, errorCode: 1050))
        #expect(
            try bench.tap("buy_month", on: view).lines
                == ["start sub.month", "finish sub.month pending", "custom pending"])
    }

    @Test(
        "ACT-25 ERR-5 failed: the code of the condition, 1006 without",
        arguments: [
            0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 1000, 1002, 1003, 1005, 1006, 1010,
            1020, 1030,
        ] as [Int32])
    func failed(code: Int32) throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(outcome: .failure, errorCode: code, calls: 1))
        #expect(
            try bench.tap("buy_month", on: view).lines == [
                "start sub.month", "fail sub.month \(code == 0 ? 1006 : code)", "custom failure",
            ])
        #expect(try bench.tap("buy_month", on: view).lines.count == 4, "it held for one call")
    }

    @Test("ACT-26 purchases forbidden: 1003 at once; restoring works")
    func forbidden() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setConditions {
            $0.purchasesForbidden = true
            $0.store = [StoreCondition(outcome: .success, delayMs: 1_000)]
        }
        #expect(
            try bench.tap("buy_month", on: view).lines
                == ["start sub.month", "fail sub.month 1003", "custom failure"])
        #expect(try bench.tap("restore", on: view).lines.last == "custom success")
        try bench.setConditions { $0.purchasesForbidden = false }
        #expect(try bench.tap("buy_month", on: view).lines == ["start sub.month"])
    }

    @Test("ACT-27 a product that is not loaded: no callback, the flow's own result is failure")
    func notLoaded() throws {
        var (bench, view) = try Bench.openShop()
        #expect(try bench.tap("buy_gone", on: view).lines == ["custom failure"])
        #expect(try bench.tap("buy", on: view).lines == ["custom failure"], "nothing is selected")
        _ = try bench.perform(.selectProduct("plans", product: Shop.year), on: view)
        #expect(try bench.tap("buy", on: view).lines.first == "start sub.year")
    }

    @Test("ACT-27 FC-22 a given product that the store does not know fails with 5")
    func givenUnknown() throws {
        var (bench, _) = try Bench.shop()
        let view = try bench.createFlow("shop", products: ["gone"])
        _ = try bench.present(view)
        #expect(
            try bench.tap("buy_gone", on: view).lines
                == ["start gone", "fail gone 5", "custom failure"])
    }

    @Test("ACT-28 while one runs a further purchase or restore is WRONG_STATE, all else works")
    func oneAtATime() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(delayMs: 1_000))
        #expect(try bench.tap("buy_month", on: view).lines == ["start sub.month"])
        for button in ["buy_month", "buy_life", "web", "restore"] {
            let error = fault { try bench.tap(button, on: view) }
            #expect(error?.isWrongState == true)
            #expect(error?.message.contains("has to wait for its end") == true)
        }
        #expect(try bench.tap("own", on: view).lines == ["custom own"])
        #expect(
            bench.advance(1_000).lines == [
                "profile premium", "finish sub.month success premium", "custom success",
            ])
        #expect(try bench.tap("restore", on: view).lines.first == "start restore")
    }

    @Test("ACT-28 what is no gesture is dropped while one runs, its own result is failure")
    func dropped() throws {
        var content = Shop.flow()
        content.timers = [
            TimerDocument(
                id: "t", mode: .restart, durationMs: 1_000,
                actions: [.purchase(.product(Shop.year), then: Shop.results)])
        ]
        var (bench, view) = try Bench.openShop(Shop.catalog(flow: content))
        try bench.setStore(StoreCondition(delayMs: 5_000))
        _ = try bench.tap("buy_month", on: view)
        #expect(bench.advance(1_000).lines == ["custom failure"])
        #expect(bench.advance(4_000).lines.last == "custom success")
    }

    @Test("ACT-28 each view has its own purchase")
    func twoViews() throws {
        var (bench, first) = try Bench.openShop()
        try bench.setStore(StoreCondition(delayMs: 1_000))
        let second = try bench.createFlow("shop", products: nil)
        _ = try bench.tap("buy_month", on: first)
        _ = try bench.dismiss(first)
        _ = try bench.present(second)
        #expect(try bench.tap("buy_life", on: second).lines == ["start life"])
        #expect(
            bench.advance(1_000).lines == [
                "profile premium", "finish sub.month success premium", "profile premium*",
                "finish life success premium*", "custom success",
            ])
    }

    @Test("ACT-29 VW-19 a view dismissed meanwhile, or destroyed, still gets its end")
    func dismissed() throws {
        for destroy in [false, true] {
            var (bench, view) = try Bench.openShop()
            try bench.setStore(StoreCondition(delayMs: 1_000))
            _ = try bench.tap("buy_month", on: view)
            #expect(try bench.dismiss(view, destroy: destroy).callbacks.lines == ["disappear"])
            let outputs = bench.advance(1_000)
            #expect(outputs.lines == ["profile premium", "finish sub.month success premium"])
            guard case .callback(.store(view, _)) = outputs.last else {
                Issue.record("of another view: \(outputs)")
                return
            }
        }
    }

    @Test("ACT-28 ACT-29 presented again while it runs, the view still waits for its end")
    func presentedAgain() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(delayMs: 1_000))
        _ = try bench.tap("buy_month", on: view)
        _ = try bench.dismiss(view)
        _ = try bench.present(view)
        #expect(fault { try bench.tap("buy_month", on: view) }?.isWrongState == true)
        #expect(
            bench.advance(1_000).lines == ["profile premium", "finish sub.month success premium"],
            "the new presentation waits for no result")
        #expect(try bench.tap("buy_month", on: view).lines == ["start sub.month"])
    }

    @Test("VW-28 a purchase ends in the background; what the flow does then waits for the return")
    func background() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(delayMs: 1_000))
        _ = try bench.tap("buy_month", on: view)
        _ = try bench.enterBackground()
        #expect(
            bench.advance(5_000).lines == ["profile premium", "finish sub.month success premium"])
        #expect(try bench.enterForeground().lines == ["custom success"])
    }

    @Test("ACT-33 a web payment: the product, and no error when the page was opened")
    func web() throws {
        var (bench, view) = try Bench.openShop()
        #expect(
            try bench.tap("web", on: view).lines == ["web sub.year opened", "custom pending"])
        try bench.setOffline(true)
        #expect(try bench.tap("web", on: view).lines == ["web sub.year 2005", "custom failure"])
        #expect(bench.backendProfile?.accessLevels.isEmpty == true)
    }

    @Test("ACT-25 an unreachable store fails a purchase with 1006 and a restore with 1010")
    func unreachable() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setConditions { $0.storeUnreachable = true }
        #expect(try bench.tap("buy_month", on: view).lines[1] == "fail sub.month 1006")
        #expect(try bench.tap("restore", on: view).lines[1] == "fail restore 1010")
    }

    @Test("ACT-25 a purchase for which there is no room among the waiting calls fails")
    func noRoom() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(operation: .restore, delayMs: 1_000))
        for _ in 0..<SDKLimits.waitingCallsMax { _ = bench.start(.restorePurchases) }
        #expect(
            try bench.tap("buy_month", on: view).lines
                == ["start sub.month", "fail sub.month 0", "custom failure"])
        _ = bench.advance(1_000)
        #expect(try bench.tap("buy_month", on: view).lines.last == "custom success")
    }

    @Test("ERR-2 a backend that does not take the purchase: its error; a restore brings it later")
    func unreported() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setOffline(true)
        #expect(try bench.tap("buy_month", on: view).lines[1] == "fail sub.month 2005")
        #expect(bench.backendProfile?.accessLevels.isEmpty == true)
        try bench.setOffline(false)
        try bench.setCondition("make_purchase", latencyMs: 200, httpStatus: 503, calls: 1)
        #expect(try bench.tap("buy_life", on: view).lines == ["start life"])
        #expect(bench.advance(200).lines == ["fail life 2004", "custom failure"])
        #expect(
            try bench.tap("restore", on: view).lines == [
                "start restore", "profile premium*", "finish restore premium*", "custom success",
            ])
        #expect(bench.backendProfile?.subscriptions.map(\.vendorProductID) == ["sub.month"])
        #expect(bench.backendProfile?.nonSubscriptions.map(\.vendorProductID) == ["life"])
    }
}

@Suite("Restores of a view")
struct RestoreTests {
    @Test("ACT-31 nothing to restore is a finish with the present profile")
    func nothing() throws {
        var (bench, view) = try Bench.openShop()
        #expect(
            try bench.tap("restore", on: view).lines
                == ["start restore", "finish restore ", "custom success"])
    }

    @Test("ACT-31 a changed profile is announced before the finish; what is there changes nothing")
    func changed() throws {
        var (bench, view) = try Bench.openShop()
        _ = try bench.tap("buy_month", on: view)
        _ = try bench.tap("buy_coins", on: view)
        #expect(
            try bench.tap("restore", on: view).lines
                == ["start restore", "finish restore premium", "custom success"])
        let before = try #require(bench.backendProfile)
        // A new installation of the same user's device: another profile, the same store account.
        bench.device.identity = DeviceIdentity()
        bench.call(.activate(Activation()))
        #expect(bench.backendProfile?.accessLevels.isEmpty == true)
        #expect(
            try bench.tap("restore", on: view).lines == [
                "start restore", "profile premium", "finish restore premium", "custom success",
            ])
        let after = try #require(bench.backendProfile)
        #expect(after.profileID != before.profileID)
        #expect(after.subscriptions == before.subscriptions)
        #expect(after.accessLevels == before.accessLevels)
        #expect(after.nonSubscriptions.isEmpty, "consumables are not restored")
    }

    @Test(
        "ACT-31 ERR-5 a restore that fails: the code of the condition, 1010 without",
        arguments: [0, 2, 7, 1005, 1010, 1020] as [Int32])
    func failed(code: Int32) throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(
            StoreCondition(
                operation: .restore, outcome: .failure, errorCode: code, delayMs: 700, calls: 1))
        #expect(try bench.tap("restore", on: view).lines == ["start restore"])
        #expect(fault { try bench.tap("buy_month", on: view) }?.isWrongState == true)
        #expect(bench.advance(699).isEmpty)
        #expect(
            bench.advance(1).lines
                == ["fail restore \(code == 0 ? 1010 : code)", "custom failure"])
        #expect(try bench.tap("restore", on: view).lines.last == "custom success")
    }

    @Test("ID-30 a restore waits for the profile, and goes on once it is created")
    func waitsForProfile() throws {
        var bench = Bench("phone", catalog: Shop.catalog())
        bench.call(.activate(Activation()))
        let view = try bench.createFlow("shop", products: nil)
        _ = try bench.present(view)
        bench.device.identity = DeviceIdentity()
        try bench.setOffline(true)
        bench.call(.activate(Activation()))
        #expect(try bench.tap("restore", on: view).lines == ["start restore"])
        #expect(bench.advance(60_000).isEmpty)
        try bench.setOffline(false)
        #expect(
            bench.advance(100).lines == ["profile ", "finish restore ", "custom success"])
    }
}

@Suite("Purchases by the app")
struct PurchaseCallTests {
    private let buy = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: Shop.month)

    @Test("ACT-32 makePurchase answers by its result, without a callback of a view")
    func results() throws {
        var (bench, _) = try Bench.openShop()
        try bench.setStore(
            StoreCondition(outcome: .cancelled, calls: 1),
            StoreCondition(outcome: .pending, calls: 1),
            StoreCondition(outcome: .failure, errorCode: 2, calls: 1),
            StoreCondition(outcome: .failure, errorCode: 4, calls: 1))
        #expect(bench.start(buy).outputs.lines == ["answer user_cancelled"])
        #expect(bench.start(buy).outputs.lines == ["answer pending"])
        #expect(bench.start(buy).outputs.lines == ["answer user_cancelled"])
        #expect(bench.start(buy).outputs.lines == ["answer 4"])
        #expect(
            bench.start(buy).outputs.lines == ["profile premium", "answer bought premium"])
    }

    @Test("ACT-32 restorePurchases answers with the profile or an error")
    func restore() throws {
        var (bench, _) = try Bench.openShop()
        #expect(bench.start(.restorePurchases).outputs.lines == ["answer profile "])
        try bench.setOffline(true)
        #expect(bench.start(buy).outputs.lines == ["answer 2005"])
        #expect(bench.start(.restorePurchases).outputs.lines == ["answer 2005"])
        try bench.setOffline(false)
        #expect(
            bench.start(.restorePurchases).outputs.lines
                == ["profile premium", "answer profile premium"])
        try bench.setStore(StoreCondition(operation: .restore, outcome: .failure))
        #expect(bench.start(.restorePurchases).outputs.lines == ["answer 1010"])
    }

    @Test("GEN-10 a slow purchase waits, and a cancelled one changes nothing")
    func waiting() throws {
        var (bench, _) = try Bench.openShop()
        try bench.setStore(StoreCondition(delayMs: 1_000))
        let (first, outputs) = bench.start(buy)
        #expect(outputs.isEmpty)
        #expect(bench.advance(500).isEmpty)
        #expect(bench.cancel(first).lines == ["answer 9000"])
        #expect(bench.advance(5_000).isEmpty)
        #expect(bench.backendProfile?.accessLevels.isEmpty == true)
        let (second, _) = bench.start(buy)
        let isExpired = bench.device.expire(second)
        #expect(isExpired)
        #expect(bench.advance(5_000).isEmpty)
        _ = bench.start(buy)
        #expect(bench.advance(1_000).lines == ["profile premium", "answer bought premium"])
    }

    @Test("two purchases of the app may run at one time, also beside one of a view")
    func together() throws {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(StoreCondition(delayMs: 1_000))
        _ = try bench.tap("buy_life", on: view)
        _ = bench.start(buy)
        _ = bench.start(.makePurchase(variationID: "v-shop", vendorProductID: Shop.year))
        #expect(
            bench.advance(1_000).lines == [
                "profile premium*", "finish life success premium*", "custom success",
                "profile premium*", "answer bought premium*",
                "profile gold premium*", "answer bought gold premium*",
            ])
    }

    @Test("a product that the flow does not offer is NOT_FOUND, naming those that it does")
    func unknownProduct() throws {
        var (bench, _) = try Bench.shop()
        let call = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: "sub.week")
        let error = bench.call(call).error
        #expect(error?.isNotFound == true)
        #expect(error?.message.contains("sub.month, gone, sub.year") == true)
        let flow = SDKCall.makePurchase(variationID: "v-none", vendorProductID: Shop.month)
        #expect(bench.call(flow).error?.message.contains("call get_flow first") == true)
        let gone = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: "gone")
        #expect(bench.call(gone).code == 5)
    }

    @Test("ID-1 before activate both calls are 2002")
    func notActivated() {
        var bench = Bench("phone", catalog: Shop.catalog())
        #expect(bench.call(buy).code == 2002)
        #expect(bench.call(.restorePurchases).code == 2002)
    }
}

@Suite("Purchases and the profile that began them")
struct PurchaseProfileTests {
    /// A purchase that runs while the device goes over to another profile.
    private func switched(_ condition: StoreCondition) throws -> (Bench, String, [String]) {
        var (bench, view) = try Bench.openShop()
        try bench.setStore(condition)
        let former = try #require(bench.backendProfile).profileID
        _ = try bench.tap("buy_month", on: view)
        bench.device.identity = DeviceIdentity()
        bench.call(.activate(Activation(customerUserID: "other")))
        let lines = bench.advance(1_000).lines
        return (bench, former, lines)
    }

    @Test("ACT-34 the purchase belongs to the former profile, the app gets 3006")
    func success() throws {
        let (bench, former, lines) = try switched(StoreCondition(delayMs: 1_000))
        #expect(lines == ["fail sub.month 3006", "custom failure"])
        #expect(bench.backend.profileRecord(former)?.profile.line == "premium")
        #expect(bench.backendProfile?.line == "")
        #expect(bench.backendProfile?.customerUserID == "other")
    }

    @Test("ACT-34 a pending one is approved for the former profile, without a callback")
    func pending() throws {
        let (switched, former, lines) = try switched(
            StoreCondition(outcome: .pending, delayMs: 1_000))
        #expect(lines == ["fail sub.month 3006", "custom failure"])
        var bench = switched
        #expect(try bench.approve("").isEmpty)
        #expect(bench.backend.profileRecord(former)?.profile.line == "premium")
    }

    @Test("ACT-34 cancelled and failed ones belong to nobody")
    func others() throws {
        #expect(
            try switched(StoreCondition(outcome: .cancelled, delayMs: 1_000)).2
                == ["finish sub.month user_cancelled", "custom cancelled"])
        #expect(
            try switched(StoreCondition(outcome: .failure, errorCode: 3, delayMs: 1_000)).2
                == ["fail sub.month 3", "custom failure"])
    }

    @Test("ACT-34 a call of the app gets 3006 as well; a restore too")
    func calls() throws {
        var (bench, _) = try Bench.openShop()
        try bench.setStore(
            StoreCondition(delayMs: 1_000), StoreCondition(operation: .restore, delayMs: 1_000))
        _ = bench.start(.makePurchase(variationID: "v-shop", vendorProductID: Shop.month))
        _ = bench.start(.restorePurchases)
        bench.device.identity = DeviceIdentity()
        bench.call(.activate(Activation()))
        #expect(bench.advance(1_000).lines == ["answer 3006", "answer 3006"])
    }

    @Test("a purchase made before the backend has created the profile is not lost")
    func beforeCreation() throws {
        var (bench, view) = try Bench.openShop()
        bench.device.identity = DeviceIdentity()
        try bench.setCondition("activate", latencyMs: 5_000)
        bench.call(.activate(Activation()))
        #expect(try bench.tap("buy_month", on: view).lines[1] == "profile premium")
        #expect(bench.advance(5_000).lines == ["profile premium"])
        #expect(bench.backendProfile?.line == "premium")
    }
}
