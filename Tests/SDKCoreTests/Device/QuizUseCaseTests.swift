import FlowEngine
import Testing

@testable import SDKCore

@Suite("UC-20 A quiz decides the next flow")
struct QuizUseCaseTests {
    @Test("UC-20 from All Users through the quiz to the flow of pro, then of beginner")
    func quiz() throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation()))
        let before = try #require(bench.call(.getFlow("main")).flow)
        #expect(before.placement.audienceName == "All")
        #expect(before.content.variationID == "v-all")

        let view = try bench.presentQuiz()
        let tap = try bench.perform(.tapOption("experience", option: "pro"), on: view)
        #expect(
            tap == [
                .view(
                    view,
                    .analytic(
                        .userInput(
                            instanceID: "scr_quiz", elementID: "experience", type: .singleChoice,
                            value: .items(ids: ["pro"], titles: ["PRO"]))))
            ])

        let update = bench.call(.attributes([("experience", .string("pro"))]))
        guard case .didLoadLatestProfile(let profile)? = update.callbacks.first else {
            Issue.record("\(update)")
            return
        }
        #expect(update.callbacks.count == 1)
        #expect(profile.customAttributes["experience"] == .string("pro"))

        let pro = try #require(bench.call(.getFlow("main")).flow)
        #expect(pro.placement.audienceName == "Pros")
        #expect(pro.content.flowVersionID == "pro-v1")

        let again = try bench.perform(.tapOption("experience", option: "beginner"), on: view)
        #expect(again.count == 1)
        bench.call(.attributes([("experience", .string("beginner"))]))
        let beginner = try #require(bench.call(.getFlow("main")).flow)
        #expect(beginner.placement.audienceName == "Beginners")
        #expect(beginner.content.flowVersionID == "beginner-v1")
    }

    @Test("UC-24 PL-23 devices of many seeds get what their profile ids draw")
    func manyDevices() throws {
        let backend = Backend(
            catalog: Catalog(
                placements: [Samples.tested(weights: (30, 70))], flows: [:], onboardings: [:],
                products: [:]))
        var drawn: Set<String> = []
        for seed in 1...1_000 as ClosedRange<UInt64> {
            var bench = Bench("phone-\(seed)", backend: backend, seed: seed)
            bench.call(.activate(Activation()))
            let variation = try #require(bench.call(.getFlow("tested")).flow).content.variationID
            let expected = NaiveDraw.choose(
                [("A", 30), ("B", 70)], version: "pav_field_1",
                profile: bench.device.identity.profileID)
            #expect(variation == expected)
            drawn.insert(variation)
        }
        #expect(drawn == ["A", "B"])
    }
}
