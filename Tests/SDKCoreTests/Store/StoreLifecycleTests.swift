import FlowEngine
import Testing

@testable import SDKCore

@Suite("The store and the app's process")
struct StoreLifecycleTests {
    private let buy = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: Shop.month)

    private func reopen(_ bench: inout Bench) {
        var outputs: [DeviceOutput] = []
        bench.device.reopen(bench.device.configuration, at: bench.now, outputs: &outputs)
        bench.call(.activate(Activation()))
    }

    @Test("GEN-11 VW-23 closing ends purchases, loads and questions without a callback")
    func closing() throws {
        var (bench, view) = try Bench.openShop()
        let question = try bench.tap("push", on: view).question
        try bench.setStore(StoreCondition(delayMs: 1_000))
        _ = try bench.tap("buy_month", on: view)
        bench.device.close()
        #expect(bench.device.nextDue == nil)
        #expect(bench.advance(60_000).isEmpty)
        reopen(&bench)
        #expect(bench.backendProfile?.line == "")
        let late = fault { try bench.answer(question, .permission(.granted)) }
        #expect(late?.isNotFound == true)
    }

    @Test("GEN-11 what is owned, what is pending and the conditions outlive the process")
    func kept() throws {
        var (bench, _) = try Bench.shop()
        bench.call(buy)
        try bench.setStore(
            StoreCondition(outcome: .pending, calls: 1),
            StoreCondition(operation: .restore, outcome: .failure, errorCode: 1005, calls: 1))
        bench.call(.makePurchase(variationID: "v-shop", vendorProductID: Shop.year))
        bench.device.close()
        let state = bench.device.storedState
        #expect(state.account.owned.map(\.vendorProductID) == [Shop.month])
        #expect(state.account.pending.map(\.product.vendorProductID) == [Shop.year])
        reopen(&bench)
        #expect(bench.call(.restorePurchases).code == 1005)
        #expect(try bench.approve(Shop.year).lines == ["profile gold premium"])
    }

    @Test("ACT-31 GEN-11 a fresh installation restores what its user bought before")
    func reset() throws {
        var (bench, _) = try Bench.shop()
        bench.call(buy)
        bench.device.reset()
        bench.call(.activate(Activation()))
        #expect(bench.backendProfile?.line == "")
        #expect(
            bench.start(.restorePurchases).outputs.lines
                == ["profile premium", "answer profile premium"])
    }

    @Test("ACT-51 who hears questions stays so when the app starts again")
    func listeners() throws {
        var (bench, _) = try Bench.shop()
        bench.device.close()
        reopen(&bench)
        let view = try bench.createFlow("shop", products: nil)
        _ = try bench.present(view)
        #expect(try bench.tap("camera", on: view).lines == ["permission camera"])
    }

    @Test("a kept account that is over the limits loses its oldest parts")
    func limits() {
        let owned = (0...SDKLimits.ownedProductsMax).map {
            StoreTransaction(
                vendorProductID: "p\($0)", id: "\($0)", originalID: "\($0)", purchasedAtMs: 0,
                purchaseID: "", accessLevelID: "", isConsumable: false, expiresAtMs: nil)
        }
        let pending = (0...SDKLimits.pendingPurchasesMax).map {
            PendingPurchase(product: .unknown("p\($0)"), profileID: "")
        }
        let account = StoreAccount(owned: owned, pending: pending)
        #expect(account.owned == Array(owned.dropFirst()))
        #expect(account.pending == Array(pending.dropFirst()))
    }
}
