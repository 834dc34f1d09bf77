import FlowEngine
import Testing

@testable import SDKCore

@Suite("Flows that the app counts by itself")
struct ShownFlowTests {
    private func shown(_ bench: Bench) -> [RecordedBackendEvent] {
        bench.backend.events(limit: 100).filter { $0.event.name == "flow_showed" }
    }

    @Test("VW-27 logShowFlow makes one flow_showed a call; a rendered flow makes none by itself")
    func counted() throws {
        var bench = Bench()
        bench.call(.getFlow("plain"))
        _ = try bench.presentQuiz()
        #expect(shown(bench).isEmpty)
        try bench.setOffline(true)
        for id in ["v-all", "v-all", "v-plain"] {
            let outcome = bench.call(.logShowFlow(variationID: id))
            #expect(outcome.isDone)
            #expect(outcome.callbacks.isEmpty)
        }
        let events = shown(bench)
        #expect(
            events.map(\.event.properties)
                == ["v-all", "v-all", "v-plain"].map {
                    ["variation_id": .string($0)]
                })
        #expect(events.allSatisfy { $0.profileID == bench.device.identity.profileID })
    }

    @Test(
        "VW-27 a flow that was not fetched is NOT_FOUND, naming get_flow", arguments: ["", "v-no"])
    func unknown(id: String) {
        var bench = Bench()
        bench.call(.getOnboarding("intro"))
        let error = bench.call(.logShowFlow(variationID: id)).error
        #expect(error?.isNotFound == true)
        #expect(error?.message.contains("get_flow") == true)
        #expect(bench.call(.logShowFlow(variationID: "v-intro")).error?.isNotFound == true)
    }

    @Test("PRO-8 with analytics disabled nothing is recorded, and the call succeeds")
    func disabled() {
        var bench = Bench()
        bench.call(.getFlow("main"))
        bench.call(.update { $0.analyticsDisabled = true })
        #expect(bench.call(.logShowFlow(variationID: "v-all")).isDone)
        #expect(shown(bench).isEmpty)
    }
}
