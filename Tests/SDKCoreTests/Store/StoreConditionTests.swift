import Testing

@testable import SDKCore

@Suite("Conditions of the store")
struct StoreConditionTests {
    private let buy = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: Shop.month)

    @Test("ERR-5 several conditions of one product hold one after the other, then all is well")
    func oneAfterTheOther() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(
            StoreCondition(productID: Shop.month, outcome: .failure, errorCode: 1, calls: 2),
            StoreCondition(productID: Shop.month, outcome: .cancelled, calls: 1))
        let codes = [bench.call(buy).code, bench.call(buy).code]
        #expect(codes == [1, 1])
        #expect(bench.start(buy).outputs.lines == ["answer user_cancelled"])
        #expect(bench.start(buy).outputs.lines.last == "answer bought premium")
    }

    @Test("a condition for the product comes before one for every product")
    func precedence() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(
            StoreCondition(outcome: .failure, errorCode: 3),
            StoreCondition(productID: Shop.month, outcome: .failure, errorCode: 4, calls: 1))
        let codes = [bench.call(buy).code, bench.call(buy).code, bench.call(buy).code]
        #expect(codes == [4, 3, 3])
        let year = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: Shop.year)
        #expect(bench.call(year).code == 3)
    }

    @Test("new conditions replace those of the same operation and product, clear drops all")
    func replacing() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(
            StoreCondition(outcome: .failure, errorCode: 3),
            StoreCondition(operation: .restore, outcome: .failure, errorCode: 1005))
        try bench.setStore(StoreCondition(outcome: .failure, errorCode: 6))
        #expect(bench.call(buy).code == 6)
        #expect(bench.call(.restorePurchases).code == 1005)
        try bench.setConditions {
            $0.purchasesForbidden = true
            $0.storeUnreachable = true
        }
        #expect(bench.call(buy).code == 1003)
        try bench.setConditions { $0.clear = true }
        #expect(bench.call(buy).code == nil)
        #expect(bench.call(.restorePurchases).profile != nil)
        #expect(bench.call(.getPaywallProducts(variationID: "v-shop")).code == nil)
    }

    @Test(
        "ERR-5 what the store never answers is refused, naming the field",
        arguments: [
            (StoreCondition(outcome: .failure, errorCode: 2002), "store[1].error_code"),
            (StoreCondition(outcome: .failure, errorCode: -1), "store[1].error_code"),
            (StoreCondition(outcome: .success, errorCode: 3), "store[1].error_code"),
            (
                StoreCondition(operation: .restore, outcome: .failure, errorCode: 1050),
                "store[1].error_code"
            ),
            (
                StoreCondition(
                    operation: .products, productID: Shop.month, outcome: .failure, errorCode: 5),
                "store[1].error_code"
            ),
            (StoreCondition(operation: .restore, outcome: .pending), "store[1].outcome"),
            (StoreCondition(operation: .products, outcome: .cancelled), "store[1].outcome"),
            (StoreCondition(operation: .restore, productID: Shop.month), "store[1].product_id"),
        ])
    func refused(condition: StoreCondition, field: String) throws {
        var (bench, _) = try Bench.shop()
        let error = fault {
            try bench.setStore(StoreCondition(outcome: .failure, errorCode: 9), condition)
        }
        #expect(error?.invalidField == field)
        #expect(bench.call(buy).code == nil, "nothing of the change holds")
    }

    @Test("a code that the store does not have: the message lists those that it has")
    func codes() throws {
        var (bench, _) = try Bench.shop()
        let error = fault {
            try bench.setStore(StoreCondition(outcome: .failure, errorCode: 15))
        }
        #expect(
            error?.message
                == "error_code 15: the store fails with one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "
                + "12, 13, 14, 1000, 1002, 1003, 1005, 1006, 1010, 1020, 1030, 1050, or 0")
    }

    @Test("a product that the catalog has not is NOT_FOUND, naming those that it has")
    func unknownProduct() throws {
        var (bench, _) = try Bench.shop()
        let error = fault { try bench.setStore(StoreCondition(productID: "Sub.month")) }
        #expect(error?.isNotFound == true)
        #expect(
            error?.message.contains("it has coins, gone, life, sub.month, sub.year") == true)
    }

    @Test("256 conditions hold, one more is LIMIT_EXCEEDED and changes nothing")
    func conditionsMax() throws {
        var (bench, _) = try Bench.shop()
        let many = Array(
            repeating: StoreCondition(outcome: .failure, errorCode: 8, calls: 1),
            count: SDKLimits.conditionsMax)
        try bench.setConditions { $0.store = many }
        let error = fault {
            try bench.setConditions {
                $0.offline = true
                $0.store = [StoreCondition(operation: .restore)]
            }
        }
        #expect(error?.isLimitExceeded == true)
        #expect(bench.call(buy).code == 8, "and not offline")
    }

    @Test("ACT-24 approving what is not pending is NOT_FOUND, naming what is")
    func approving() throws {
        var (bench, _) = try Bench.shop()
        let none = fault { try bench.approve("") }
        #expect(none?.isNotFound == true)
        try bench.setStore(StoreCondition(outcome: .pending))
        bench.call(buy)
        bench.call(.makePurchase(variationID: "v-shop", vendorProductID: Shop.year))
        let error = fault { try bench.approve(Shop.month, "life") }
        #expect(error?.isNotFound == true)
        #expect(error?.message.contains("those of sub.month, sub.year are") == true)
        #expect(bench.backendProfile?.line == "", "nothing was approved")
        #expect(try bench.approve("").lines == ["profile premium", "profile gold premium"])
    }

    @Test("ACT-24 without network the device hears of an approval at its next profile answer")
    func approvedOffline() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(StoreCondition(outcome: .pending))
        bench.call(buy)
        try bench.setOffline(true)
        #expect(try bench.approve("").isEmpty)
        #expect(bench.backendProfile?.line == "premium")
        try bench.setOffline(false)
        #expect(
            bench.start(.getProfile).outputs.lines == ["profile premium", "answer profile premium"])
    }

    @Test("256 purchases are pending, the oldest goes")
    func pendingMax() throws {
        var (bench, _) = try Bench.shop()
        try bench.setStore(StoreCondition(outcome: .pending))
        bench.call(buy)
        let coins = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: "coins")
        for _ in 1..<SDKLimits.pendingPurchasesMax { bench.call(coins) }
        #expect(bench.device.store.account.pending.count == SDKLimits.pendingPurchasesMax)
        bench.call(coins)
        #expect(fault { try bench.approve(Shop.month) }?.isNotFound == true)
        #expect(try bench.approve("coins").count == SDKLimits.pendingPurchasesMax)
    }
}
