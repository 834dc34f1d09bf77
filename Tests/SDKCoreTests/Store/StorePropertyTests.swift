import FlowEngine
import Testing

@testable import SDKCore

/// Random walks through a shop: whatever the order of gestures, answers, time and background, every
/// start has one end and every question one settlement.
@Suite("Random walks through a shop")
struct StorePropertyTests {
    private static let buttons = [
        "buy", "buy_month", "buy_life", "buy_coins", "buy_gone", "web", "restore", "push",
        "camera", "alert", "review", "own",
    ]

    private struct Walk {
        var bench: Bench
        var views: [ViewID]
        var random: SeededGenerator
        var log: [DeviceOutput] = []

        mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    }

    /// Refused steps are part of a walk: they change nothing.
    private func step(_ walk: inout Walk) throws {
        let view = walk.views[walk.pick(walk.views.count)]
        do {
            switch walk.pick(13) {
            case 0, 1, 2, 3:
                let button = Self.buttons[walk.pick(Self.buttons.count)]
                walk.log += try walk.bench.tap(button, on: view).map { .callback($0) }
            case 4, 11: walk.log += try answer(&walk).map { .callback($0) }
            case 5: walk.log += walk.bench.advance(Int64(walk.pick(4_000)))
            case 6: walk.log += try walk.bench.present(view).map { .callback($0) }
            case 7 where walk.pick(3) == 0:
                walk.log += try walk.bench.dismiss(view).callbacks.map { .callback($0) }
            case 8 where walk.pick(4) == 0:
                walk.log += try walk.bench.enterBackground().map { .callback($0) }
            case 8: walk.log += try walk.bench.enterForeground().map { .callback($0) }
            case 9: try changeConditions(&walk)
            case 10:
                let calls: [SDKCall] = [
                    .restorePurchases, .getPaywallProducts(variationID: "v-shop"),
                    .makePurchase(variationID: "v-shop", vendorProductID: "coins"),
                ]
                walk.log += walk.bench.start(calls[walk.pick(calls.count)]).outputs
            default:
                let product = [Shop.month, Shop.year][walk.pick(2)]
                let select = Gesture.selectProduct("plans", product: product)
                walk.log += try walk.bench.perform(select, on: view).map { .callback($0) }
            }
        } catch is DeviceFault {}
    }

    private func answer(_ walk: inout Walk) throws -> [DeviceCallback] {
        let open = walk.bench.device.questions.open
        if open.isEmpty { return [] }
        let asked = open[walk.pick(open.count)]
        let answers: [QuestionAnswer] = [
            .retry(true), .retry(false), .permission(.granted), .permission(.denied),
            .alert(actionID: "keep"), .alert(actionID: "Delete"), .observer(.started),
            .observer(.finished),
        ]
        return try walk.bench.answer(asked.question, answers[walk.pick(answers.count)])
    }

    private func changeConditions(_ walk: inout Walk) throws {
        let outcomes: [StoreCondition.Outcome] = [.success, .cancelled, .pending, .failure]
        let purchase = StoreCondition(
            outcome: outcomes[walk.pick(4)], delayMs: UInt32(walk.pick(3) * 1_500))
        let restore = StoreCondition(
            operation: .restore, outcome: walk.pick(2) == 0 ? .success : .failure,
            delayMs: UInt32(walk.pick(2) * 700))
        let products = StoreCondition(
            operation: .products, outcome: walk.pick(2) == 0 ? .success : .failure,
            delayMs: UInt32(walk.pick(2) * 900))
        try walk.bench.setStore(purchase, restore, products)
        try walk.bench.setOffline(walk.pick(4) == 0)
    }

    private func walk(_ seed: UInt64, observer: Bool, steps: Int = 1_500) throws -> Walk {
        let (bench, view) = try Bench.shop(observer: observer)
        var walk = Walk(
            bench: bench, views: [view], random: SeededGenerator(seed: seed, name: "walk"))
        try changeConditions(&walk)
        walk.views.append(try walk.bench.createFlow("shop", products: nil))
        for _ in 0..<steps {
            try step(&walk)
            if let due = walk.bench.device.nextDue { #expect(walk.bench.now < due, "seed \(seed)") }
        }
        if walk.bench.device.isInBackground {
            walk.log += try walk.bench.enterForeground().map { .callback($0) }
        }
        for view in walk.views {
            walk.log += try walk.bench.dismiss(view).callbacks.map { .callback($0) }
        }
        walk.log += walk.bench.advance(600_000)
        return walk
    }

    @Test(
        "ACT-28 ACT-29 ACT-50 every start has one end, every question one settlement",
        arguments: 1...20 as ClosedRange<UInt64>, [false, true])
    func balanced(seed: UInt64, observer: Bool) throws {
        let walk = try walk(seed, observer: observer)
        var running: [ViewID: Int] = [:]
        var open: Set<ViewID> = []
        for case .callback(let callback) in walk.log {
            switch callback {
            case .store(let view, .didStartPurchase), .store(let view, .didStartRestore):
                running[view, default: 0] += 1
                #expect(running[view] == 1, "seed \(seed): two at a time")
            case .store(let view, .didFinishPurchase), .store(let view, .didFailPurchase),
                .store(let view, .didFinishRestore), .store(let view, .didFailRestore):
                running[view, default: 0] -= 1
                #expect(running[view] == 0, "seed \(seed): an end without a start")
            case .question(_, .settled(let id, _, _)):
                #expect(open.remove(id) != nil, "seed \(seed): settled twice or never asked")
            case .question(_, let asked):
                if let question = asked.question { open.insert(question.id) }
            default: break
            }
        }
        #expect(running.values.allSatisfy { $0 == 0 }, "seed \(seed)")
        #expect(open.isEmpty, "seed \(seed)")
        #expect(walk.bench.device.calls.isEmpty, "seed \(seed)")
        #expect(walk.bench.device.stack.views.allSatisfy { !$0.isBuying }, "seed \(seed)")
        #expect(walk.bench.device.flowResults.isEmpty)
        #expect(walk.log.count > 300, "seed \(seed): the walk went nowhere")
    }

    @Test("GEN-3 the same walk causes the same outputs", arguments: [7, 8, 9] as [UInt64])
    func repeatable(seed: UInt64) throws {
        #expect(try walk(seed, observer: false).log == walk(seed, observer: false).log)
    }
}
